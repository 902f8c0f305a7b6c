import type { Observable } from 'rxjs';
import { excerptOf, InvalidMessageError } from '../errors/index.js';
import { jsonLength } from '../jsonrpc/json-length.js';
import type { Result } from '../protocol/index.js';
import type { CacheEntry } from './cache.js';

/** How many pages a list may have: more than any server has, fewer than would never end. */
const PAGE_CAP = 10_000;
/** How many entries the pages of a list may have together, before another one is asked for. */
export const ENTRY_CAP = 100_000;

/** How long the JSON of those pages may be together, in UTF-16 code units, before another one is asked for: 256 Mi. */
const LENGTH_CAP = 268_435_456;

/** A page of a list. */
export interface Page {
  readonly result: Result;
  /** How long it is fresh, in ms; 0 where it is not kept. */
  readonly freshMs: number;
}

/** Where the pages of one list come from and go to. */
export interface PageSource {
  readonly method: string;
  readonly fetch: (cursor: string | undefined) => Observable<Result>;
  /** What is kept of a page, fresh or not; absent where nothing is. */
  readonly kept?: ((cursor: string | undefined) => Observable<CacheEntry | undefined>) | undefined;
  /** Keeps a page, and says how long it is fresh, in ms. */
  readonly keep: (cursor: string | undefined, page: Result, receivedAt: number, chain: string) => number;
  /** Bounds the time of all pages that are asked for together. */
  readonly within?: (pages$: Observable<Page[]>) => Observable<Page[]>;
}

/** Where the page after a page is. */
export const cursorAfter = ({ result }: { readonly result: Result }): string | undefined =>
  typeof result['nextCursor'] === 'string' ? result['nextCursor'] : undefined;

/** Stops a list that would never end. One for each reading. */
export const guard = (method: string): ((cursor: string, page: Result) => void) => {
  const seen = new Set<string>();
  let entries = 0;
  let length = 0;
  const invalid = (reason: string): InvalidMessageError => new InvalidMessageError(method, undefined, reason);
  return (cursor, page) => {
    for (const member of Object.values(page)) if (Array.isArray(member)) entries += member.length;
    if (entries > ENTRY_CAP) throw invalid(`it has more than ${ENTRY_CAP} entries`);
    length += jsonLength(page);
    if (length > LENGTH_CAP) throw invalid(`its pages have more than ${LENGTH_CAP} characters`);
    if (seen.has(cursor)) throw invalid(`the cursor ${excerptOf(JSON.stringify(cursor))} came twice`);
    if (seen.size >= PAGE_CAP) throw invalid(`it has more than ${PAGE_CAP} pages`);
    seen.add(cursor);
  };
};
