import { asyncScheduler, catchError, concatMap, defer, map, type Observable, of, throwError } from 'rxjs';
import { type Part, part } from '../rx/index.js';
import type { ReadOptions } from './call-options.js';
import { keeping } from './keeping-part.js';
import { CursorRefused, cursorAfter, type FetchedPage, type Page, type PageSource } from './pages.js';

/** What reads the pages after the first: most lists have one. */
export const laterPages: Part<typeof import('./later-pages.js')> = /* @__PURE__ */ part(
  () => import('./later-pages.js'),
);

/** The pages as the server has them now, each kept as it permits once all are there: half a list replaces none. */
const fetched = ({ method, fetch, keep }: PageSource, chain: string): Observable<Page[]> => {
  const page = (cursor: string | undefined): Observable<FetchedPage> =>
    fetch(cursor).pipe(map((result) => ({ cursor, result, receivedAt: asyncScheduler.now() })));
  return page(undefined).pipe(
    concatMap((first) =>
      cursorAfter(first) === undefined
        ? of([first])
        : laterPages.use(({ withLaterPages }) => withLaterPages(method, first, page)),
    ),
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
