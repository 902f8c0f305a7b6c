import { describe, expect, it } from '@jest/globals';
import { sizeOf } from '../../../src/protocol/schemas/size-of.js';

describe('the size of a value', () => {
  it('counts its values, its members for more, and the length of its texts', () => {
    expect(sizeOf(null)).toBe(1);
    expect(sizeOf('x'.repeat(32))).toBe(3);
    expect(sizeOf([1, [true, null]])).toBe(5);
    expect(sizeOf({ ['k'.repeat(16)]: 1 })).toBe(6);
  });

  it('looks at no more than tells that it is too much', () => {
    const taboo = {
      get taboo(): never {
        throw new Error('it was looked at');
      },
    };
    expect(sizeOf([1, 2, 3, taboo], 3)).toBeGreaterThan(3);
    expect(sizeOf({ a: 1, b: 1, ...{ c: 1 } }, 3)).toBeLessThan(7);
  });

  it('takes any depth', () => {
    expect(sizeOf(JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`))).toBe(100_000);
  });
});
