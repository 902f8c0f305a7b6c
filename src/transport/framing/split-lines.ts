import { concat, defer, map, of } from 'rxjs';
import type { OperatorFunction } from 'rxjs';
import { each } from '../../rx/index.js';
import { LineSplitter } from './line-splitter.js';
import type { Line } from './line-splitter.js';

/** The default of `maxBytes` and of `maxMessageBytes`: 64 MiB. */
export const DEFAULT_MAX_LINE_BYTES = 67_108_864;

/** No more fits into one string of V8; a larger limit counts as this one. */
const LONGEST_STRING = 0x1fff_ffe8;

/** Options of {@link splitLines}. */
export interface SplitLinesOptions {
  /** The longest line that is emitted whole, in bytes; default 64 MiB, at most 512 MiB. */
  readonly maxBytes?: number | undefined;
  /** True where lines of nothing but white space are lines too. Default false: they are skipped. */
  readonly keepBlank?: boolean | undefined;
}

/**
 * Bytes as lines of UTF-8 text, whatever the chunks: a character or a line ending may be cut anywhere.
 *
 * Emits each line without its ending (`\n` or `\r\n`), in order, synchronously with the chunk that ends it; the last
 * line needs no ending. A byte order mark at the start of the stream is dropped, blank lines are skipped. A line over
 * `maxBytes` is one `OversizedLine`, and only its two ends are kept. Linear in the size of a line, however many
 * chunks it comes in. Completes and errors with the source; on an error an unfinished line is dropped.
 * Unsubscribing unsubscribes from the source. A chunk must not be changed before its last line has been emitted.
 *
 * MCP 2026-07-28 basic/transports, "stdio".
 *
 * @example
 * bytes$.pipe(splitLines(), toInbound()).subscribe({ next: message => …, error: reason => … });
 */
export const splitLines = (options: SplitLinesOptions = {}): OperatorFunction<Uint8Array, Line> => {
  const limit = Math.min(options.maxBytes ?? DEFAULT_MAX_LINE_BYTES, LONGEST_STRING);
  return (source) =>
    defer(() => {
      const splitter = new LineSplitter(limit, options.keepBlank ?? false);
      return concat(
        source.pipe(map((chunk) => splitter.push(chunk))),
        defer(() => of(splitter.end())),
      ).pipe(each((lines) => lines));
    });
};
