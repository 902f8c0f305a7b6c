import { describe, expect, it } from '@jest/globals';
import { readGlobals } from '../../src/cli/options.js';

describe('the options of every command', () => {
  it.each([
    ['10', 10_000],
    ['0.5', 500],
    ['0', 0],
    ['0.0001', 1],
  ])('take --timeout %s as so many milliseconds, and nothing but 0 as without limit', (timeout, timeoutMs) => {
    expect(readGlobals({ timeout }).timeoutMs).toBe(timeoutMs);
  });

  it.each(['', ' ', '-1', 'x', '1e12'])('refuse --timeout %j', (timeout) => {
    expect(() => readGlobals({ timeout })).toThrow('is no number of seconds');
  });
});
