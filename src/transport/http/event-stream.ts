import { from, type Observable, throwError, timeout } from 'rxjs';
import { type Inbound, isInvalid, parseInbound, type RequestId } from '../../jsonrpc/index.js';
import { turned } from '../../rx/index.js';
import { tooLarge } from '../framing/index.js';
import type { Part } from './answer.js';
import type { HttpResponse } from './engine.js';
import { owned } from './owned.js';
import type { CheckedHttp } from './parameters.js';
import { type SseEvent, sseEvents } from './sse.js';

/** The messages of an event. Other types of event are other people's, and an empty one only marks a place. */
export const messagesOf = ({ data, event, oversized }: SseEvent): readonly Inbound[] => {
  if (event !== undefined && event !== 'message') return [];
  if (oversized !== undefined) return [tooLarge(oversized)];
  return data === '' ? [] : parseInbound(data);
};

/** @param id of the request whose stream it is, if it is one's */
const partsOf = (event: SseEvent, id: RequestId | undefined): Part | Observable<Part> => {
  const own = (message: Inbound): Inbound =>
    id !== undefined && 'error' in message && !isInvalid(message) ? owned(message, id) : message;
  const { id: eventId, retry: retryMs } = event;
  const messages = messagesOf(event);
  const [message] = messages;
  if (message === undefined) return { eventId, retryMs };
  if (messages.length === 1) return { message: own(message), eventId, retryMs };
  return from(
    messages.map((one, index): Part =>
      index === messages.length - 1 ? { message: own(one), eventId, retryMs } : { message: own(one) },
    ),
  );
};

/** The events of an event stream. Errors where the stream breaks, or is silent for longer than `keepAliveMs`. */
export const streamEvents = (
  { body$ }: HttpResponse,
  { keepAliveMs, maxMessageBytes }: CheckedHttp,
): Observable<SseEvent> => {
  if (keepAliveMs === 0) return body$.pipe(sseEvents(maxMessageBytes));
  const silent = (): Error => new Error(`silent for longer than keepAliveMs (${keepAliveMs} ms)`);
  return body$.pipe(timeout({ each: keepAliveMs, with: () => throwError(silent) }), sseEvents(maxMessageBytes));
};

/**
 * The parts of an event stream. Errors like {@link streamEvents}.
 * @param id of the request whose answer it is: an error in it that lacks an id is that request's
 */
export const streamParts = (response: HttpResponse, http: CheckedHttp, id?: RequestId): Observable<Part> =>
  streamEvents(response, http).pipe(turned((event) => partsOf(event, id)));
