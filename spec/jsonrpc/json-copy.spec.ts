import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { jsonCopy } from '../../src/jsonrpc/json-copy.js';

const throughText = (value: unknown): unknown => {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? undefined : JSON.parse(text);
};

/** Plain data, and what JSON has no form for, in any nesting. */
const anything = fc.anything({
  withDate: true,
  withNullPrototype: true,
  withSparseArray: true,
  withBoxedValues: true,
  withMap: true,
});

describe('jsonCopy', () => {
  it('gives what a trip through JSON text gives, for any JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        expect(jsonCopy(value)).toStrictEqual(throughText(value));
      }),
    );
  });

  it('gives what a trip through JSON text gives, for values that JSON changes or drops', () => {
    fc.assert(
      fc.property(anything, (value) => {
        expect(jsonCopy(value)).toStrictEqual(throughText(value));
      }),
    );
  });

  it('shares no object with the original', () => {
    const original = { list: [{ deep: true }], object: {} };
    const copy = jsonCopy(original) as typeof original;
    expect(copy).toEqual(original);
    expect(copy === original || copy.list === original.list || copy.list[0] === original.list[0]).toBe(false);
    expect(copy.object === original.object).toBe(false);
  });

  it.each([
    ['undefined members go', { a: undefined, b: 1 }, { b: 1 }],
    ['undefined items become null', [undefined, () => 1, 1], [null, null, 1]],
    ['numbers that JSON lacks become null', [NaN, Infinity, -0], [null, null, 0]],
    ['a Date becomes its text', { at: new Date(0) }, { at: '1970-01-01T00:00:00.000Z' }],
    ['toJSON is asked', { toJSON: () => ({ own: 'form' }) }, { own: 'form' }],
    [
      'an instance becomes its own members',
      new (class Point {
        x = 1;
        #y = 2;
        get y() {
          return this.#y;
        }
      })(),
      { x: 1 },
    ],
    ['a Map becomes an empty object', new Map([[1, 2]]), {}],
    ['null stays', null, null],
    ['undefined stays', undefined, undefined],
    ['a function is nothing', () => 1, undefined],
  ])('%s', (_name, value, expected) => {
    expect(jsonCopy(value)).toStrictEqual(expected);
  });

  it('keeps a member named __proto__ as a member', () => {
    const copy = jsonCopy(JSON.parse('{"__proto__":{"polluted":true}}')) as object;
    expect(Object.keys(copy)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect('polluted' in copy).toBe(false);
  });

  it('copies what is nested deeper than the stack would like a recursion to be', () => {
    let deep: object = {};
    for (let level = 0; level < 1_000; level += 1) deep = { deep };
    expect(JSON.stringify(jsonCopy(deep))).toBe(JSON.stringify(deep));
  });

  it('throws for a cycle and for a bigint, as JSON text does', () => {
    const cycle: { self?: object } = {};
    cycle.self = cycle;
    expect(() => jsonCopy(cycle)).toThrow(TypeError);
    expect(() => jsonCopy({ big: 1n })).toThrow(TypeError);
  });
});
