import { describe, expect, it } from '@jest/globals';
import {
  boolean,
  bytes,
  callback,
  type Check,
  checkMembers,
  checkOptions,
  milliseconds,
  object,
  oneOf,
} from '../../src/jsonrpc/checks.js';
import { OptionError } from '../../src/index.js';
import { thrownBy } from '../support/client/watch.js';

const takes = (check: Check, ...values: readonly unknown[]): void => {
  for (const value of values)
    expect(() => {
      check(value, 'x');
    }).not.toThrow();
};

const refuses = (check: Check, ...values: readonly unknown[]): void => {
  for (const value of values) {
    const thrown = thrownBy(() => {
      check(value, 'x');
    });
    expect(thrown).toBeInstanceOf(OptionError);
    expect(thrown).toHaveProperty('option', 'x');
  }
};

describe('a check of an option', () => {
  it('takes one of the words there are', () => {
    takes(oneOf('a', 'b'), 'a', 'b');
    refuses(oneOf('a', 'b'), 'c', '', 1, null);
  });

  it('takes milliseconds from the least that makes sense to the longest a timer can hold', () => {
    takes(milliseconds(1), 1, 1.5, 2_147_483_647);
    refuses(milliseconds(1), 0, 0.5, 2_147_483_648, Number.NaN, '1');
  });

  it('takes whole numbers of bytes', () => {
    takes(bytes, 1, 67_108_864);
    refuses(bytes, 0, 1.5, '1', Number.POSITIVE_INFINITY);
  });

  it('takes true and false, functions, and objects', () => {
    takes(boolean, true, false);
    refuses(boolean, 0, 'true');
    takes(callback, () => undefined);
    refuses(callback, {});
    takes(object, {}, Object.create(null));
    refuses(object, [], null, 'x');
  });
});

describe('checkOptions', () => {
  it('knows no option by its prototype', () => {
    expect(() => {
      checkOptions({ hasOwnProperty: 1 }, { a: object }, 'options');
    }).toThrow(OptionError);
  });

  it('names what is no object', () => {
    expect(thrownBy(() => checkOptions(undefined, {}, 'options'))).toHaveProperty('option', 'options');
  });
});

describe('checkMembers', () => {
  it('names each option by its path', () => {
    for (const [value, option] of [
      [5, 'a'],
      [{ b: 1 }, 'a.b'],
      [{ c: true }, 'a.c'],
      [{ toString: true }, 'a.toString'],
    ] as const) {
      const thrown = thrownBy(() => checkMembers(value, { b: boolean }, 'a'));
      expect(thrown).toBeInstanceOf(OptionError);
      expect(thrown).toHaveProperty('option', option);
    }
    checkMembers({ b: undefined }, { b: boolean }, 'a');
  });
});
