import { quietly } from '../../rx/index.js';

/** Tells how many tokens a text is; never throws. `Infinity` stands for more than `enough`. */
export type Count = (text: string, enough: number) => number;

/** The tokens of a text where nobody counts them: four characters each. */
export const estimate = (text: string): number => Math.ceil(text.length / 4);

/**
 * More characters than this a token are found in no text that is worth its place: so long a text is over its budget
 * without being counted, which a tokenizer may take seconds for.
 */
const MOST_CHARACTERS_A_TOKEN = 100;

/** The empty text need not count: it is estimated as nothing. */
const isCount = (value: unknown): value is number => Number.isFinite(value) && (value as number) > 0;

/**
 * Counts by a function of the user's, which may throw or answer anything: then the text is estimated.
 * @param countTokens default: the estimate
 */
export const counterOf = (countTokens: ((text: string) => number) | undefined): Count => {
  if (countTokens === undefined) return estimate;
  return (text, enough) => {
    if (text.length > enough * MOST_CHARACTERS_A_TOKEN) return Number.POSITIVE_INFINITY;
    try {
      const count: unknown = countTokens(text);
      if (isCount(count)) return count;
      // An asynchronous one is of no use here, but its rejection must not go unheard.
      quietly(() => count);
    } catch {
      // Estimated, as below.
    }
    return estimate(text);
  };
};

/** What an image counts: about what the vendors charge for one of ordinary size, which only its pixels would tell. */
const IMAGE_TOKENS = 1_600;
/** How many bytes of sound or of a document count as one token. */
const BYTES_A_TOKEN = 100;

/** What a part that is more than text counts: an image 1 600 tokens, anything else one for each 100 bytes begun. */
export const mediaTokens = (type: 'image' | 'audio' | 'file', bytes: number): number =>
  type === 'image' ? IMAGE_TOKENS : Math.ceil(bytes / BYTES_A_TOKEN);
