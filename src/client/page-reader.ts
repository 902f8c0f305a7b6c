import { catchError, concatMap, EMPTY, expand, type Observable, of, reduce, throwError } from 'rxjs';
import { InvalidMessageError, ProtocolError } from '../errors/index.js';
import { CODES } from '../jsonrpc/index.js';
import type { Result } from '../protocol/index.js';
import type { CacheEntry } from './cache.js';
import { isFresh } from './result-cache.js';

/** How many pages a list may have: more than any server has, fewer than would never end. */
const PAGE_CAP = 10_000;

/** Where the pages of one list come from and go to. */
export interface PageSource {
  readonly method: string;
  readonly fetch: (cursor: string | undefined) => Observable<Result>;
  /** What is kept of a page, fresh or not. */
  readonly kept: (cursor: string | undefined) => Observable<CacheEntry | undefined>;
  readonly keep: (cursor: string | undefined, page: Result, chain: string) => void;
}

const cursorAfter = (page: Result): string | undefined =>
  typeof page['nextCursor'] === 'string' ? page['nextCursor'] : undefined;

/** Stops a list that would never end. One for each reading. */
const guard = (method: string): ((cursor: string) => void) => {
  const seen = new Set<string>();
  const invalid = (reason: string): InvalidMessageError => new InvalidMessageError(method, undefined, reason);
  return (cursor) => {
    if (seen.has(cursor)) throw invalid(`the cursor ${JSON.stringify(cursor)} came twice`);
    if (seen.size >= PAGE_CAP) throw invalid(`it has more than ${PAGE_CAP} pages`);
    seen.add(cursor);
  };
};

/** The pages as the server has them now, each kept as it permits. */
const fetched = ({ method, fetch, keep }: PageSource, chain: string): Observable<Result[]> => {
  const check = guard(method);
  const page = (cursor: string | undefined): Observable<Result> =>
    fetch(cursor).pipe(
      concatMap((result) => {
        keep(cursor, result, chain);
        return of(result);
      }),
    );
  return page(undefined).pipe(
    expand((result) => {
      const cursor = cursorAfter(result);
      if (cursor === undefined) return EMPTY;
      check(cursor);
      return page(cursor);
    }),
    reduce((pages: Result[], result) => {
      pages.push(result);
      return pages;
    }, []),
  );
};

/** The pages that are kept, if every one of them is, and all were read in one go; else `undefined`. */
const keptPages = ({ method, kept }: PageSource, fresh: boolean): Observable<Result[] | undefined> => {
  const check = guard(method);
  let chain: string | undefined;
  const page = (cursor: string | undefined): Observable<Result | undefined> =>
    kept(cursor).pipe(
      concatMap((entry) => {
        if (entry === undefined || (fresh && !isFresh(entry))) return of(undefined);
        if (cursor === undefined) chain = entry.chain;
        return of(entry.chain === chain ? entry.result : undefined);
      }),
    );
  return page(undefined).pipe(
    expand((result) => {
      const cursor = result === undefined ? undefined : cursorAfter(result);
      if (cursor === undefined) return EMPTY;
      check(cursor);
      return page(cursor);
    }),
    reduce((pages: Result[] | undefined, result) => {
      if (pages === undefined || result === undefined) return undefined;
      pages.push(result);
      return pages;
    }, []),
  );
};

/** A page was refused although its cursor had just been given: the list changed under the reading. */
const isRefusedCursor = (reason: unknown): boolean =>
  reason instanceof ProtocolError && reason.code === CODES.invalidParams;

/**
 * Reads all pages of a list: the kept ones if all of them are fresh, else all of them anew from the first, for fresh
 * and kept pages are never mixed. Emits them once, in order, and completes. A refused cursor starts it anew, once.
 * A cursor that comes twice and a list without end are `InvalidMessageError`s. MCP 2026-07-28 server/utilities/pagination
 * and server/utilities/caching, "Interaction with Pagination".
 * @param chain makes the name that ties the pages of one reading together
 */
export const readPages = (
  source: PageSource,
  { refresh, staleOnError }: { readonly refresh: boolean; readonly staleOnError: boolean },
  chain: () => string,
): Observable<Result[]> => {
  const anew$ = fetched(source, chain());
  const patient$ = anew$.pipe(
    catchError((reason: unknown) => (isRefusedCursor(reason) ? fetched(source, chain()) : throwError(() => reason))),
    catchError((reason: unknown) => {
      if (!staleOnError) return throwError(() => reason);
      return keptPages(source, false).pipe(
        concatMap((pages) => (pages === undefined ? throwError(() => reason) : of(pages))),
      );
    }),
  );
  if (refresh) return patient$;
  return keptPages(source, true).pipe(concatMap((pages) => (pages === undefined ? patient$ : of(pages))));
};
