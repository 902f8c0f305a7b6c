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

/** How much longer than its data the line of an event may be, while it has no end: the name of the field, and more. */
const LINE_SLACK = 64;

const byteLength = (text: string): number => new TextEncoder().encode(text).length;

/**
 * Every line ending as LF. The parser holds back a CR at the end of a chunk, since LF might follow, and with it the event
 * it ends: here it counts at once, and that LF is passed over. WHATWG HTML, "Parsing an event stream".
 */
const lineEndings = (): ((text: string) => string) => {
  let afterReturn = false;
  return (text) => {
    if (text === '') return text;
    const rest = afterReturn && text.startsWith('\n') ? text.slice(1) : text;
    afterReturn = text.endsWith('\r');
    return rest.includes('\r') ? rest.replace(/\r\n?/g, '\n') : rest;
  };
};

/**
 * Bytes to events, in order and synchronously. Bytes are UTF-8 whatever else was said of them, cut anywhere; comments
 * are passed over. What is no event is passed over too. An event whose data has more than `maxBytes` errors with
 * `MessageTooLargeError`. An event that was not ended when the bytes end is no event.
 */
export const sseEvents =
  (maxBytes: number): OperatorFunction<Uint8Array, SseEvent> =>
  (source) =>
    new Observable((subscriber) => {
      const decoder = new TextDecoder('utf-8');
      const normalised = lineEndings();
      const refuse = (bytes: number): void => {
        subscriber.error(new MessageTooLargeError(bytes, maxBytes));
      };
      let pending = 0;
      const parser = createParser({
        maxBufferSize: maxBytes + LINE_SLACK,
        onEvent: ({ data, event, id }) => {
          pending = 0;
          // A character has three bytes at most: what is short enough need not be measured.
          const bytes = data.length * 3 <= maxBytes ? 0 : byteLength(data);
          if (bytes > maxBytes) {
            refuse(bytes);
            return;
          }
          subscriber.next({
            data,
            ...(event === undefined ? undefined : { event }),
            ...(id === undefined ? undefined : { id }),
          });
        },
        onRetry: (retry) => {
          subscriber.next({ data: '', retry });
        },
        onError: ({ type }) => {
          if (type === 'max-buffer-size-exceeded') refuse(pending);
        },
      });
      return source.subscribe({
        next: (bytes) => {
          pending += bytes.length;
          parser.feed(normalised(decoder.decode(bytes, { stream: true })));
        },
        error: (reason: unknown) => {
          subscriber.error(reason);
        },
        complete: () => {
          subscriber.complete();
        },
      });
    });
