import { join } from './join.js';

/** Beyond this many pieces they are joined, so that what comes byte by byte costs bytes and not objects. */
const MAX_PIECES = 1_024;

/** What comes in pieces. They are kept as they are and joined once, at the end; each byte is copied at most twice. */
export class Pieces {
  #blocks: Uint8Array[] = [];
  #loose: Uint8Array[] = [];
  #looseLength = 0;
  #length = 0;

  /** How many bytes they have together. */
  get length(): number {
    return this.#length;
  }

  /** The next piece. It must not be changed by its owner before all is taken. */
  push(piece: Uint8Array): void {
    this.#loose.push(piece);
    this.#looseLength += piece.length;
    this.#length += piece.length;
    if (this.#loose.length === MAX_PIECES) this.#compact();
  }

  /** All of them, in order and without their boundaries. */
  all(): readonly Uint8Array[] {
    return this.#blocks.length === 0 ? this.#loose : [...this.#blocks, ...this.#loose];
  }

  /** All of it as one, and nothing is kept. A single piece is not copied. */
  take(): Uint8Array {
    const [only] = this.#loose;
    const whole =
      this.#blocks.length === 0 && this.#loose.length === 1 && only !== undefined
        ? only
        : join(this.all(), this.#length);
    this.clear();
    return whole;
  }

  /** Lets go of them. */
  clear(): void {
    this.#blocks = [];
    this.#loose = [];
    this.#looseLength = 0;
    this.#length = 0;
  }

  #compact(): void {
    this.#blocks.push(join(this.#loose, this.#looseLength));
    this.#loose = [];
    this.#looseLength = 0;
  }
}
