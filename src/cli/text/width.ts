/** Blocks whose characters take two columns, roughly: East Asian scripts, and pictures. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const NONE = /\p{Mark}|[\u200b-\u200f\ufeff]/u;

const widthOfOne = (character: string): number => (NONE.test(character) ? 0 : WIDE.test(character) ? 2 : 1);

/** How many columns a line of text takes at a terminal. */
export const widthOf = (text: string): number =>
  Array.from(text).reduce((width, character) => width + widthOfOne(character), 0);

/** A line of at most so many columns: what is longer is cut, and ends with `…`. */
export const fit = (text: string, most: number): string => {
  if (widthOf(text) <= most) return text;
  let [kept, width] = ['', 0];
  for (const character of text) {
    width += widthOfOne(character);
    if (width > most - 1) break;
    kept += character;
  }
  return `${kept}…`;
};

/** Lines of at most so many columns where words allow it, each after the first behind an indent. */
export const wrap = (text: string, most: number, indent = ''): string => {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && widthOf(longer) > most - (lines.length === 0 ? 0 : widthOf(indent))) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line].join(`\n${indent}`);
};
