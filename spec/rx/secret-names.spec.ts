import { describe, expect, it } from '@jest/globals';
import { isCount, isSecretInQuery, isSecretName, isSecretSetting } from '../../src/rx/secret-names.js';
import { SECRET_NAMES } from '../support/secrets.js';

describe('the name of a secret', () => {
  it.each(SECRET_NAMES)('is known in a value, a query and a setting: %s', (name) => {
    expect([isSecretName, isSecretInQuery, isSecretSetting].map((is) => is(name))).toEqual([true, true, true]);
  });

  it.each([
    ['key', [false, true, true]],
    ['code', [false, true, false]],
    ['PWD', [true, true, false]],
    ['pwd', [true, true, true]],
    ['auth_type', [false, false, true]],
    ['keyboard', [false, false, false]],
    ['author', [false, false, false]],
    // A name of its own kind in the protocol.
    ['progressToken', [false, false, true]],
  ] as const)('is one where it says so: %s', (name, wanted) => {
    expect([isSecretName, isSecretInQuery, isSecretSetting].map((is) => is(name))).toEqual(wanted);
  });
});

describe('a number of tokens', () => {
  it.each([
    ['max_tokens', 4096],
    ['usage_tokens', '512'],
    ['tokenLimit', 7],
    ['maxOutputToken', 1],
  ])('is told from a token: %s', (name, value) => {
    expect(isCount(name, value)).toBe(true);
  });

  it.each([
    ['tokens', 'abc'],
    ['token', 7],
    ['token_count_secret', 7],
    ['tokens', '1234567890'],
  ])('is none: %s of %j', (name, value) => {
    expect(isCount(name, value)).toBe(false);
  });
});
