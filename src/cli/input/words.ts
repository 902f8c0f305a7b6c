import { usageError } from '../exit.js';

const ESCAPABLE_IN_QUOTES = new Set(['"', '\\', '$', '`']);
/** A line that goes on in the next one. On Windows it ends in two characters. */
const GOES_ON = /\\\r?\n/y;

/** How many characters are nothing but the end of a line that goes on. */
const goesOn = (line: string, at: number): number => {
  GOES_ON.lastIndex = at;
  return GOES_ON.exec(line)?.[0].length ?? 0;
};

/**
 * Splits a command line into words as a POSIX shell does: by white space, with single quotes, double quotes and
 * backslashes, of which one at the end of a line joins it with the next. Nothing is expanded and nothing run: `$HOME`,
 * `*`, `|` and `;` are what they are. Throws a usage error for a quote without its end. POSIX.1-2017, XCU 2.2.
 */
export const splitWords = (line: string): readonly string[] => {
  const words: string[] = [];
  // A word may be empty, as '' is.
  let word: string | undefined;
  for (let at = 0; at < line.length; at += 1) {
    const one = line.charAt(at);
    if (/\s/.test(one)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (one === "'") {
      const end = line.indexOf("'", at + 1);
      if (end < 0) throw usageError(`the quote ' in ${JSON.stringify(line)} has no end`);
      word = (word ?? '') + line.slice(at + 1, end);
      at = end;
    } else if (one === '"') {
      word ??= '';
      for (at += 1; line.charAt(at) !== '"'; at += 1) {
        if (at >= line.length) throw usageError(`the quote " in ${JSON.stringify(line)} has no end`);
        if (goesOn(line, at) > 0) {
          at += goesOn(line, at) - 1;
          continue;
        }
        if (line.charAt(at) === '\\' && ESCAPABLE_IN_QUOTES.has(line.charAt(at + 1))) at += 1;
        word += line.charAt(at);
      }
    } else if (goesOn(line, at) > 0) at += goesOn(line, at) - 1;
    else if (one === '\\') {
      at += 1;
      word = (word ?? '') + line.charAt(at);
    } else word = (word ?? '') + one;
  }
  return word === undefined ? words : [...words, word];
};
