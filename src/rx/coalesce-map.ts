import { defer, Observable, Subscription, type OperatorFunction } from 'rxjs';

/**
 * Runs one stream at a time, like `concatMap`; but however many values arrive while one runs, they are answered by a
 * single run after it, made for the last of them. So the last value is always followed by a whole run, and a storm costs
 * two. Completes when the source has and no run is under way; errors with the first error.
 */
export const coalesceMap =
  <T, R>(project: (value: T) => Observable<R>): OperatorFunction<T, R> =>
  (source) =>
    new Observable<R>((subscriber) => {
      let running = false;
      let sourceDone = false;
      let waiting: { readonly value: T } | undefined;
      const run = (value: T): void => {
        running = true;
        const inner = new Subscription();
        subscriber.add(inner);
        inner.add(
          defer(() => project(value)).subscribe({
            next: (result) => {
              subscriber.next(result);
            },
            error: (reason: unknown) => {
              subscriber.error(reason);
            },
            complete: () => {
              running = false;
              inner.unsubscribe();
              const next = waiting;
              waiting = undefined;
              if (next !== undefined) run(next.value);
              else if (sourceDone) subscriber.complete();
            },
          }),
        );
      };
      subscriber.add(
        source.subscribe({
          next: (value) => {
            if (running) waiting = { value };
            else run(value);
          },
          error: (reason: unknown) => {
            subscriber.error(reason);
          },
          complete: () => {
            sourceDone = true;
            if (!running) subscriber.complete();
          },
        }),
      );
    });
