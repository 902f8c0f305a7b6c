import { asyncScheduler, catchError, defer, map, type Observable, throwError, toArray } from 'rxjs';
import { ProtocolError } from '../errors/index.js';
import { CODES } from '../jsonrpc/index.js';
import type { Result } from '../protocol/index.js';
import { walk } from '../rx/index.js';
import type { ReadOptions } from './call-options.js';
import { keeping } from './keeping-part.js';
import { cursorAfter, guard, type Page, type PageSource } from './pages.js';

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
