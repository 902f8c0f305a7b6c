/** Scripts that are written without spaces between words. By extension: they share signs such as the long vowel. */
const UNSPACED = String.raw`[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]`;

const IS_UNSPACED = new RegExp(UNSPACED, 'u');

/** Letters, digits and the marks on them, of scripts of one kind. */
const RUNS = new RegExp(String.raw`(?:(?=[\p{L}\p{N}\p{M}])${UNSPACED})+|(?:(?!${UNSPACED})[\p{L}\p{N}\p{M}])+`, 'gu');

const pairsIn = (run: string): readonly string[] => {
  const characters = Array.from(run);
  if (characters.length < 3) return [run];
  return characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`);
};

/** A word as it is, and what it is made of where that is several: `getWeather` is also `get` and `Weather`. */
const partsIn = (run: string): readonly string[] => {
  const parts = run.replace(/([\p{Ll}\d])(?=\p{Lu})/gu, '$1 ').split(' ');
  return parts.length > 1 ? [run, ...parts] : parts;
};

/** Whether a word stands for those that begin with it, too. What is short in ASCII begins too many. */
export const mayBeBegun = (word: string): boolean => {
  if (/^[a-z\d]*$/i.test(word)) return word.length > 2;
  return IS_UNSPACED.test(word) || Array.from(word).length > 1;
};

/**
 * The words of a text, in the order in which they stand: those of names however they are joined, and of scripts without
 * spaces each two characters that stand together, since nothing tells where a word ends.
 */
export const wordsIn = (text: string): string[] =>
  (text.normalize('NFKC').match(RUNS) ?? []).flatMap((run) => (IS_UNSPACED.test(run) ? pairsIn(run) : partsIn(run)));
