import { expect, it } from '@jest/globals';
import { isObject } from '../../src/jsonrpc/index.js';

it.each([
  [{}, true],
  [Object.create(null), true],
  [[], false],
  [null, false],
  [undefined, false],
  ['text', false],
  [7, false],
  [() => 1, false],
])('isObject is true of what JSON calls an object: %p', (value, expected) => {
  expect(isObject(value)).toBe(expected);
});
