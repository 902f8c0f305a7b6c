import { findResponseId } from '../framing/index.js';
import type { SseEvent } from './sse.js';

/** How much of each end of an event is kept, in characters: enough to find what it answers. */
const EDGE = 4_096;

const encoder = new TextEncoder();

type Fields = Pick<SseEvent, 'event' | 'id'>;

const FIELDS = { event: /^event: ?(.*)\n/m, id: /^id: ?(.*)\n/m };

/** The value of a field in the beginning of an event. */
const fieldIn = (head: string, name: keyof Fields): string | undefined => FIELDS[name].exec(head)?.[1];

/** The beginning of the data in the beginning of an event. */
const dataIn = (head: string): string => {
  const field = /^data: ?/m.exec(head);
  return field === null ? '' : head.slice(field.index + field[0].length);
};

/** Watches over the size of the events of one stream: of one that is too large it keeps the two ends alone. */
export class OversizedEvent {
  readonly #limit: number;
  #head = '';
  #tail = '';
  #length = 0;
  #skipping = false;
  #told = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** How much of the event under way has come, in characters. */
  get length(): number {
    return this.#length;
  }

  /** True while what comes belongs to an event that is too large. */
  get skipping(): boolean {
    return this.#skipping;
  }

  /** A piece of an event that is not too large yet. */
  begin(piece: string): void {
    this.#length += piece.length;
    if (this.#head.length < EDGE) this.#head = (this.#head + piece).slice(0, EDGE);
  }

  /** That piece was too much. Gives the event that says so, where what it answers is known by now. */
  start(piece: string): SseEvent | undefined {
    this.#skipping = true;
    this.#tail = piece.slice(-EDGE);
    this.#told = findResponseId(encoder.encode(dataIn(this.#head)), new Uint8Array()) !== undefined;
    return this.#told ? this.#event('') : undefined;
  }

  /** A further piece of it. */
  skip(piece: string): void {
    this.#length += piece.length;
    this.#tail = (this.#tail + piece.slice(-EDGE)).slice(-EDGE);
  }

  /** The event is over. Gives the one that says that it was too large, if it was and that was not said. */
  end(): SseEvent | undefined {
    const event = this.#skipping && !this.#told ? this.#event(this.#tail) : undefined;
    this.#head = '';
    this.#tail = '';
    this.#length = 0;
    this.#skipping = false;
    this.#told = false;
    return event;
  }

  /** What to say of an event that is whole, and too large. */
  whole(data: string, bytes: number, { event, id }: Fields): SseEvent {
    return this.#saying(data.slice(0, EDGE), data.slice(-EDGE), bytes, { event, id });
  }

  #event(tail: string): SseEvent {
    const head = this.#head;
    return this.#saying(dataIn(head), tail, this.#length, { event: fieldIn(head, 'event'), id: fieldIn(head, 'id') });
  }

  #saying(head: string, tail: string, bytes: number, { event, id }: Fields): SseEvent {
    return {
      data: '',
      ...(event === undefined ? undefined : { event }),
      ...(id === undefined ? undefined : { id }),
      oversized: { bytes, limit: this.#limit, head: encoder.encode(head), tail: encoder.encode(tail) },
    };
  }
}
