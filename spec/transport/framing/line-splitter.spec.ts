import { describe, expect, it } from '@jest/globals';
import { type Line, LineSplitter, type OversizedLine } from '../../../src/transport/framing/line-splitter.js';

const WINDOW = 65_536;

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** So many bytes, no two windows of which are alike. */
const long = (length: number): Uint8Array => new Uint8Array(length).map((_, index) => 97 + (index % 23));

const joined = (...pieces: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(pieces));

const textOf = (some: Uint8Array): string => Buffer.from(some).toString();

/** The lines of one stream that comes in these chunks. */
const split = (limit: number, keepBlank: boolean, ...chunks: readonly Uint8Array[]): readonly Line[] => {
  const splitter = new LineSplitter(limit, keepBlank);
  return [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.end()];
};

/** The same, with the ends of those that are too long as text. */
const linesOf = (...given: Parameters<typeof split>): readonly unknown[] =>
  split(...given).map((line) =>
    typeof line === 'string' ? line : { ...line, head: textOf(line.head), tail: textOf(line.tail) },
  );

describe('a line over the limit', () => {
  it.each([
    ['\n', 'one chunk'],
    ['\r\n', 'one chunk'],
    ['\n', 'pieces'],
    ['\r\n', 'pieces'],
  ])('has the size and the ends of what stands before its ending %j, in %s', (ending, how) => {
    for (const length of [6, WINDOW - 1, WINDOW, WINDOW + 1, WINDOW + 100]) {
      const line = long(length);
      const whole = joined(line, bytes(ending));
      const chunks = how === 'pieces' ? [whole.subarray(0, 3), whole.subarray(3, -1), whole.subarray(-1)] : [whole];
      expect(linesOf(5, false, ...chunks)).toEqual([
        { bytes: length, limit: 5, head: textOf(line.slice(0, WINDOW)), tail: textOf(line.slice(-WINDOW)) },
      ]);
    }
  });

  it('that has no ending keeps a carriage return for one', () => {
    const line = long(WINDOW + 7);
    expect(linesOf(5, false, joined(line, bytes('\r')))).toEqual([
      { bytes: WINDOW + 7, limit: 5, head: textOf(line.slice(0, WINDOW)), tail: textOf(line.slice(-WINDOW)) },
    ]);
  });

  it('keeps nothing of its chunk alive but the ends', () => {
    const [line] = split(5, false, joined(long(200_000), bytes('\n'))) as readonly OversizedLine[];
    expect([line?.head.buffer.byteLength, line?.tail.buffer.byteLength]).toEqual([WINDOW, WINDOW]);
  });

  it('is the first line of its stream, too: what looks like a byte order mark behind it is text', () => {
    expect(linesOf(5, false, bytes('123456\n\uFEFFa\n')).slice(1)).toEqual(['\uFEFFa']);
    expect(linesOf(5, true, bytes('123456\n'), bytes('\uFEFFa\n')).slice(1)).toEqual(['\uFEFFa']);
  });
});

describe('a line of the limit', () => {
  it.each([5, WINDOW, WINDOW + 1, 100_000])('is whole, in pieces and with any ending: %d bytes', (limit) => {
    const line = long(limit);
    const text = textOf(line);
    for (const ending of ['\n', '\r\n', '\r', '']) {
      expect(linesOf(limit, false, line.subarray(0, 2), joined(line.subarray(2), bytes(ending)))).toEqual([text]);
      expect(linesOf(limit, false, joined(line, bytes(ending)))).toEqual([text]);
    }
    const over = linesOf(limit, false, line, bytes('x\n'));
    expect(over).toEqual([expect.objectContaining({ bytes: limit + 1, limit })]);
  });

  it('stands among others in a chunk that is longer than the limit, and blank ones are passed over there, too', () => {
    expect(linesOf(5, false, bytes('12345\n \t \r\n\n12345\r\n1\n'))).toEqual(['12345', '12345', '1']);
    expect(linesOf(5, false, bytes('12'), bytes('345\n  \n'), bytes(' '), bytes('\n6'))).toEqual(['12345', '6']);
  });

  it('is not what several lines are together that are no longer than that', () => {
    expect(linesOf(5, false, bytes('12\n34\n12345'), bytes('\n'))).toEqual(['12', '34', '12345']);
    expect(linesOf(5, false, bytes('x\n12\n34\n'), bytes('123456\n'))).toEqual([
      'x',
      '12',
      '34',
      expect.objectContaining({ bytes: 6 }),
    ]);
  });
});

describe('a blank line', () => {
  it('is kept where that is asked for, and there is none behind the last line feed', () => {
    expect(linesOf(5, true, bytes('\r\n'), bytes(' \n'), bytes('a'), bytes('\n'))).toEqual(['', ' ', 'a']);
    expect(linesOf(5, true)).toEqual([]);
    expect(linesOf(5, true, bytes(''))).toEqual([]);
  });

  it('is the first line of its stream all the same', () => {
    for (const keepBlank of [true, false]) {
      const lines = linesOf(100, keepBlank, bytes('\n'), bytes('\uFEFFa\n'), bytes('\uFEFFb'));
      expect(lines.slice(keepBlank ? 1 : 0)).toEqual(['\uFEFFa', '\uFEFFb']);
    }
  });

  it('is what a byte order mark is alone', () => {
    expect(linesOf(100, false, bytes('\uFEFF\n'), bytes('\uFEFF\n'), bytes('a\n'))).toEqual(['a']);
    expect(linesOf(100, true, bytes('\uFEFF\n'), bytes('\uFEFF\n'))).toEqual(['', '\uFEFF']);
  });
});
