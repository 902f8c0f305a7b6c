import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Subject, from, lastValueFrom, take, toArray } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { splitLines } from '../../../src/transport/framing/index.js';
import type { Line, SplitLinesOptions } from '../../../src/transport/framing/index.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const marbles = (run: Parameters<TestScheduler['run']>[0]): void => {
  new TestScheduler((actual, expected) => expect(actual).toEqual(expected)).run(run);
};

/** The bytes, cut at these places. */
const cut = (whole: Uint8Array, places: readonly number[]): Uint8Array[] => {
  const sorted = [0, ...[...places].sort((a, b) => a - b), whole.length];
  return sorted.slice(1).map((end, index) => whole.subarray(sorted[index], end));
};

const linesOf = (chunks: readonly Uint8Array[], options?: SplitLinesOptions): Promise<Line[]> =>
  lastValueFrom(from(chunks).pipe(splitLines(options), toArray()));

describe('splitLines', () => {
  it('emits each line with the chunk that ends it, and the last one at the end of the source', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('a-b--c-|', { a: bytes('on'), b: bytes('e\ntwo\nthr'), c: bytes('ee') });
      expectObservable(source.pipe(splitLines())).toBe('--(xy)-(z|)', { x: 'one', y: 'two', z: 'three' });
      expectSubscriptions(source.subscriptions).toBe('^------!');
    });
  });

  it('passes an error on and drops the line that was not finished', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('a--#', { a: bytes('one\ntw') }, 'broken');
      expectObservable(source.pipe(splitLines())).toBe('x--#', { x: 'one' }, 'broken');
      expectSubscriptions(source.subscriptions).toBe('^--!');
    });
  });

  it('lets go of the source when the subscriber leaves', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('a--b--c|', { a: bytes('one\n'), b: bytes('two\n'), c: bytes('three\n') });
      expectObservable(source.pipe(splitLines()), '^---!').toBe('x--y', { x: 'one', y: 'two' });
      expectSubscriptions(source.subscriptions).toBe('^---!');
    });
  });

  it('emits no further line of a chunk once the subscriber has left inside one', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('a-----|', { a: bytes('one\ntwo\nthree\n') });
      expectObservable(source.pipe(splitLines(), take(2))).toBe('(xy|)', { x: 'one', y: 'two' });
      expectSubscriptions(source.subscriptions).toBe('(^!)');
    });
  });

  it('keeps the lines of two subscribers apart', () => {
    marbles(({ hot, expectObservable }) => {
      const source = hot('-a-b|', { a: bytes('on'), b: bytes('e\n') });
      const lines = source.pipe(splitLines());
      expectObservable(lines).toBe('---x|', { x: 'one' });
      expectObservable(lines, '--^').toBe('---y|', { y: 'e' });
    });
  });

  it('emits inside the call that delivers the bytes', () => {
    const source = new Subject<Uint8Array>();
    const seen: Line[] = [];
    source.pipe(splitLines()).subscribe((line) => seen.push(line));
    source.next(bytes('a\nb'));
    expect(seen).toEqual(['a']);
    source.next(bytes('\n'));
    expect(seen).toEqual(['a', 'b']);
  });

  it('takes a carriage return before the line feed as part of the ending, and no other', async () => {
    expect(await linesOf([bytes('a\r\nb\rc\n\r\nd\r'), bytes('\ne\r')])).toEqual(['a', 'b\rc', 'd', 'e']);
  });

  it('skips blank lines without a word, or keeps them where that is asked for', async () => {
    const chunks = [bytes('\n\n a \n \t\r\nb\n\n')];
    expect(await linesOf(chunks)).toEqual([' a ', 'b']);
    expect(await linesOf(chunks, { keepBlank: true })).toEqual(['', '', ' a ', ' \t', 'b', '']);
  });

  it('drops a byte order mark at the start of the stream, wherever it is cut, and nowhere else', async () => {
    const whole = bytes('\uFEFF{"a":1}\n\uFEFF{"b":2}\n');
    for (let place = 0; place <= whole.length; place += 1) {
      expect(await linesOf(cut(whole, [place]))).toEqual(['{"a":1}', '\uFEFF{"b":2}']);
    }
    expect(await linesOf([bytes('\uFEFF\n\uFEFFa')])).toEqual(['\uFEFFa']);
  });

  it('emits nothing for a stream without bytes', async () => {
    expect(await linesOf([])).toEqual([]);
    expect(await linesOf([bytes(''), bytes('')])).toEqual([]);
  });

  it('gives the same lines for every single cut and every pair of cuts', async () => {
    const text = '\uFEFF{"é":"日本"}\r\n\r\n𝄞 ok\n\u2028x\r\nlast ü';
    const whole = bytes(text);
    const expected = ['{"é":"日本"}', '𝄞 ok', '\u2028x', 'last ü'];
    for (let one = 0; one <= whole.length; one += 1) {
      for (let two = one; two <= whole.length; two += 1) {
        expect(await linesOf(cut(whole, [one, two]))).toEqual(expected);
      }
    }
    expect(await linesOf(cut(whole, [...whole.keys()]))).toEqual(expected);
  });

  it('gives the lines that were written, whatever the text, the endings and the chunks', async () => {
    const line = fc.string({ unit: fc.constantFrom('a', '"', '\\', 'é', '日', '𝄞', ' ', '\t', '\u2028') });
    const ended = fc.tuple(line, fc.constantFrom('\n', '\r\n'));
    await fc.assert(
      fc.asyncProperty(fc.array(ended), fc.array(fc.nat(400), { maxLength: 40 }), async (lines, places) => {
        const whole = bytes(lines.map((each) => each.join('')).join(''));
        const inside = places.filter((place) => place <= whole.length);
        expect(await linesOf(cut(whole, inside), { keepBlank: true })).toEqual(lines.map(([text]) => text));
      }),
      { numRuns: 300 },
    );
  });

  it('gives the same lines, oversized ones too, whatever the bytes and the chunks', async () => {
    const byte = fc.constantFrom(0x61, 0x0a, 0x0d, 0x0a, 0xc3, 0xa9, 0x80, 0xff, 0xef, 0xbb, 0xbf);
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 60 }),
        fc.array(byte),
        fc.array(fc.nat(200)),
        async (some, more, places) => {
          const whole = new Uint8Array([...more, ...some, ...more]);
          const inside = places.filter((place) => place <= whole.length);
          const options = { maxBytes: 5, keepBlank: true };
          expect(await linesOf(cut(whole, inside), options)).toEqual(await linesOf([whole], options));
        },
      ),
      { numRuns: 500 },
    );
  });

  describe('with a limit', () => {
    it('emits a line of exactly the limit whole, with any ending', async () => {
      const chunks = [bytes('12345\n12345\r'), bytes('\n12345')];
      expect(await linesOf(chunks, { maxBytes: 5 })).toEqual(['12345', '12345', '12345']);
    });

    it('gives the size and both ends of a longer line, and goes on with the next one', async () => {
      const lines = await linesOf([bytes('a\n123456\r\nb')], { maxBytes: 5 });
      expect(lines).toEqual(['a', { bytes: 6, limit: 5, head: bytes('123456'), tail: bytes('123456') }, 'b']);
    });

    it('measures bytes and not characters', async () => {
      const lines = await linesOf([bytes('ééé\n')], { maxBytes: 5 });
      expect(lines).toEqual([expect.objectContaining({ bytes: 6, limit: 5 })]);
    });

    it('keeps 64 KiB of either end and counts the rest', async () => {
      const part = new Uint8Array(100_000).map((_, index) => 97 + (index % 26));
      const chunks = [part, part, part, bytes('\nnext\n')];
      const [first, ...others] = await linesOf(chunks, { maxBytes: 150_000 });
      expect(others).toEqual(['next']);
      expect(first).toEqual({
        bytes: 300_000,
        limit: 150_000,
        head: part.slice(0, 65_536),
        tail: part.slice(100_000 - 65_536),
      });
    });

    it('emits an oversized last line that has no ending', async () => {
      const lines = await linesOf(cut(bytes('123456'), [1, 2, 3, 4, 5]), { maxBytes: 3 });
      expect(lines).toEqual([{ bytes: 6, limit: 3, head: bytes('123456'), tail: bytes('123456') }]);
    });

    it('has 64 MiB as its default', async () => {
      const chunk = new Uint8Array(1_048_576).fill(97);
      const over = [...Array.from({ length: 64 }, () => chunk), bytes('a'), bytes('\nok\n')];
      expect(await linesOf(over)).toEqual([expect.objectContaining({ bytes: 67_108_865, limit: 67_108_864 }), 'ok']);
    });

    it('is never more than the longest string', async () => {
      const chunk = new Uint8Array(1_048_576).fill(97);
      const lines = await linesOf([...Array.from({ length: 513 }, () => chunk), bytes('\n')], { maxBytes: Infinity });
      expect(lines).toEqual([expect.objectContaining({ bytes: 537_919_488, limit: 0x1fff_ffe8 })]);
    });
  });
});
