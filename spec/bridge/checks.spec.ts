import { describe, expect, it } from '@jest/globals';
import { checkMembers } from '../../src/bridge/checks.js';
import { boolean } from '../../src/client/checks.js';
import { OptionError } from '../../src/index.js';
import { thrownBy } from '../support/client/watch.js';

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
