import type { Observable } from 'rxjs';
import type { ProtocolError } from '../errors/index.js';
import type { Result } from '../protocol/index.js';
import type { CacheEntry } from './cache.js';

/** How many entries the pages of a list may have together, before another one is asked for. */
export const ENTRY_CAP = 100_000;

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

/** A page as the server answered with it. */
export interface FetchedPage {
  readonly cursor: string | undefined;
  readonly result: Result;
  readonly receivedAt: number;
}

/** A page was refused although its cursor had just been given: the list changed under the reading. */
export class CursorRefused extends Error {
  constructor(readonly reason: ProtocolError) {
    super();
  }
}
