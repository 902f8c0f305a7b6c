import { describe, expect, it } from '@jest/globals';
import { isPortablePattern } from '../../../src/bridge/formats/portable-pattern.js';

describe('a pattern', () => {
  it.each([
    ...[
      '\\p{L}',
      '\\P{L}',
      '\\k<a>',
      '\\cA',
      '\\u{61}',
      '(?<a>b)',
      '(?<=a)',
      '(?<!a)',
      '(?i:a)',
      '(?im-s:a)',
      '[]',
      '[^]',
    ],
    ...['\\1', '\\1(a)', '(a\\1)', '(a)\\2', '(?:a)\\1', '(a)(?:b)\\2', '[(](a)\\2', '[\\]](a)\\2', '(a)\\10'],
    ...['[](](a)\\1', '[(]\\1(a)'],
  ])('is not taken where Python reads it otherwise: %s', (pattern) => {
    expect(isPortablePattern(pattern)).toBe(false);
  });

  it.each([
    ...['', 'a', '^a$', '\\d+', '\\u0061', '(?:a)', '(?=a)', '(?!a)', '[a-z]', '[^a]', '\\\\p', '\\\\\\\\k'],
    ...[
      '(a)\\1',
      '((a))\\2',
      '(?:(a))\\1',
      '(a)(b)\\2\\1',
      '[(](a)\\1',
      '[^(\\]](a)\\1',
      '\\((a)\\1',
      '(\\))\\1',
      '\\0',
    ],
    ...['(a)[', '(a)[\\', '(a)\\1[(', '[ab)](a)\\1', '(a)[\\]]\\1', '[()\\]](a)\\1'],
  ])('is taken where Python reads the same: %s', (pattern) => {
    expect(isPortablePattern(pattern)).toBe(true);
  });
});
