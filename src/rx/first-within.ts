import { type MonoTypeOperatorFunction, NEVER, Observable, switchMap, timer } from 'rxjs';

/**
 * Mirrors its source, which is to emit its first value within `ms` milliseconds; else errors with what `toError` makes. While
 * `waits$` says true the time stands still, and it starts anew afterwards.
 * @param waits$ emits the state of things at once; without it the time never stands still
 */
export const firstWithin =
  <T>(ms: number, waits$: Observable<boolean> | undefined, toError: () => unknown): MonoTypeOperatorFunction<T> =>
  (source) =>
    new Observable<T>((subscriber) => {
      const late$ = waits$ === undefined ? timer(ms) : waits$.pipe(switchMap((waits) => (waits ? NEVER : timer(ms))));
      const clock = late$.subscribe({
        next: () => {
          subscriber.error(toError());
        },
        error: (reason: unknown) => {
          subscriber.error(reason);
        },
      });
      subscriber.add(clock);
      subscriber.add(
        source.subscribe({
          next: (value) => {
            clock.unsubscribe();
            subscriber.next(value);
          },
          error: (reason: unknown) => {
            subscriber.error(reason);
          },
          complete: () => {
            subscriber.complete();
          },
        }),
      );
    });
