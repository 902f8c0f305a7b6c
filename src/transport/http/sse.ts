import { createParser } from 'eventsource-parser';
import { Observable, type OperatorFunction, type Subscriber } from 'rxjs';
import { LeanSubscriber } from '../../rx/index.js';
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

const MESSAGE = 'event: message\n';
const DATA = 'data: ';

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

/** What most events are: `data` in one line, and before it at most that it is a message. They need no parser. */
const plainEvent = (piece: string, maxBytes: number): SseEvent | undefined => {
  const start = piece.startsWith(MESSAGE) ? MESSAGE.length : 0;
  const end = piece.length - 2;
  if (!piece.startsWith(DATA, start) || piece.indexOf('\n', start) !== end) return undefined;
  const data = piece.slice(start + DATA.length, end);
  // A character has three bytes at most: what is short enough need not be measured.
  if (data.length * 3 > maxBytes) return undefined;
  return start === 0 ? { data } : { data, event: 'message' };
};

/** Parts of one event, or the rest of it, as they come. */
type Take = (piece: string, isEnd: boolean) => void;

/** Pieces shorter than this are joined before they are parsed, which keeps each of them until its line ends. */
const SHORT = 64;
/** So many of them. */
const MAX_SHORT = 1_024;

/** What the parser keeps of a line beside its text, in bytes: it counts towards the limit, once there are many. */
const LINE_COST = 64;
const MANY_LINES = 1_000;

/** How many lines end in a text, without those that are comments, of which nothing is kept. */
const linesIn = (text: string, atLineStart: boolean): number => {
  let lines = 0;
  let start = 0;
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
    const isComment = text.startsWith(':', start) && (start > 0 || atLineStart);
    if (!isComment) lines += 1;
    start = end + 1;
  }
  return lines;
};

/** Takes the pieces of any events, and tells each event. */
const parsed = (maxBytes: number, tell: (event: SseEvent) => void): Take => {
  const oversized = new OversizedEvent(maxBytes);
  let exceeded = false;
  let lines = 0;
  let atLineStart = true;
  const parser = createParser({
    maxBufferSize: maxBytes + LINE_SLACK,
    onEvent: ({ data, event, id }) => {
      const bytes = data.length * 3 <= maxBytes ? 0 : byteLength(data);
      if (bytes > maxBytes) {
        tell(oversized.whole(data, bytes, { event, id }));
        return;
      }
      tell({ data, ...(event === undefined ? undefined : { event }), ...(id === undefined ? undefined : { id }) });
    },
    onRetry: (retry) => {
      tell({ data: '', retry });
    },
    onError: ({ type }) => {
      exceeded ||= type === 'max-buffer-size-exceeded';
    },
  });
  const tellIfAny = (event: SseEvent | undefined): void => {
    if (event !== undefined) tell(event);
  };
  let short: string[] = [];
  const feed = (piece: string): void => {
    const waits = piece.length < SHORT && short.length < MAX_SHORT && oversized.length < maxBytes;
    if (waits && !piece.includes('\n')) {
      short.push(piece);
      return;
    }
    if (short.length === 0) parser.feed(piece);
    else {
      parser.feed(short.join('') + piece);
      short = [];
    }
  };
  return (piece, isEnd) => {
    if (oversized.skipping) oversized.skip(piece);
    else {
      oversized.begin(piece);
      lines += linesIn(piece, atLineStart);
      atLineStart = piece.endsWith('\n');
      if (lines > MANY_LINES && oversized.length + lines * LINE_COST > maxBytes) exceeded = true;
      else feed(piece);
      if (exceeded) {
        exceeded = false;
        short = [];
        parser.reset();
        tellIfAny(oversized.start(piece));
      }
    }
    if (!isEnd) return;
    tellIfAny(oversized.end());
    lines = 0;
    atLineStart = true;
  };
};

/** What reads one stream. A parser is made for the first event that is not a plain one: most streams bring one alone. */
class Events extends LeanSubscriber<Uint8Array> {
  readonly #to: Subscriber<SseEvent>;
  readonly #maxBytes: number;
  readonly #decode = utf8();
  readonly #normalised = lineEndings();
  #take: Take | undefined;
  #atLineStart = true;
  #isBetween = true;
  #isFresh = true;

  constructor(to: Subscriber<SseEvent>, maxBytes: number) {
    super();
    this.#to = to;
    this.#maxBytes = maxBytes;
    to.add(this);
  }

  protected override _next(bytes: Uint8Array): void {
    let text = this.#normalised(this.#decode(bytes));
    while (text !== '' && !this.#to.closed) {
      const end = endOfEvent(text, this.#atLineStart);
      const piece = end === -1 ? text : text.slice(0, end);
      this.#atLineStart = piece.endsWith('\n');
      text = text.slice(piece.length);
      const plain = this.#isBetween && end !== -1 ? plainEvent(piece, this.#maxBytes) : undefined;
      this.#isBetween = end !== -1;
      if (plain !== undefined) {
        this.#isFresh = false;
        this.#to.next(plain);
      } else {
        this.#take ??= this.#parser();
        this.#take(piece, end !== -1);
      }
    }
  }

  protected override _error(reason: unknown): void {
    this.#to.error(reason);
    this.unsubscribe();
  }

  protected override _complete(): void {
    this.#to.complete();
    this.unsubscribe();
  }

  #parser(): Take {
    const take = parsed(this.#maxBytes, (event) => {
      this.#to.next(event);
    });
    // In the first piece it is given it looks for a mark that only the beginning of a stream can have.
    if (!this.#isFresh) take('\n', true);
    return take;
  }
}

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
      source.subscribe(new Events(subscriber, maxBytes));
    });
