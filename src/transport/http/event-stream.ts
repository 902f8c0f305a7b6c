import { from, type Observable, throwError, timeout } from 'rxjs';
import { type Inbound, parseInbound } from '../../jsonrpc/index.js';
import { turned } from '../../rx/index.js';
import { tooLarge } from '../framing/index.js';
import type { Part } from './answer.js';
import type { HttpResponse } from './engine.js';
import type { CheckedHttp } from './parameters.js';
import { type SseEvent, sseEvents } from './sse.js';

/** The messages of an event. Other types of event are other people's, and an empty one only marks a place. */
export const messagesOf = ({ data, event, oversized }: SseEvent): readonly Inbound[] => {
  if (event !== undefined && event !== 'message') return [];
  if (oversized !== undefined) return [tooLarge(oversized)];
  return data === '' ? [] : parseInbound(data);
};

const partsOf = (event: SseEvent): Part | Observable<Part> => {
  const mark = { eventId: event.id, retryMs: event.retry };
  const messages = messagesOf(event);
  const [message] = messages;
  if (message === undefined) return mark;
  if (messages.length === 1) return { message, ...mark };
  return from(
    messages.map((one, index) => (index === messages.length - 1 ? { message: one, ...mark } : { message: one })),
  );
};

/** The events of an event stream. Errors where the stream breaks, or is silent for longer than `keepAliveMs`. */
export const streamEvents = (
  { body$ }: HttpResponse,
  { keepAliveMs, maxMessageBytes }: CheckedHttp,
): Observable<SseEvent> => {
  const silent = (): Error => new Error(`silent for longer than keepAliveMs (${keepAliveMs} ms)`);
  const kept$ = keepAliveMs === 0 ? body$ : body$.pipe(timeout({ each: keepAliveMs, with: () => throwError(silent) }));
  return kept$.pipe(sseEvents(maxMessageBytes));
};

/** The parts of an event stream. Errors like {@link streamEvents}. */
export const streamParts = (response: HttpResponse, http: CheckedHttp): Observable<Part> =>
  streamEvents(response, http).pipe(turned(partsOf));
