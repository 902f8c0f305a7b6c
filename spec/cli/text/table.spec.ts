import { describe, expect, it } from '@jest/globals';
import { red, render } from '../../../src/cli/text/paint.js';
import { table } from '../../../src/cli/text/table.js';

const lines = (...parameters: Parameters<typeof table>): string[] =>
  table(...parameters).map((row) => render(row, false));

describe('table', () => {
  it('puts columns below each other, with no spaces behind the last', () => {
    expect(
      lines(
        [
          ['a', 'bb'],
          ['ccc', 'd'],
        ],
        80,
        1,
      ),
    ).toEqual(['a    bb', 'ccc  d']);
  });

  it('cuts the flexible column where there is no room', () => {
    expect(lines([['a', 'a long description', 'z']], 14, 1)).toEqual(['a  a long …  z']);
  });

  it('cuts the line where even that does not help', () => {
    for (const line of lines([['a name without an end', 'b', 'another such name']], 20, 1)) {
      expect(line.length).toBeLessThanOrEqual(20);
    }
  });

  it('takes rows of any length', () => {
    expect(lines([['a', 'b', 'c'], ['d'], []], 80, 0)).toEqual(['a  b  c', 'd', '']);
  });

  it('keeps styles, and makes each cell one line', () => {
    expect(table([[red('a\nb'), 'c']], 80, 0)[0]?.[0]).toEqual({ style: 'red', text: 'a b' });
  });

  it('counts the columns that characters take', () => {
    expect(
      lines(
        [
          ['漢字', 'b'],
          ['a', 'c'],
        ],
        80,
        1,
      ),
    ).toEqual(['漢字  b', 'a     c']);
  });
});
