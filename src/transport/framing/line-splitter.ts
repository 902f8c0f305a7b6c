import { LineBuffer, WINDOW_BYTES } from './line-buffer.js';

const LF = 10;
const CR = 13;
const BRACE = 0x7b;
const BOM = '\uFEFF';

/** A line over the limit: its size and what stands at its two ends. The rest was skipped. */
export interface OversizedLine {
  /** Its size in bytes, without its line ending. */
  readonly bytes: number;
  /** The limit it passed, in bytes. */
  readonly limit: number;
  /** Its first bytes, at most 64 KiB. */
  readonly head: Uint8Array;
  /** Its last bytes, at most 64 KiB. */
  readonly tail: Uint8Array;
}

/** A line of a stream of bytes. */
export type Line = string | OversizedLine;

// One decoder for all: without `stream` it holds no state between calls. A BOM is only one at the start of a stream.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The state of one stream that is cut into lines. Line feeds are looked for by the engine's own `indexOf`. */
export class LineSplitter {
  readonly #limit: number;
  readonly #keepBlank: boolean;
  readonly #buffer: LineBuffer;
  #isFirst = true;

  /**
   * @param limit the longest line that is given whole, in bytes
   * @param keepBlank whether lines of nothing but white space are lines too
   */
  constructor(limit: number, keepBlank: boolean) {
    this.#limit = limit;
    this.#keepBlank = keepBlank;
    // Up to the windows it is kept whole, however low the limit. One byte of slack: the last may be a `\r`.
    this.#buffer = new LineBuffer(Math.max(limit, WINDOW_BYTES) + 1);
  }

  /** The lines that end inside this chunk, in order. */
  push(chunk: Uint8Array): readonly Line[] {
    const lines: Line[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
      if (this.#buffer.isEmpty && !this.#keepBlank) {
        // No line within can be too long where all of them together are not: one decoding will do for them.
        const last = chunk.lastIndexOf(LF);
        if (last - start <= this.#limit) {
          this.#addText(decoder.decode(chunk.subarray(start, last)), lines);
          start = last + 1;
          break;
        }
      }
      const piece = chunk.subarray(start, end);
      if (this.#buffer.isEmpty) {
        this.#addWhole(piece, lines);
      } else {
        this.#buffer.push(piece);
        this.#addGathered(lines);
      }
      start = end + 1;
    }
    if (start < chunk.length) this.#buffer.push(chunk.subarray(start));
    return lines;
  }

  /** The stream has ended: what is left of it is its last line. */
  end(): readonly Line[] {
    const lines: Line[] = [];
    if (!this.#buffer.isEmpty) this.#addGathered(lines);
    return lines;
  }

  /** Whole lines, as they are between line feeds. They are slices of one text: for readers who do not keep them. */
  #addText(text: string, lines: Line[]): void {
    const rest = this.#isFirst && text.startsWith(BOM) ? text.slice(BOM.length) : text;
    this.#isFirst = false;
    for (const line of rest.split('\n')) {
      const whole = line.endsWith('\r') ? line.slice(0, -1) : line;
      // Nearly every line begins with what is no space.
      if (whole.charCodeAt(0) === BRACE || whole.trim() !== '') lines.push(whole);
    }
  }

  #addGathered(lines: Line[]): void {
    const gathered = this.#buffer.take();
    if ('bytes' in gathered) this.#addWhole(gathered.bytes, lines);
    else this.#addOversized(gathered.total, gathered.head, gathered.tail, lines);
  }

  #addWhole(bytes: Uint8Array, lines: Line[]): void {
    const length = bytes.at(-1) === CR ? bytes.length - 1 : bytes.length;
    if (length > this.#limit) {
      this.#addOversized(bytes.length, bytes, bytes, lines);
      return;
    }
    const decoded = decoder.decode(bytes.subarray(0, length));
    const text = this.#isFirst && decoded.startsWith(BOM) ? decoded.slice(BOM.length) : decoded;
    this.#isFirst = false;
    if (this.#keepBlank || text.trim() !== '') lines.push(text);
  }

  #addOversized(total: number, head: Uint8Array, tail: Uint8Array, lines: Line[]): void {
    this.#isFirst = false;
    const bytes = tail.at(-1) === CR ? total - 1 : total;
    const ending = total - bytes;
    lines.push({
      bytes,
      limit: this.#limit,
      // Copies: a view would keep alive the whole of what was to be let go.
      head: new Uint8Array(head.subarray(0, Math.min(bytes, WINDOW_BYTES))),
      tail: new Uint8Array(tail.subarray(Math.max(0, tail.length - ending - WINDOW_BYTES), tail.length - ending)),
    });
  }
}
