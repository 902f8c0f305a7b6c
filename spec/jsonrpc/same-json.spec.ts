import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonical } from '../../src/client/canonical.js';
import { budgetOf, sameJson } from '../../src/jsonrpc/same-json.js';

const parsed = (text: string): unknown => JSON.parse(text);

/** The same with the members of every object the other way round. */
const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reversed(member)]),
  );
};

const deep = (levels: number, end: string): unknown => parsed('{"a":['.repeat(levels) + end + ']}'.repeat(levels));

/** A member that must not be looked at. */
const TABOO = {
  get taboo(): never {
    throw new Error('it was looked at');
  },
};

describe('the comparison of two values', () => {
  it('says what their texts would say', () => {
    // Few values, so that two are often the same.
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom(0, 1, '', 'a', null, true, undefined, NaN, -0),
        fc.array(tie('any'), { maxLength: 2 }),
        fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'constructor'), tie('any'), { maxKeys: 2 }),
      ),
    })).any;
    fc.assert(
      fc.property(value, value, (a, b) => {
        expect(sameJson(a, b)).toBe(canonical(a) === canonical(b));
      }),
      { numRuns: 2_000 },
    );
  });

  it('does not count the order of members, and counts that of items', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(sameJson(value, reversed(parsed(JSON.stringify(value))))).toBe(
          canonical(value) === canonical(parsed(JSON.stringify(value))),
        );
      }),
    );
    expect(sameJson([1, 2], [2, 1])).toBe(false);
  });

  it('tells a list from an object, and takes a member named like the prototype for a member', () => {
    expect(sameJson([], {})).toBe(false);
    expect(sameJson({}, [])).toBe(false);
    expect(sameJson(parsed('{"__proto__":{}}'), parsed('{"a":{}}'))).toBe(false);
    expect(sameJson(parsed('{"constructor":1}'), parsed('{"a":1}'))).toBe(false);
    expect(sameJson(parsed('{"__proto__":{"a":1}}'), parsed('{"__proto__":{"a":1}}'))).toBe(true);
  });

  it.each([199, 200, 201, 50_000])('goes down as far as they do: %i levels', (levels) => {
    expect(sameJson(deep(levels, '1'), deep(levels, '1'))).toBe(true);
    expect(sameJson(deep(levels, '1'), deep(levels, '2'))).toBe(false);
    expect(sameJson(deep(levels, '1'), deep(levels + 1, '1'))).toBe(false);
  });

  it('ends at the first difference', () => {
    expect(sameJson([1, TABOO], [2, TABOO])).toBe(false);
    expect(sameJson({ a: 'x', b: TABOO }, { a: 'y', b: TABOO })).toBe(false);
    expect(sameJson([TABOO, 1], [TABOO])).toBe(false);
  });

  it('takes for different what is more than the budget has, and spends it on all that belongs together', () => {
    const rows = (count: number): unknown => Array.from({ length: count }, (_, at) => ({ at }));
    const budget = budgetOf(41);
    expect(sameJson(rows(10), rows(10), budget)).toBe(true);
    expect(budget.left).toBe(20);
    expect(sameJson(rows(10), rows(10), budget)).toBe(false);
    expect(sameJson(1, 1, budget)).toBe(false);
  });

  it('counts a key of a large table for twenty', () => {
    const table = (): unknown => Object.fromEntries(Array.from({ length: 1_100 }, (_, at) => [`k${String(at)}`, 0]));
    expect(sameJson(table(), table(), budgetOf(3_101))).toBe(true);
    expect(sameJson(table(), table(), budgetOf(3_100))).toBe(false);
  });
});
