import { concat, defer, ignoreElements, merge, type Observable, of, tap } from 'rxjs';

/**
 * Subscribes to all streams at once, and emits the last value of each, in their order, when all have completed; then completes.
 * Errors with the first error. Each is to have a value: it is what `forkJoin` does, of operators that are there already.
 */
export const together = <T extends readonly unknown[]>(streams: {
  readonly [K in keyof T]: Observable<T[K]>;
}): Observable<T> =>
  defer(() => {
    const last: unknown[] = [];
    const all = streams.map((stream$, index) =>
      stream$.pipe(
        tap((value) => {
          last[index] = value;
        }),
      ),
    );
    return concat(merge(...all).pipe(ignoreElements()), of(last as unknown as T));
  });
