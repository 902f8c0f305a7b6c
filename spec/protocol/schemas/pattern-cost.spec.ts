import { describe, expect, it } from '@jest/globals';
import { patternCost } from '../../../src/protocol/schemas/pattern-cost.js';

/** What a pattern may take on one text: `src/protocol/schemas/effort.ts`. */
const MOST = 5_000_000;

describe('patternCost()', () => {
  it.each([
    ['a*a*a*b', 5_000],
    ['a*a*a*a*a*a*b', 5_000],
    ['a+a+a+a+b', 5_000],
    ['.*.*.*.*x', 5_000],
    ['\\w+\\w+\\w+\\w+\\w+!', 5_000],
    ['a{0,100}'.repeat(5) + '!', 5_000],
    ['a?'.repeat(100) + '!', 20],
    ['(?:a|a)'.repeat(60) + 'b', 60],
    ['(?:a|ab?)'.repeat(60) + 'c', 60],
    ['a{2,9}'.repeat(12) + '!', 60],
    ['(a?)(a?)'.repeat(15) + '!', 30],
    ['(a*)\\1\\1b', 5_000],
    ['(?=a*a*a*b)c', 5_000],
    ['[^a]*[^b]*[^c]*d', 5_000],
    ['\\p{L}*\\p{L}*\\p{L}*!', 5_000],
    ['é*é*é*b', 5_000],
    ['\\x61*a*\\u0061*\\u{61}*b', 5_000],
    ['(a+)+b', 30],
    ['(a|a)*b', 30],
    // Not bounded by the rule for repeated groups.
    ['x*x*$', 5_000],
  ])('is too much for %s on a text of %i', (pattern, length) => {
    expect(patternCost(pattern)(length)).toBeGreaterThan(MOST);
  });

  it.each([
    ['^[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\\.[a-zA-Z]{2,}$', 254],
    ['[a-z0-9._%+-]+@[a-z0-9.-]+\\.[a-z]{2,}', 100],
    ['^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$', 5_000],
    ['^\\d{4}-\\d{2}-\\d{2}$', 5_000],
    ['^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$', 5_000],
    ['^[a-z0-9-]+$', 5_000],
    ['^[a-z][a-z0-9_-]*$', 5_000],
    ['^#?([a-fA-F0-9]{6}|[a-fA-F0-9]{3})$', 5_000],
    ['^https?://[^\\s/$.?#].[^\\s]*$', 2_000],
    ['^(https?|ftp)://[^\\s]+$', 5_000],
    ['^v?(\\d+)\\.(\\d+)\\.(\\d+)(-[0-9A-Za-z.-]+)?(\\+[0-9A-Za-z.-]+)?$', 2_000],
    ['^\\+?[1-9]\\d{1,14}$', 5_000],
    ['^\\d{5}(-\\d{4})?$', 5_000],
    ['^([01]\\d|2[0-3]):[0-5]\\d$', 5_000],
    ['^(\\d{1,3}\\.){3}\\d{1,3}$', 15],
    ['^[A-Z]{2}\\d{2}[A-Z0-9]{1,30}$', 5_000],
    ['^\\s*\\S.*$', 2_000],
    ['^[^<>:"/\\\\|?*]+$', 5_000],
    ['^/([^/]+/)?[^/]*$', 1_000],
    ['^-?\\d+(\\.\\d+)?([eE][+-]?\\d+)?$', 5_000],
    ['^[\\w.-]+/[\\w.-]+$', 5_000],
    ['\\.(jpe?g|png|gif)$', 1_000],
    ['^(?<year>\\d{4})-(?<month>0[1-9]|1[0-2])$', 5_000],
    ['^ghp_[A-Za-z0-9]{36}$', 5_000],
  ])('is little for %s, which is in use, on a text of %i', (pattern, length) => {
    expect(() => new RegExp(pattern, 'u')).not.toThrow();
    expect(patternCost(pattern)(length)).toBeLessThan(MOST);
  });

  it('grows with the square of the text where two repetitions share their characters', () => {
    const cost = patternCost('^a*a*b');
    expect(cost(2_000) / cost(1_000)).toBeGreaterThan(3.9);
    expect(cost(2_000) / cost(1_000)).toBeLessThan(4.1);
  });

  it('grows with the text where they share none', () => {
    const cost = patternCost('^a*b*c*$');
    expect(cost(2_000) / cost(1_000)).toBeLessThan(2.1);
  });

  it('counts every place a pattern may begin at, unless it begins where the text does', () => {
    expect(patternCost('ab')(99)).toBe(100 * patternCost('^ab')(99) - 100);
    expect(patternCost('^a|b')(99)).toBeGreaterThan(100);
    expect(patternCost('^a|^b')(99)).toBeLessThan(10);
  });

  it.each(['(a', 'a)', '[a', '(?i:a)', '\\'])('cannot be told of %s', (pattern) => {
    expect(() => patternCost(pattern)).toThrow('cannot be read');
  });

  it('is no less than a third of the steps of a simple matcher, which counts each thrice', () => {
    // Counts what a backtracking matcher does for a row of `a*` and `a{m,n}` before a character that is not there.
    const steps = (counts: readonly (readonly [number, number])[], length: number): number => {
      const from = (at: number, rest: number): number => {
        const [least, most] = counts[rest] ?? [0, 0];
        if (rest === counts.length) return 1;
        let sum = 0;
        for (let taken = least; taken <= Math.min(most, length - at); taken += 1) sum += 1 + from(at + taken, rest + 1);
        return sum;
      };
      return from(0, 0);
    };
    for (const counts of [
      [[0, 9]],
      [
        [0, 30],
        [0, 30],
      ],
      [
        [1, 3],
        [2, 5],
        [0, 30],
      ],
      [
        [0, 1],
        [0, 1],
        [0, 1],
        [0, 1],
      ],
    ] as const) {
      const pattern = `^${counts.map(([least, most]) => `a{${least},${most}}`).join('')}b`;
      for (const length of [0, 1, 5, 20])
        expect(3 * patternCost(pattern)(length)).toBeGreaterThanOrEqual(steps(counts, length));
    }
  });
});
