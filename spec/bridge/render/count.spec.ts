import { describe, expect, it } from '@jest/globals';
import { counterOf, estimate, mediaTokens } from '../../../src/bridge/render/count.js';

describe('counting tokens', () => {
  it('takes four characters each for one where nobody counts', () => {
    expect([0, 1, 4, 5].map((length) => counterOf(undefined)('x'.repeat(length), 10))).toEqual([0, 1, 1, 2]);
    expect(counterOf(undefined)('x'.repeat(2_000), 10)).toBe(500);
  });

  it("is the user's own where there is one", () => {
    expect(counterOf((text) => text.split(' ').length)('a b c', 10)).toBe(3);
  });

  it.each([undefined, null, Number.NaN, Infinity, -1, 0, '7', 7n, {}])(
    'falls back where the user answers %p',
    (answer) => {
      expect(counterOf(() => answer as number)('12345', 10)).toBe(2);
    },
  );

  it('falls back where the user throws, or answers with a promise that fails unheard', async () => {
    const thrown = counterOf(() => {
      throw new Error('no');
    });
    expect(thrown('12345', 10)).toBe(2);
    const late = counterOf((() => Promise.reject(new Error('no'))) as unknown as () => number);
    expect(late('12345', 10)).toBe(2);
    await new Promise((resolve) => setImmediate(resolve));
  });

  it('asks nobody about a text that is over its budget in any case', () => {
    const asked: number[] = [];
    const count = counterOf((text) => asked.push(text.length));
    expect(count('x'.repeat(1_001), 10)).toBe(Infinity);
    expect(asked).toEqual([]);
    count('x'.repeat(1_000), 10);
    expect(asked).toEqual([1_000]);
  });

  it('takes an image for 1 600, and a hundred bytes of anything else for one', () => {
    expect(mediaTokens('image', 5)).toBe(1_600);
    expect(mediaTokens('audio', 101)).toBe(2);
    expect(mediaTokens('file', 100)).toBe(1);
    expect(estimate('')).toBe(0);
  });
});
