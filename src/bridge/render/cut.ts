import { type Count, estimate } from './count.js';

/** Where a text is cut: what is kept is before `head` and from `tail`. */
interface Gap {
  readonly head: number;
  readonly tail: number;
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** Whether a cut before `index` would part the two halves of one character. */
const partsPair = (text: string, index: number): boolean =>
  isHigh(text.charCodeAt(index - 1)) && isLow(text.charCodeAt(index));

/** How much of what could be kept may be given away for the sake of a whole line. */
const FOR_A_LINE = 0.2;

/** The nearest end of a line at or before `head`, if one is near; else `head`, or the place before a pair. */
const headAt = (text: string, head: number): number => {
  const line = head > 0 ? text.lastIndexOf('\n', head - 1) + 1 : 0;
  if (line > 0 && head - line <= head * FOR_A_LINE) return line;
  return partsPair(text, head) ? head - 1 : head;
};

/** As {@link headAt}, for the start of what is kept at the end. */
const tailAt = (text: string, tail: number): number => {
  // A tail that starts a line already is left as it is.
  const line = text.indexOf('\n', Math.max(0, tail - 1)) + 1;
  if (line > 0 && line < text.length && line - tail <= (text.length - tail) * FOR_A_LINE) return line;
  return partsPair(text, tail) ? tail + 1 : tail;
};

const gapFor = (text: string, kept: number): Gap => ({
  head: Math.ceil(kept / 2),
  tail: text.length - Math.floor(kept / 2),
});

/** What stands where something is missing. */
const markerOf = (characters: number, tokens: number, where: string | undefined): string =>
  `[... ${characters} characters (about ${tokens} tokens) are left out here${
    where === undefined ? '' : `; the whole text is in ${where}`
  } ...]`;

const assemble = (text: string, { head, tail }: Gap, marker: string): string =>
  [text.slice(0, head).replace(/\r?\n$/, ''), marker, text.slice(tail)].filter((part) => part !== '').join('\n');

/** How near to the most that fits a search comes: this part of it is left over at most. */
const NEAR = 64;

/** The most characters that may be kept, by as few questions as will do: `fits` may be somebody's tokenizer. */
const mostThatFits = (length: number, guess: number, fits: (kept: number) => boolean): number => {
  let low = 0;
  let high = length;
  let next = Math.min(guess, length - 1);
  let found = false;
  while (high - low > 1 + low / NEAR) {
    if (fits(next)) low = next;
    else {
      high = next;
      found = true;
    }
    next = found ? Math.floor((low + high) / 2) : Math.min(low * 2, length - 1);
    if (next <= low) break;
  }
  return low;
};

/** The tokens of what is missing, in proportion: the whole text may be too long to be counted. */
const missingTokens = (characters: number, kept: string, tokens: number): number =>
  kept === '' ? Math.ceil(characters / 4) : Math.round((characters / kept.length) * tokens);

const finish = (text: string, kept: number, count: Count, where: string | undefined): string => {
  const rough = gapFor(text, kept);
  const gap = { head: headAt(text, rough.head), tail: tailAt(text, rough.tail) };
  const characters = gap.tail - gap.head;
  const sample = text.slice(0, gap.head);
  const tokens = missingTokens(characters, sample, count(sample, Number.POSITIVE_INFINITY));
  return assemble(text, gap, markerOf(characters, tokens, where));
};

/**
 * Cuts a text to a number of tokens: its head and its tail are kept, in equal parts, and between them stands a marker
 * that says how much is missing, and `where` the whole is. No character is cut in two, and where the end of a line is
 * near, no line. The marker stays however small the limit, and a text no longer than its marker is left as it is.
 */
export const cutToTokens = (text: string, limit: number, count: Count, where?: string): string => {
  // As long as the marker can get: its numbers only become smaller.
  const marker = markerOf(text.length, text.length * 4, where);
  if (text.length <= marker.length) return text;
  const fits = (kept: number): boolean => count(assemble(text, gapFor(text, kept), marker), limit) <= limit;
  const guess = Math.max(1, limit * 4 - marker.length);
  return finish(text, mostThatFits(text.length, guess, fits), count, where);
};

/** Cuts a text as {@link cutToTokens} does, but to a number of characters, the marker aside. */
export const cutToCharacters = (text: string, kept: number, where?: string): string =>
  text.length <= kept ? text : finish(text, kept, estimate, where);
