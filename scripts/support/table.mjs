/** Rows of strings as lines of aligned columns under a heading; the last column is not padded. */
export const table = (heading, rows) => {
  const all = [heading, ...rows].map((row) => row.map(String));
  const widths = heading.map((_, column) => Math.max(...all.map((row) => row[column].length)));
  const line = (row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column])))
      .join('  ')
      .trimEnd();
  return [
    line(all[0]),
    widths.map((width, i) => '-'.repeat(i === widths.length - 1 ? heading[i].length : width)).join('  '),
    ...all.slice(1).map(line),
  ].join('\n');
};
