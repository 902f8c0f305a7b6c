// Every regular expression of `src/`, run step by step on long texts that are made of it: none takes time that grows faster than a text.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { readSources } from './support/architecture/source-files.js';
import { culpritOf } from './support/patterns/growth.js';
import { type FoundPattern, patternsOf } from './support/patterns/patterns.js';

/** What is made of texts of others, and why that does no harm. */
const MADE: Readonly<Record<string, string>> = {
  "new RegExp(pattern, 'u')": 'compiled, to see whether it can be, and never run',
};

describe('a pattern that takes too long', () => {
  it.each([
    ['^(a+)+$', ''],
    ['(a|aa)*b', ''],
    ['(?:a*)*b', ''],
    ['^(?:\\w+\\s?)*$', ''],
    ['\\s+$', ''],
    ['\\d+\\.\\d+$', ''],
    ['x.*y', 'i'],
    ['"(?:[^"\\\\]|\\\\.)*"', 'g'],
  ])('is found: /%s/%s', (source, flags) => {
    expect(culpritOf(source, flags)).toEqual(expect.any(String));
  });

  it.each([
    ['^\\s+', ''],
    ['(?<!\\d)\\d+$', ''],
    ['[^"]*"', 'y'],
    ['(?:a|b)+', 'g'],
    ['^[a-z]{1,64}$', ''],
    ['\\p{L}+', 'gu'],
    ['\\bkey(?=:)', 'i'],
  ])('is not taken for one where it does not: /%s/%s', (source, flags) => {
    expect(culpritOf(source, flags)).toBeUndefined();
  });
});

describe('the regular expressions of the source', () => {
  let patterns: readonly FoundPattern[];

  beforeAll(() => {
    patterns = readSources().flatMap(patternsOf);
  });

  it('are known, all but those that are made of texts of others', () => {
    expect(patterns.length).toBeGreaterThan(150);
    const made = patterns.filter(({ source }) => source === undefined).map(({ text }) => text);
    expect(made).toEqual(Object.keys(MADE));
  });

  it('take steps that grow with a text and no faster', () => {
    // Some stand in several files.
    const known = new Map<string, string | undefined>();
    const found = (source: string, flags: string): string | undefined => {
      const key = `${source}/${flags}`;
      if (!known.has(key)) known.set(key, culpritOf(source, flags));
      return known.get(key);
    };
    const culprits = patterns.flatMap(({ file, text, source, flags }) => {
      const culprit = source === undefined ? undefined : found(source, flags);
      return culprit === undefined ? [] : [`${file}: ${text} on ${JSON.stringify(culprit)}`];
    });
    expect(culprits).toEqual([]);
  }, 120_000);
});
