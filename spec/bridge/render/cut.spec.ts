import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { counterOf, estimate } from '../../../src/bridge/render/count.js';
import { cutToCharacters, cutToTokens } from '../../../src/bridge/render/cut.js';

const MARKER =
  /\[\.\.\. (\d+) characters \(about (\d+) tokens\) are left out here(?:; the whole text is in (.*?))? \.\.\.\]/;

/** What a cut text kept, and what it says is missing. */
const partsOf = (text: string) => {
  const found = MARKER.exec(text);
  if (found === null) throw new Error(`no marker in ${text.slice(0, 200)}`);
  const [marker, characters, tokens, where] = found;
  const head = text.slice(0, found.index);
  const tail = text.slice(found.index + marker.length);
  return { head, tail, characters: Number(characters), tokens: Number(tokens), where };
};

const digits = (length: number): string => Array.from({ length }, (_, index) => String(index % 10)).join('');

describe('a text that is cut to tokens', () => {
  it('keeps its head and its tail in equal parts, and says what is missing between', () => {
    const text = digits(10_000);
    const { head, tail, characters, tokens } = partsOf(cutToTokens(text, 500, estimate));
    const [start, end] = [head.trimEnd(), tail.trimStart()];
    expect(text.startsWith(start)).toBe(true);
    expect(text.endsWith(end)).toBe(true);
    expect(Math.abs(start.length - end.length)).toBeLessThanOrEqual(1);
    expect(characters).toBe(10_000 - start.length - end.length);
    expect(Math.abs(tokens - characters / 4)).toBeLessThanOrEqual(2);
  });

  it('fits, and comes near to what it may have', () => {
    fc.assert(
      fc.property(fc.integer({ min: 60, max: 2_000 }), fc.integer({ min: 1, max: 9_000 }), (limit, more) => {
        const cut = cutToTokens(digits(limit * 4 + more), limit, estimate);
        expect(estimate(cut)).toBeLessThanOrEqual(limit);
        expect(estimate(cut)).toBeGreaterThan(limit * 0.93 - 5);
      }),
    );
  });

  it('fits by any tokenizer that counts more for more, asked few times', () => {
    const text = 'word '.repeat(400_000);
    let asked = 0;
    const count = counterOf((part) => {
      asked += 1;
      return part.split(/\s+/).length * 1.5;
    });
    const cut = cutToTokens(text, 3_000, count);
    expect(count(cut, Infinity)).toBeLessThanOrEqual(3_000);
    expect(count(cut, Infinity)).toBeGreaterThan(2_700);
    expect(asked).toBeLessThan(25);
  });

  it.each([
    ['the same for every text', () => 1_000_000],
    ['less for more', (text: string) => 1e9 / (1 + text.length)],
    ['anything', (text: string) => (text.length * 7_919) % 1_009],
    ['nothing that is a number', () => Number.NaN],
  ])('ends, and keeps its marker, where the tokenizer counts %s', (_what, countTokens) => {
    expect(partsOf(cutToTokens(digits(20_000), 200, counterOf(countTokens))).characters).toBeGreaterThan(0);
  });

  it('never parts the two halves of a character', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.string({ maxLength: 3 }), (limit, start) => {
        const cut = cutToTokens(start + '😀'.repeat(1_000), limit, estimate);
        expect(/(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])/.test(cut)).toBe(false);
      }),
    );
  });

  it('keeps whole lines where the end of one is near', () => {
    const line = 'the quick brown fox';
    const lines = Array.from({ length: 500 }, (_, index) => `${index} ${line}`);
    const kept = cutToTokens(lines.join('\n'), 400, estimate).split('\n');
    expect(kept.filter((one) => !MARKER.test(one)).every((one) => lines.includes(one))).toBe(true);
    expect(kept.filter((one) => MARKER.test(one))).toHaveLength(1);
  });

  it('cuts a line where its end is far', () => {
    const text = `first\n${'x'.repeat(10_000)}\nlast`;
    const { head, tail } = partsOf(cutToTokens(text, 500, estimate));
    expect(head.length).toBeGreaterThan(800);
    expect(tail.length).toBeGreaterThan(800);
  });

  it('says where the whole is, and still fits', () => {
    const cut = cutToTokens(digits(10_000), 300, estimate, 'file:///tmp/whole.txt');
    expect(partsOf(cut).where).toBe('file:///tmp/whole.txt');
    expect(estimate(cut)).toBeLessThanOrEqual(300);
  });

  it('is nothing but the marker where there is room for nothing else', () => {
    expect(partsOf(cutToTokens(digits(10_000), 1, estimate))).toMatchObject({
      ...{ head: '', tail: '', characters: 10_000, tokens: 2_500 },
    });
  });

  it('is left as it is where the marker would be longer', () => {
    expect(cutToTokens('a few words only', 1, estimate)).toBe('a few words only');
    // The marker has sixty characters itself.
    expect(cutToTokens('x'.repeat(60), 1, estimate)).toBe('x'.repeat(60));
    expect(cutToTokens('x'.repeat(61), 1, estimate)).toMatch(/^\[\.\.\. 61 characters /);
  });
});

describe('a text that is cut to characters', () => {
  it('keeps so many, half of them at each end', () => {
    const { head, tail, characters } = partsOf(cutToCharacters(digits(12_000), 10_000));
    expect([head.trimEnd().length, tail.trimStart().length, characters]).toEqual([5_000, 5_000, 2_000]);
  });

  it('is left as it is where it has no more', () => {
    expect(cutToCharacters('abc', 3)).toBe('abc');
  });

  it('counts what is missing by the tokens of what is kept at its beginning', () => {
    expect(cutToCharacters('x'.repeat(25), 10)).toContain('[... 15 characters (about 6 tokens) are left out here ...]');
  });

  /** How much is kept at each end of a text of which 20 characters may be, by what stands where it would be cut. */
  const keptOf = (start: string, end: string): readonly number[] => {
    const filled = `${start}${'x'.repeat(40 - start.length)}${'x'.repeat(40 - end.length)}${end}`;
    const { head, tail, characters } = partsOf(cutToCharacters(filled, 20));
    return [head.replace(/\n$/, '').length, tail.slice(1).length, characters];
  };

  it.each<readonly [string, string, boolean]>([
    ['\ud800', '\udc00', true],
    ['\udbff', '\udfff', true],
    ['\ud7ff', '\udc00', false],
    ['\udc00', '\udc00', false],
    ['\ud800', '\udbff', false],
    ['\ud800', '\ue000', false],
    ['x', '\udc00', false],
    ['\ud800', 'x', false],
  ])('parts what is no pair, and keeps neither half of a pair: %j %j', (one, other, isPair) => {
    const start = 'a'.repeat(9) + one + other;
    expect(keptOf(start, '')).toEqual(isPair ? [9, 10, 61] : [10, 10, 60]);
    const end = one + other + 'a'.repeat(9);
    expect(keptOf('', end)).toEqual(isPair ? [10, 9, 61] : [10, 10, 60]);
  });

  it('ends with a line that ends within the last fifth of what could be kept', () => {
    // Kept with its break, which stands before the marker in any case.
    expect(keptOf(`${'a'.repeat(7)}\n`, '')).toEqual([7, 10, 62]);
    expect(keptOf(`${'a'.repeat(6)}\n`, '')).toEqual([10, 10, 60]);
    expect(keptOf(`${'a'.repeat(9)}\n`, '')).toEqual([9, 10, 60]);
    expect(keptOf(`${'a'.repeat(10)}\n`, '')).toEqual([10, 10, 60]);
  });

  it('goes on with a line that begins within the first fifth of what could be kept', () => {
    expect(keptOf('', `\n${'a'.repeat(8)}`)).toEqual([10, 8, 62]);
    expect(keptOf('', `\n${'a'.repeat(7)}`)).toEqual([10, 10, 60]);
    expect(keptOf('', `\n${'a'.repeat(9)}`)).toEqual([10, 9, 61]);
    expect(keptOf('', `\n${'a'.repeat(10)}`)).toEqual([10, 10, 60]);
    expect(keptOf('', `\na\n${'a'.repeat(8)}`)).toEqual([10, 10, 60]);
  });
});
