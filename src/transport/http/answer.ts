import { concat, EMPTY, from, Observable, throwError } from 'rxjs';
import { InvalidMessageError, McpError, MessageTooLargeError, NetworkError } from '../../errors/index.js';
import { type Inbound, isInvalid, type Outbound, parseInbound, type RequestId } from '../../jsonrpc/index.js';
import { type Part as Loaded, part, turned } from '../../rx/index.js';
import type { SendHints } from '../transport.js';
import { isSuccess, mediaTypeOf } from './answer-kind.js';
import { wholeBody } from './body.js';
import type { HttpResponse } from './engine.js';
import { owned } from './owned.js';
import type { CheckedHttp } from './parameters.js';
import type { Concern } from './requester.js';
import { overRefusals } from './refused.js';
import { withoutQuery } from './without-query.js';

/** What a stream brings: a message, with the id of its event where it has one; or an id or a delay alone. */
export interface Part {
  readonly message?: Inbound | undefined;
  readonly eventId?: string | undefined;
  readonly retryMs?: number | undefined;
  /** True where nothing comes after it, since the body has ended. */
  readonly last?: boolean | undefined;
}

/** What every message that is POSTed goes with. MCP 2026-07-28 basic/transports/streamable-http. */
export const POST_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** The method of a message; an answer has none. */
export const methodOf = (message: Outbound): string | undefined => ('method' in message ? message.method : undefined);

/** On whose behalf a message goes out: nobody waits for what wants no answer. */
export const concernOf = (message: Outbound, hints: SendHints | undefined): Concern =>
  requestIdOf(message) === undefined || hints?.background === true ? 'background' : 'call';

/** The id of a message that wants an answer. */
export const requestIdOf = (message: Outbound): RequestId | undefined =>
  'method' in message && 'id' in message ? message.id : undefined;

/**
 * An exchange that failed. One that broke after its request had left is a `NetworkError`; what is an error of ours already
 * stays as it is. Once the answer had `begun`, though, only an answer that cannot be used is one: everything else, such as a
 * refusal to go on with its stream, has lost it.
 */
export const brokenOff = ({ url }: CheckedHttp, reason: unknown, begun = false): McpError => {
  const isAnswer = reason instanceof InvalidMessageError || reason instanceof MessageTooLargeError;
  const isLost = reason instanceof NetworkError && reason.left;
  if (reason instanceof McpError && (!begun || isAnswer || isLost)) return reason;
  return new NetworkError(withoutQuery(url), reason instanceof NetworkError ? reason.cause : reason, true);
};

/** How event streams are read: many servers answer in JSON alone. */
export const eventStreams: Loaded<typeof import('./event-stream.js')> = /* @__PURE__ */ part(
  () => import('./event-stream.js'),
);

/** What an event stream brings. While its reader is loaded nothing is read, and whoever leaves hangs up, as later. */
const streamed = (response: HttpResponse, http: CheckedHttp, id: RequestId): Observable<Part> => {
  const { loaded } = eventStreams;
  if (loaded !== undefined) return loaded.streamParts(response, http, id);
  return new Observable((subscriber) => {
    let isRead = false;
    subscriber.add(() => {
      // To begin to read, and to leave, is how one hangs up.
      if (!isRead) response.body$.subscribe({ error: () => undefined }).unsubscribe();
    });
    const parts$ = eventStreams.use(({ streamParts }) => {
      isRead = true;
      return streamParts(response, http, id);
    });
    subscriber.add(parts$.subscribe(subscriber));
  });
};

/**
 * The messages of a JSON body. One that is alone is the answer: an error is so whatever id it carries, since servers that
 * could not read a request, or refuse it unread, make one up. A result under another id belongs to nobody.
 */
const bodyMessages = (text: string, method: string, id: RequestId): Part | Observable<Part> => {
  if (text.trim() === '') throw new InvalidMessageError(method, id, 'an empty body');
  const inbounds = parseInbound(text);
  const [only] = inbounds;
  if (inbounds.length === 1 && only !== undefined && !('method' in only) && only.id === id)
    return { message: only, last: true };
  const isThere = inbounds.some((inbound) => !('method' in inbound) && inbound.id === id);
  const messages = inbounds.map((inbound): Inbound => {
    // What is odd beside the answer is nobody's.
    if (isThere) return inbound;
    if (isInvalid(inbound)) return inbound.id === undefined ? { ...inbound, id } : inbound;
    if (!('error' in inbound)) return inbound;
    return inbounds.length === 1 ? { ...inbound, id } : owned(inbound, id);
  });
  const answered = messages.some((message) => !('method' in message) && message.id === id);
  return concat(
    from(messages.map((message) => ({ message }))),
    answered ? EMPTY : throwError(() => new InvalidMessageError(method, id, 'a body in which the answer is not')),
  );
};

/** What is no answer to a request. */
const invalid = (response: HttpResponse, method: string, id: RequestId, reason: string): Observable<never> => {
  response.discard();
  return throwError(() => new InvalidMessageError(method, id, reason));
};

/**
 * What the server answered to one POSTed message, part by part in wire order; completes with the body. A refusal whose
 * body is a JSON-RPC error is that error, with the `HttpError` for its cause; any other refusal errors with `HttpError`;
 * what is no answer to a request errors with `InvalidMessageError` at once. A broken body errors with what broke it.
 */
export const answerParts = (
  response: HttpResponse,
  message: Outbound,
  http: CheckedHttp,
  now: number,
): Observable<Part> => {
  const id = requestIdOf(message);
  const method = methodOf(message) ?? 'answer';
  const type = mediaTypeOf(response);
  if (!isSuccess(response)) {
    return overRefusals(response, ({ refusalParts }) => refusalParts(response, type, id, now));
  }
  if (id === undefined) {
    response.discard();
    return EMPTY;
  }
  if (response.status === 202 || response.status === 204)
    return invalid(response, method, id, `the server answered ${response.status}, and no answer`);
  if (type === 'text/event-stream') return streamed(response, http, id);
  if (type !== 'application/json' && !type.endsWith('+json')) {
    return overRefusals(response, ({ unreadable }) => invalid(response, method, id, unreadable(type, response)));
  }
  return wholeBody(response, http.maxMessageBytes).pipe(turned((text) => bodyMessages(text, method, id)));
};
