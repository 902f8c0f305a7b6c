import { asyncScheduler, catchError, defer, map, type Observable, throwError, toArray } from 'rxjs';
import { excerptOf, InvalidMessageError, ProtocolError } from '../errors/index.js';
import { CODES } from '../jsonrpc/index.js';
import { jsonLength } from '../jsonrpc/json-length.js';
import type { Result } from '../protocol/index.js';
import { walk } from '../rx/index.js';
import type { CacheEntry } from './cache.js';
import type { ReadOptions } from './call-options.js';
import { keeping } from './keeping-part.js';

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

/** A page was refused although its cursor had just been given: the list changed under the reading. */
class CursorRefused extends Error {
  constructor(readonly reason: ProtocolError) {
    super();
  }
}

interface FetchedPage {
  readonly cursor: string | undefined;
  readonly result: Result;
  readonly receivedAt: number;
}

/** The pages as the server has them now, each kept as it permits once all are there: half a list replaces none. */
const fetched = ({ method, fetch, keep }: PageSource, chain: string): Observable<Page[]> => {
  const check = guard(method);
  const page = (cursor: string | undefined): Observable<FetchedPage> =>
    fetch(cursor).pipe(
      map((result) => ({ cursor, result, receivedAt: asyncScheduler.now() })),
      catchError((reason: unknown) => {
        const refused = cursor !== undefined && reason instanceof ProtocolError && reason.code === CODES.invalidParams;
        return throwError(() => (refused ? new CursorRefused(reason) : reason));
      }),
    );
  return walk(page(undefined), (last) => {
    const cursor = cursorAfter(last);
    if (cursor === undefined) return undefined;
    check(cursor, last.result);
    return page(cursor);
  }).pipe(
    toArray(),
    map((pages) =>
      pages.map(({ cursor, result, receivedAt }) => ({ result, freshMs: keep(cursor, result, receivedAt, chain) })),
    ),
  );
};

/**
 * Reads all pages of a list: the kept ones if all of them are fresh, else all of them anew from the first, for fresh
 * and kept pages are never mixed. Emits them once, in order, and completes. A refused cursor starts it anew, once.
 * A cursor that comes twice and a list without end are `InvalidMessageError`s. MCP 2026-07-28 server/utilities/pagination
 * and server/utilities/caching, "Interaction with Pagination".
 * @param chain makes the name that ties the pages of one reading together
 */
export const readPages = (
  source: PageSource,
  options: Pick<ReadOptions, 'refresh' | 'staleOnError'>,
  chain: () => string,
): Observable<Page[]> => {
  const anew$ = defer(() => fetched(source, chain()));
  const asked$ = anew$.pipe(
    catchError((reason: unknown) => (reason instanceof CursorRefused ? anew$ : throwError(() => reason))),
    catchError((reason: unknown) => throwError(() => (reason instanceof CursorRefused ? reason.reason : reason))),
  );
  const bounded$ = source.within?.(asked$) ?? asked$;
  const { kept } = source;
  if (kept === undefined) return bounded$;
  return keeping.use(({ keptOr, keptPages }) =>
    keptOr((fresh) => keptPages(source.method, kept, fresh), bounded$, options),
  );
};
