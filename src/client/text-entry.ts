import { jsonLength } from '../jsonrpc/json-length.js';
import type { Result } from '../protocol/index.js';
import type { CacheEntry } from './cache.js';

/** The entries whose results are kept as text. */
const texts = new WeakMap<object, string>();

const entryOf = (text: string, freshUntil: number, chain: string | undefined): CacheEntry => {
  const entry: CacheEntry = {
    get result() {
      return JSON.parse(text) as Result;
    },
    freshUntil,
    ...(chain === undefined ? undefined : { chain }),
  };
  texts.set(entry, text);
  return entry;
};

/**
 * An entry for a store in this process, whose result is kept as JSON text: that costs a third of a copy, and is nothing a
 * collector has to walk through. Each look at the result is a copy of its own. Throws what `JSON.stringify` throws.
 */
export const textEntry = ({ result, freshUntil, chain }: CacheEntry): CacheEntry =>
  entryOf(JSON.stringify(result), freshUntil, chain);

/** True where each look at the result of an entry is a copy. */
export const isTextEntry = (entry: object): boolean => texts.has(entry);

/** The same entry, fresh until then. */
export const freshUntilThen = (entry: CacheEntry, freshUntil: number): CacheEntry => {
  const text = texts.get(entry);
  return text === undefined ? { ...entry, freshUntil } : entryOf(text, freshUntil, entry.chain);
};

/** How long the JSON text of an entry is, in UTF-16 code units. */
export const entryLength = (entry: CacheEntry): number => {
  const text = texts.get(entry);
  if (text === undefined) return jsonLength(entry);
  const { freshUntil, chain } = entry;
  return jsonLength({ result: 0, freshUntil, chain }) - 1 + text.length;
};
