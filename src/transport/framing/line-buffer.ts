import { join } from './join.js';
import { Pieces } from './pieces.js';
import { TailBytes } from './tail-bytes.js';

/** How much of the beginning and of the end of an oversized line is kept, in bytes; and one more of the end, a `\r`. */
export const WINDOW_BYTES = 65_536;

/** One line: whole, or its two ends once it was too long. */
export type Gathered =
  { readonly bytes: Uint8Array } | { readonly total: number; readonly head: Uint8Array; readonly tail: Uint8Array };

const headOf = (pieces: readonly Uint8Array[]): Uint8Array => {
  const head: Uint8Array[] = [];
  let length = 0;
  for (const piece of pieces) {
    const part = piece.subarray(0, WINDOW_BYTES - length);
    head.push(part);
    length += part.length;
    if (length === WINDOW_BYTES) break;
  }
  return join(head, length);
};

/**
 * Gathers a line that arrives in pieces. Past the limit the pieces are let go and only a window at either end is kept.
 */
export class LineBuffer {
  readonly #limit: number;
  readonly #kept = new Pieces();
  #length = 0;
  #skipping: { readonly head: Uint8Array; readonly tail: TailBytes } | undefined;

  /** @param limit how many bytes of one line are kept; no less than a window */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** True where no byte of the line has come yet. */
  get isEmpty(): boolean {
    return this.#length === 0;
  }

  /** The next piece of the line. It must not be changed by its owner before the line is taken. */
  push(piece: Uint8Array): void {
    this.#length += piece.length;
    if (this.#skipping !== undefined) {
      this.#skipping.tail.push(piece);
      return;
    }
    this.#kept.push(piece);
    if (this.#length > this.#limit) this.#skip();
  }

  /** The line as far as it has come; the buffer is empty afterwards. */
  take(): Gathered {
    const gathered =
      this.#skipping === undefined
        ? { bytes: this.#kept.take() }
        : { total: this.#length, head: this.#skipping.head, tail: this.#skipping.tail.toBytes() };
    this.#skipping = undefined;
    this.#length = 0;
    return gathered;
  }

  #skip(): void {
    const all = this.#kept.all();
    const tail = new TailBytes(WINDOW_BYTES + 1);
    for (const piece of all) tail.push(piece);
    this.#skipping = { head: headOf(all), tail };
    this.#kept.clear();
  }
}
