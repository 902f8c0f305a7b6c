import { asyncScheduler, catchError, defaultIfEmpty, defer, type Observable, of, timeout } from 'rxjs';

/** How long a store may take that is asked on the way of a call, in ms. */
export const STORE_PATIENCE_MS = 1_000;

/** How long one that was silent for that long is not asked again, in ms. */
const STORE_REST_MS = 10_000;

/**
 * What a store has, as far as it says so in time: one that fails, or has not answered after {@link STORE_PATIENCE_MS}, has
 * nothing, and `undefined` is emitted in its place. Never errors; a late answer is not waited for.
 */
const atHand = <T>(answer$: Observable<T>, onSilence: () => void): Observable<T | undefined> =>
  answer$.pipe(
    timeout({
      first: STORE_PATIENCE_MS,
      with: () => {
        onSilence();
        return of(undefined);
      },
    }),
    defaultIfEmpty(undefined),
    catchError(() => of(undefined)),
  );

/**
 * Asks a store on the way of calls. After it was silent it is left alone for {@link STORE_REST_MS}, and has nothing: one that
 * is away is not to slow each call.
 */
export class Reach {
  #silentAt: number | undefined;

  /** What the store has, as far as it says so in time; nothing while it is left alone. Emits once, never errors. */
  atHand<T>(answer$: Observable<T>): Observable<T | undefined> {
    return defer(() => {
      if (this.#rests) return of(undefined);
      return atHand(answer$, () => {
        this.#silentAt = asyncScheduler.now();
      });
    });
  }

  get #rests(): boolean {
    if (this.#silentAt === undefined) return false;
    const since = asyncScheduler.now() - this.#silentAt;
    // Less than none: the clock was set back.
    return since >= 0 && since < STORE_REST_MS;
  }
}
