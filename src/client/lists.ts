import { catchError, defer, EMPTY, expand, map, type Observable, of, reduce, throwError } from 'rxjs';
import { InvalidMessageError, ProtocolError } from '../errors/index.js';
import { CODES } from '../jsonrpc/index.js';
import { declares, type Result } from '../protocol/index.js';
import type { CallOptions } from './call-options.js';
import type { ListKind } from './list-kinds.js';
import type { Requests } from './requests.js';

/** How many pages a list may have: more than any server has, fewer than would never end. */
const PAGE_CAP = 10_000;

interface Page<T> {
  readonly entries: readonly T[];
  readonly nextCursor: string | undefined;
}

/**
 * Reads a whole list, page after page. Emits one array, after the last page, and completes. A server that did
 * not declare the capability, or does not know the method, has an empty list. A cursor that comes twice and a
 * list without end are `InvalidMessageError`s. An entry that is malformed never hides the others.
 * MCP 2026-07-28 server/utilities/pagination: an empty string is a cursor like any other.
 */
export const readList = <T>(
  requests: Requests,
  kind: ListKind<T>,
  options: CallOptions | undefined,
  warn: (message: string, entry: unknown) => void,
): Observable<T[]> => {
  const { method, member, capability, read } = kind;
  const invalid = (reason: string): InvalidMessageError => new InvalidMessageError(method, undefined, reason);

  const pageOf = (result: Result): Page<T> => {
    const raw = result[member];
    if (!Array.isArray(raw)) throw invalid(`${member} is not a list`);
    const entries: T[] = [];
    for (const entry of raw as unknown[]) {
      const item = read(entry, warn);
      if (item !== undefined) entries.push(item);
    }
    const { nextCursor } = result;
    return { entries, nextCursor: typeof nextCursor === 'string' ? nextCursor : undefined };
  };

  const fetch = (cursor: string | undefined): Observable<Result> =>
    requests.run({
      method,
      params: cursor === undefined ? undefined : { cursor },
      options,
      repeatable: () => true,
      unasked: (agreement) => (declares(agreement, capability) ? undefined : { resultType: 'complete', [member]: [] }),
    });

  const page = (cursor: string | undefined): Observable<Page<T>> => fetch(cursor).pipe(map(pageOf));

  return defer(() => {
    const seen = new Set<string>();
    return page(undefined).pipe(
      expand(({ nextCursor }) => {
        if (nextCursor === undefined) return EMPTY;
        if (seen.has(nextCursor)) throw invalid(`the cursor ${JSON.stringify(nextCursor)} came twice`);
        if (seen.size >= PAGE_CAP) throw invalid(`it has more than ${PAGE_CAP} pages`);
        seen.add(nextCursor);
        return page(nextCursor);
      }),
      reduce((list: T[], { entries }) => {
        for (const entry of entries) list.push(entry);
        return list;
      }, []),
      catchError((reason: unknown) => {
        if (reason instanceof ProtocolError && reason.code === CODES.methodNotFound) return of([]);
        return throwError(() => reason);
      }),
    );
  });
};
