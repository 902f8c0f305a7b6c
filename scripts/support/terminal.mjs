/** What a terminal shows after a transcript, row by row: as much of one as the command needs. */

const ESC = '\u001b';
const TOKENS = new RegExp(`${ESC}\\[([\\d;?]*)([A-Za-z])|\\r|\\n|[^\\r\\n${ESC}]+|${ESC}`, 'g');

/** @param {string} transcript */
export const screenAfter = (transcript) => {
  const rows = [''];
  let [row, column] = [0, 0];
  const obey = (parameter, final) => {
    const line = rows[row];
    if (final === 'A') row = Math.max(0, row - Number(parameter || 1));
    else if (final === 'G') column = Number(parameter || 1) - 1;
    else if (final === 'K') rows[row] = parameter === '2' ? '' : line.slice(0, column);
    else if (final === 'J') {
      rows[row] = line.slice(0, column);
      rows.length = row + 1;
    }
    // Colours, and showing and hiding the cursor: nothing that is text.
    else if (final !== 'm' && final !== 'h' && final !== 'l') throw new Error(`unknown sequence ${parameter}${final}`);
  };
  for (const [token, parameter, final] of transcript.matchAll(TOKENS)) {
    if (final !== undefined) obey(parameter, final);
    else if (token === '\r') column = 0;
    else if (token === '\n') {
      row += 1;
      rows[row] ??= '';
    } else if (token !== ESC) {
      rows[row] = rows[row].padEnd(column).slice(0, column) + token + rows[row].slice(column + token.length);
      column += token.length;
    }
  }
  return rows.map((line) => line.trimEnd()).join('\n');
};
