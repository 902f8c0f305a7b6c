import { describe, expect, it } from '@jest/globals';
import { ProtocolError } from '../../src/index.js';
import { isSame, shown } from '../../src/testing/same.js';

const circular = (name: string): object => {
  const value: Record<string, unknown> = { name };
  value['self'] = [value];
  return value;
};
const failing = (code: number): Error => Object.assign(new Error('m'), { code });
const deep = (bottom: unknown): unknown => {
  let value = bottom;
  for (let depth = 0; depth < 20_000; depth += 1) value = [value];
  return value;
};
const round = (bottom: number): Set<unknown> => {
  const value = new Set<unknown>([bottom]);
  return value.add(new Map([['around', value]]));
};
const promise = Promise.resolve();

describe('values that are the same', () => {
  it.each<readonly [string, unknown, unknown]>([
    ['numbers', 1, 1],
    ['NaN', Number.NaN, Number.NaN],
    ['zeros', 0, -0],
    ['large whole numbers', 10n, 10n],
    ['objects, in any order', { a: 1, b: [2] }, { b: [2], a: 1 }],
    ['a member without a value', { a: 1, b: undefined }, { a: 1 }],
    ['lists', [1, undefined], [1, undefined]],
    ['maps', new Map([[{ a: 1 }, 2]]), new Map([[{ a: 1 }, 2]])],
    ['sets, in any order', new Set([{ a: 1 }, 2]), new Set([2, { a: 1 }])],
    ['dates', new Date(5), new Date(5)],
    ['patterns', /a/g, /a/g],
    ['addresses', new URL('https://a.example'), new URL('https://a.example/')],
    ['bytes', new Uint8Array([1, 2]), new Uint8Array([1, 2])],
    ['buffers', new Uint8Array([1, 2]).buffer, new Uint8Array([1, 2]).buffer],
    ['errors', failing(1), failing(1)],
    ['errors, one with a cause that nobody expects', new ProtocolError(1, 'a', 2, 3), new ProtocolError(1, 'a', 2)],
    ['what is in circles', circular('a'), circular('a')],
    ['sets in circles', round(1), round(1)],
    ['what is very deep', deep(1), deep(1)],
    ['one and the same Promise', promise, promise],
  ])('are told to be: %s', (_what, actual, expected) => {
    expect(isSame(actual, expected)).toBe(true);
  });

  it.each<readonly [string, unknown, unknown]>([
    ['a number and its text', 1, '1'],
    ['NaN and null', Number.NaN, null],
    ['undefined and null', undefined, null],
    ['large whole numbers', 10n, 11n],
    ['a large whole number and a number', 10n, 10],
    ['maps of other keys', new Map([[1, 2]]), new Map([[3, 2]])],
    ['maps of other values', new Map([[1, 2]]), new Map([[1, 3]])],
    ['a map with more', new Map([[1, 2]]), new Map()],
    ['sets', new Set([1]), new Set([2])],
    ['a set and an object', new Set([1]), {}],
    ['a date and an object', new Date(0), {}],
    ['dates', new Date(0), new Date(1)],
    ['patterns of other flags', /a/g, /a/],
    ['addresses', new URL('https://a.example'), new URL('https://b.example')],
    ['bytes', new Uint8Array([1, 2]), new Uint8Array([1, 3])],
    ['buffers', new Uint8Array([1, 2]).buffer, new Uint8Array([1, 3]).buffer],
    ['errors of another code', failing(1), failing(2)],
    ['errors of another name', new TypeError('m'), new RangeError('m')],
    ['an error without its cause', new Error('m'), new Error('m', { cause: 1 })],
    ['an error and what looks like one', new Error('m'), { name: 'Error', message: 'm' }],
    ['lists of another length', [1, undefined], [1]],
    ['a list and an object', [], {}],
    ['a member more', { a: 1, b: 2 }, { a: 1 }],
    ['a member that is called otherwise', { a: 1 }, { b: 1 }],
    ['what is in circles', circular('a'), circular('b')],
    ['sets in circles', round(1), round(2)],
    ['what is very deep', deep(1), deep(2)],
    ['functions', () => 1, () => 1],
    ['Promises', Promise.resolve(1), Promise.resolve(1)],
  ])('are not: %s', (_what, actual, expected) => {
    expect(isSame(actual, expected)).toBe(false);
  });
});

it('whatever is compared can be shown', () => {
  expect(shown([1n, Number.NaN, new Set([1]), new Map([[1, 2]]), new Date(0), failing(7), undefined])).toBe(
    '["1n","NaN",{"[object Set]":[1]},{"[object Map]":[[1,2]]},' +
      `{"[object Date]":${JSON.stringify(String(new Date(0)))}},{"code":7,"error":"Error","message":"m"},null]`,
  );
  expect(shown(circular('a'))).toBe('{"name":"a","self":["[circular]"]}');
  expect(shown(deep(1))).toContain('…');
  expect(shown([Symbol('s'), () => 1])).toContain('Symbol(s)');
});
