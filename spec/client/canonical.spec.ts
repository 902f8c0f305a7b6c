import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonical } from '../../src/client/canonical.js';

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return members.map(([key, member]) => [key, sorted(member)]);
};

describe('the canonical text', () => {
  it('is the JSON of the value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json: unknown = JSON.parse(JSON.stringify(value));
        expect(JSON.parse(canonical(value))).toEqual(json);
        expect(canonical(value)).toHaveLength(JSON.stringify(value).length);
      }),
    );
  });

  it('is the same for members in any order, and has them sorted', () => {
    expect(canonical({ b: [1, { d: 2, c: 3 }], a: 'x' })).toBe('{"a":"x","b":[1,{"c":3,"d":2}]}');
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const again: unknown = JSON.parse(canonical(value));
        expect(JSON.stringify(sorted(again))).toBe(JSON.stringify(sorted(JSON.parse(JSON.stringify(value)))));
        expect(canonical(again)).toBe(canonical(value));
      }),
    );
  });

  it('has no member without a value, and null for an item that has none', () => {
    expect(canonical({ a: undefined, b: [undefined, NaN] })).toBe('{"b":[null,null]}');
    expect(canonical(undefined)).toBe('null');
  });

  it('may be as deep and as long as it likes', () => {
    const text = '{"a":'.repeat(200_000) + '[1,2]' + '}'.repeat(200_000);
    expect(canonical(JSON.parse(text))).toBe(text);
    expect(canonical(new Array(100_000).fill('x'))).toBe(JSON.stringify(new Array(100_000).fill('x')));
  });
});
