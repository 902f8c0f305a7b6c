import { createParser } from 'eventsource-parser';
import { Observable, type OperatorFunction } from 'rxjs';
import { MessageTooLargeError } from '../../errors/index.js';

/** One event of an event stream. WHATWG HTML, "Server-sent events". */
export interface SseEvent {
  /** Its data; empty where it only says an id, a delay, or nothing. */
  readonly data: string;
  /** The type; `undefined` means `message`. */
  readonly event?: string | undefined;
  /** The id of the event, if it has one of its own. */
  readonly id?: string | undefined;
  /** The delay before reconnecting the server wants, in ms. */
  readonly retry?: number | undefined;
}

/**
 * Bytes to events, in order and synchronously. Bytes are UTF-8 whatever else was said of them, cut anywhere; comments
 * are passed over. What is no event is passed over too. An event of more than `maxBytes` errors with
 * `MessageTooLargeError`. An event that was not ended when the bytes end is no event.
 */
export const sseEvents =
  (maxBytes: number): OperatorFunction<Uint8Array, SseEvent> =>
  (source) =>
    new Observable((subscriber) => {
      const decoder = new TextDecoder('utf-8');
      let pending = 0;
      const parser = createParser({
        onEvent: ({ data, event, id }) => {
          pending = 0;
          subscriber.next({
            data,
            ...(event === undefined ? undefined : { event }),
            ...(id === undefined ? undefined : { id }),
          });
        },
        onRetry: (retry) => {
          subscriber.next({ data: '', retry });
        },
      });
      return source.subscribe({
        next: (bytes) => {
          pending += bytes.length;
          parser.feed(decoder.decode(bytes, { stream: true }));
          // What is left may be a whole chunk of small events: only a chunk that ended none adds up.
          if (pending > maxBytes) subscriber.error(new MessageTooLargeError(pending, maxBytes));
        },
        error: (reason: unknown) => {
          subscriber.error(reason);
        },
        complete: () => {
          subscriber.complete();
        },
      });
    });
