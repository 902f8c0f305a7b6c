import { describe, expect, it } from '@jest/globals';
import { shortened } from '../../../src/bridge/formats/shortened.js';

describe('a text that is shortened', () => {
  it('is whole where it is no longer than it may be', () => {
    for (const text of ['', 'abc', 'abcde']) expect(shortened(text, 5)).toBe(text);
  });

  it('ends with a mark, and in no half of a character', () => {
    expect(shortened('abcdef', 5)).toBe('ab...');
    expect(shortened('a😀cdef', 5)).toBe('a...');
    expect(shortened('😀cdef', 5)).toBe('😀...');
  });
});
