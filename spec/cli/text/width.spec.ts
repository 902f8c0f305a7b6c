import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fit, widthOf, wrap } from '../../../src/cli/text/width.js';

describe('widthOf', () => {
  it.each([
    ['abc', 3],
    ['ü', 1],
    ['漢字', 4],
    ['한글', 4],
    ['🙂', 2],
    ['e\u0301', 1],
    ['', 0],
  ])('counts the columns of %j', (text, width) => {
    expect(widthOf(text)).toBe(width);
  });
});

describe('fit', () => {
  it.each([
    ['abcdef', 6, 'abcdef'],
    ['abcdefg', 6, 'abcde…'],
    ['漢字漢字', 5, '漢字…'],
    ['漢字漢字', 4, '漢…'],
    ['🙂🙂', 3, '🙂…'],
  ])('cuts %j to %i columns', (text, most, cut) => {
    expect(fit(text, most)).toBe(cut);
  });

  it('never takes more columns than there are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 40 }), (text, most) => {
        expect(widthOf(fit(text, most))).toBeLessThanOrEqual(most);
      }),
    );
  });
});

describe('wrap', () => {
  it('breaks lines between words, and indents all but the first', () => {
    expect(wrap('one two three four', 9, '  ')).toBe('one two\n  three\n  four');
  });

  it('leaves a word whole that is longer than a line', () => {
    expect(wrap('a extraordinarily b', 5)).toBe('a\nextraordinarily\nb');
  });
});
