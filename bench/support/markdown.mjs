/** A number to three significant figures, with thin groups of thousands. */
export const short = (value) => {
  if (value === undefined) return '';
  const size = Math.abs(value);
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : 2;
  const [whole, part] = value.toFixed(digits).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ' ');
  return part === undefined ? grouped : `${grouped}.${part}`;
};

/** Rows of cells as a Markdown table; a bar within a cell is escaped. */
export const markdown = (heading, rows) => {
  const line = (cells) => `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(heading), line(heading.map((_, at) => (at === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
};
