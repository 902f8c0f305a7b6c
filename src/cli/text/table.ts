import { oneLine } from './clean.js';
import { type Part, plain } from './paint.js';
import { fit, widthOf } from './width.js';

const GAP = '  ';

const withText = (part: Part, text: string): Part => (typeof part === 'string' ? text : { ...part, text });

/**
 * Rows as lines whose columns stand below each other, none wider than `most` columns of a terminal: the column that is
 * named `flexible` gives way, and as the last resort the line is cut.
 * @param rows cells of one line each; a cell that is missing is empty
 */
export const table = (
  rows: readonly (readonly Part[])[],
  most: number,
  flexible: number,
): readonly (readonly Part[])[] => {
  const cells = rows.map((row) => row.map((cell) => withText(cell, oneLine(plain(cell)))));
  const count = Math.max(0, ...cells.map(({ length }) => length));
  const widths = Array.from({ length: count }, (_, column) =>
    Math.max(0, ...cells.map((row) => widthOf(plain(row[column] ?? '')))),
  );
  const others = widths.reduce((sum, width, column) => (column === flexible ? sum : sum + width), 0);
  const room = most - others - GAP.length * Math.max(0, count - 1);
  const limit = widths.map((width, column) => (column === flexible ? Math.min(width, Math.max(4, room)) : width));
  return cells.map((row) => {
    let left = most;
    return row.flatMap((cell, column): readonly Part[] => {
      if (left <= 0) return [];
      const width = Math.min(limit[column] ?? 0, left);
      const cut = fit(plain(cell), Math.max(1, width));
      left -= width + GAP.length;
      // Nothing but spaces behind the last cell of a line.
      const last = column === row.length - 1 || left <= 0;
      return [withText(cell, cut), last ? '' : ' '.repeat(Math.max(0, width - widthOf(cut))) + GAP];
    });
  });
};
