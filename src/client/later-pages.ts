import { catchError, type Observable, of, throwError, toArray } from 'rxjs';
import { excerptOf, InvalidMessageError, ProtocolError } from '../errors/index.js';
import { CODES } from '../jsonrpc/index.js';
import { jsonLength } from '../jsonrpc/json-length.js';
import type { Result } from '../protocol/index.js';
import { walk } from '../rx/walk.js';
import { CursorRefused, cursorAfter, ENTRY_CAP, type FetchedPage } from './pages.js';

/** How many pages a list may have: more than any server has, fewer than would never end. */
const PAGE_CAP = 10_000;

/** How long the JSON of those pages may be together, in UTF-16 code units, before another one is asked for: 256 Mi. */
const LENGTH_CAP = 268_435_456;

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

/** The first page of a list and all that follow it, in their order, once the last is there. `page` asks for one of them. */
export const withLaterPages = (
  method: string,
  first: FetchedPage,
  page: (cursor: string) => Observable<FetchedPage>,
): Observable<FetchedPage[]> => {
  const check = guard(method);
  const granted = (cursor: string): Observable<FetchedPage> =>
    page(cursor).pipe(
      catchError((reason: unknown) => {
        const refused = reason instanceof ProtocolError && reason.code === CODES.invalidParams;
        return throwError(() => (refused ? new CursorRefused(reason) : reason));
      }),
    );
  return walk(of(first), (last) => {
    const cursor = cursorAfter(last);
    if (cursor === undefined) return undefined;
    check(cursor, last.result);
    return granted(cursor);
  }).pipe(toArray());
};
