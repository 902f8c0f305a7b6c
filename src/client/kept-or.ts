import { catchError, concatMap, type Observable, of, throwError } from 'rxjs';
import type { ReadOptions } from './call-options.js';
import { isServersFailure } from './freshness.js';

/**
 * What is kept, if it is fresh and `refresh` wants nothing newer; else what the server answers; and where the server
 * fails and `staleOnError` lets it, what is kept, however old. Emits once and completes; errors with what asking raised.
 * @param kept emits what is kept, fresh or of any age; `undefined` if there is no such thing
 */
export const keptOr = <T>(
  kept: (fresh: boolean) => Observable<T | undefined>,
  asked$: Observable<T>,
  { refresh, staleOnError }: Pick<ReadOptions, 'refresh' | 'staleOnError'>,
): Observable<T> => {
  const patient$ = asked$.pipe(
    catchError((reason: unknown) => {
      if (staleOnError !== true || !isServersFailure(reason)) return throwError(() => reason);
      return kept(false).pipe(concatMap((value) => (value === undefined ? throwError(() => reason) : of(value))));
    }),
  );
  if (refresh === true) return patient$;
  return kept(true).pipe(concatMap((value) => (value === undefined ? patient$ : of(value))));
};
