import { createParser } from 'eventsource-parser';
import { Observable, type OperatorFunction } from 'rxjs';
import type { OversizedLine } from '../framing/index.js';
import { OversizedEvent } from './oversized-event.js';

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
  /** Set where its data, which is not here, was over the limit. */
  readonly oversized?: OversizedLine | undefined;
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

/** What is whole needs no decoder of its own: to make one costs as much as all else that is done for a short stream. */
const atStart = new TextDecoder('utf-8');
const within = new TextDecoder('utf-8', { ignoreBOM: true });

/** Chunks of UTF-8 as text, cut anywhere. A byte order mark is one at the start alone. */
const utf8 = (): ((bytes: Uint8Array) => string) => {
  let isFirst = true;
  let own: TextDecoder | undefined;
  return (bytes) => {
    if (bytes.length === 0) return '';
    const isWhole = own === undefined && (bytes.at(-1) ?? 0) < 0x80;
    if (!isWhole) own ??= new TextDecoder('utf-8', { ignoreBOM: !isFirst });
    const shared = isFirst ? atStart : within;
    isFirst = false;
    return own === undefined ? shared.decode(bytes) : own.decode(bytes, { stream: true });
  };
};

/** The end of the event that is under way in a text; -1 where it has none there. */
const endOfEvent = (text: string, atLineStart: boolean): number => {
  if (atLineStart && text.startsWith('\n')) return 1;
  const end = text.indexOf('\n\n');
  return end === -1 ? -1 : end + 2;
};

/**
 * Bytes to events, in order and synchronously. Bytes are UTF-8 whatever else was said of them, cut anywhere; comments
 * are passed over. What is no event is passed over too. An event whose data has more than `maxBytes` is passed over
 * without being kept, and told by one that is `oversized`: at its end, or sooner where its beginning tells what it
 * answers. An event that was not ended when the bytes end is no event.
 */
export const sseEvents =
  (maxBytes: number): OperatorFunction<Uint8Array, SseEvent> =>
  (source) =>
    new Observable((subscriber) => {
      const decode = utf8();
      const normalised = lineEndings();
      const oversized = new OversizedEvent(maxBytes);
      let atLineStart = true;
      let exceeded = false;
      const parser = createParser({
        maxBufferSize: maxBytes + LINE_SLACK,
        onEvent: ({ data, event, id }) => {
          // A character has three bytes at most: what is short enough need not be measured.
          const bytes = data.length * 3 <= maxBytes ? 0 : byteLength(data);
          if (bytes > maxBytes) {
            subscriber.next(oversized.whole(data, bytes, { event, id }));
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
          exceeded ||= type === 'max-buffer-size-exceeded';
        },
      });
      const tell = (event: SseEvent | undefined): void => {
        if (event !== undefined) subscriber.next(event);
      };
      /** A part of one event, or the rest of it. */
      const take = (piece: string, isEnd: boolean): void => {
        if (oversized.skipping) oversized.skip(piece);
        else {
          oversized.begin(piece);
          parser.feed(piece);
          if (exceeded) {
            exceeded = false;
            parser.reset();
            tell(oversized.start(piece));
          }
        }
        if (isEnd) tell(oversized.end());
      };
      return source.subscribe({
        next: (bytes) => {
          let text = normalised(decode(bytes));
          while (text !== '' && !subscriber.closed) {
            const end = endOfEvent(text, atLineStart);
            const piece = end === -1 ? text : text.slice(0, end);
            atLineStart = piece.endsWith('\n');
            text = text.slice(piece.length);
            take(piece, end !== -1);
          }
        },
        error: (reason: unknown) => {
          subscriber.error(reason);
        },
        complete: () => {
          subscriber.complete();
        },
      });
    });
