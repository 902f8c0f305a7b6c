import { catchError, defaultIfEmpty, type Observable, of, timeout } from 'rxjs';

/** How long a store may take that is asked on the way of a call, in ms. */
export const STORE_PATIENCE_MS = 1_000;

/**
 * What a store has, as far as it says so in time: one that fails, or has not answered after {@link STORE_PATIENCE_MS}, has
 * nothing, and `undefined` is emitted in its place. Never errors; a late answer is not waited for.
 */
export const atHand = <T>(answer$: Observable<T>): Observable<T | undefined> =>
  answer$.pipe(
    timeout({ first: STORE_PATIENCE_MS, with: () => of(undefined) }),
    defaultIfEmpty(undefined),
    catchError(() => of(undefined)),
  );
