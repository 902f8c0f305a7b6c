const MARK = '...';

/** A text of at most so many UTF-16 units: what is longer is cut, never inside of a character, and ends with `...`. */
export const shortened = (text: string, most: number): string => {
  if (text.length <= most) return text;
  return `${text.slice(0, most - MARK.length).replace(/[\ud800-\udbff]$/, '')}${MARK}`;
};
