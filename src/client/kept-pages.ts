import { catchError, map, type Observable, of, reduce } from 'rxjs';
import { walk } from '../rx/walk.js';
import { freshMsOf } from './freshness.js';
import { cursorAfter, type Page, type PageSource } from './pages.js';
import { guard } from './later-pages.js';

/** The pages that are kept, if every one of them is, and all were read in one go; else `undefined`. */
export const keptPages = (
  method: string,
  kept: NonNullable<PageSource['kept']>,
  fresh: boolean,
): Observable<Page[] | undefined> => {
  const check = guard(method);
  let chain: string | undefined;
  const page = (cursor: string | undefined): Observable<Page | undefined> =>
    kept(cursor).pipe(
      map((entry) => {
        if (entry === undefined) return undefined;
        const freshMs = freshMsOf(entry);
        if (fresh && freshMs === 0) return undefined;
        if (cursor === undefined) chain = entry.chain;
        return entry.chain === chain ? { result: entry.result, freshMs } : undefined;
      }),
    );
  return walk(page(undefined), (last) => {
    const cursor = last === undefined ? undefined : cursorAfter(last);
    if (last === undefined || cursor === undefined) return undefined;
    check(cursor, last.result);
    return page(cursor);
  }).pipe(
    reduce((pages: Page[] | undefined, one) => {
      if (pages === undefined || one === undefined) return undefined;
      pages.push(one);
      return pages;
    }, []),
    // A list that never ends is of no use, whoever put it there.
    catchError(() => of(undefined)),
  );
};
