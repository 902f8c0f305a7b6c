import { Subject, map, share } from 'rxjs';
import type { Observable } from 'rxjs';
import { TailBytes, splitLines } from '../framing/index.js';
import type { Line } from '../framing/index.js';

const TAIL_BYTES = 8_192;
const TAIL_LINES = 20;

/** A longer line is cut here: nobody reads it, and it must not grow memory. */
const LONGEST_LINE = 65_536;

const decoder = new TextDecoder();

const textOf = (line: Line): string =>
  typeof line === 'string' ? line : `${decoder.decode(line.head)}… (${line.bytes} bytes)`;

/** What a server writes to stderr: lines for whoever listens, and the last of it for the error when the server dies. */
export class StderrLog {
  readonly #chunks = new Subject<Uint8Array>();
  readonly #tail = new TailBytes(TAIL_BYTES);

  /** Its lines: hot, without replay, cut only while somebody listens. Completes at the end; never errors. */
  readonly lines$: Observable<string> = this.#chunks.pipe(
    splitLines({ maxBytes: LONGEST_LINE, keepBlank: true }),
    map(textOf),
    share(),
  );

  /** Takes the next bytes in. */
  push(chunk: Uint8Array): void {
    this.#tail.push(chunk);
    this.#chunks.next(chunk);
  }

  /** No more will come. */
  complete(): void {
    this.#chunks.complete();
  }

  /** The last lines, at most 20 of them and 8 KiB. */
  tail(): string {
    const text = decoder.decode(this.#tail.toBytes());
    const lines = text.trimEnd().split(/\r?\n/);
    // Where the window cut a line, or a character, what is left of it says little.
    if (this.#tail.total > TAIL_BYTES && lines.length > 1) lines.shift();
    return lines
      .slice(-TAIL_LINES)
      .join('\n')
      .replace(/^\uFFFD+/, '');
  }
}
