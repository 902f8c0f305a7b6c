/**
 * The last bytes of a stream in a buffer of fixed size, whatever flows through. Each byte is copied
 * at most once, and a chunk that is handed in is not kept.
 */
export class TailBytes {
  readonly #ring: Uint8Array;
  #total = 0;

  /** @param capacity how many bytes are kept, at least one */
  constructor(capacity: number) {
    this.#ring = new Uint8Array(capacity);
  }

  /** How many bytes have flowed through. */
  get total(): number {
    return this.#total;
  }

  /** Takes the next bytes in. */
  push(chunk: Uint8Array): void {
    const capacity = this.#ring.length;
    const kept = chunk.length > capacity ? chunk.subarray(chunk.length - capacity) : chunk;
    this.#total += chunk.length;
    const at = (this.#total - kept.length) % capacity;
    const fits = Math.min(kept.length, capacity - at);
    this.#ring.set(kept.subarray(0, fits), at);
    this.#ring.set(kept.subarray(fits), 0);
  }

  /** The last bytes, in order, as a copy. */
  toBytes(): Uint8Array {
    const capacity = this.#ring.length;
    if (this.#total <= capacity) return this.#ring.slice(0, this.#total);
    const oldest = this.#total % capacity;
    const bytes = new Uint8Array(capacity);
    bytes.set(this.#ring.subarray(oldest), 0);
    bytes.set(this.#ring.subarray(0, oldest), capacity - oldest);
    return bytes;
  }
}
