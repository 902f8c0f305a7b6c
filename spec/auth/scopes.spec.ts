import { describe, expect, it } from '@jest/globals';
import { scopesToAsk } from '../../src/auth/scopes.js';

const issuer = 'https://as.example';
const discovered = (scopes: readonly string[] | undefined, offered?: string[]) => ({
  scopes,
  metadata: offered === undefined ? { issuer } : { issuer, scopes_supported: offered },
});

describe('the scopes that are asked for', () => {
  it.each([
    ['those that are wanted', ['a'], undefined, [], discovered(['b']), ['a']],
    ['all that the metadata names, where none is wanted', undefined, undefined, [], discovered(['b', 'c']), ['b', 'c']],
    ['none, where nothing is said', undefined, undefined, [], discovered(undefined), []],
    ['those of before with those that are wanted now', ['b', 'a'], ['a', 'c'], [], discovered(['d']), ['a', 'c', 'b']],
    ['those of before alone, where nothing is wanted now', undefined, ['a'], [], discovered(['d']), ['a']],
    ['the application’s own, too', ['a'], undefined, ['x'], discovered(undefined), ['a', 'x']],
    [
      'and offline_access, where it is offered',
      ['a'],
      undefined,
      [],
      discovered([], ['offline_access']),
      ['a', 'offline_access'],
    ],
    ['and not alone', undefined, undefined, [], discovered(undefined, ['offline_access']), []],
  ])('are %s', (_what, wanted, before, own, found, expected) => {
    expect(scopesToAsk(wanted, before, own, found, true)).toEqual(expected);
  });

  it('are without offline_access where no refresh is of use', () => {
    expect(scopesToAsk(['a'], undefined, [], discovered([], ['offline_access']), false)).toEqual(['a']);
  });
});
