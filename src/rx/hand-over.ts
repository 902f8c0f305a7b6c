import { defer, Observable, Subscription, type OperatorFunction } from 'rxjs';

/**
 * Like `switchMap`, but the stream that is left is unsubscribed only when the new one has emitted its first value, so
 * that nothing is missed in between; until then both are mirrored. Completes when the source and the last stream have;
 * errors with the error of the source or of a stream that is in use.
 */
export const handOver =
  <T, R>(project: (value: T) => Observable<R>): OperatorFunction<T, R> =>
  (source) =>
    new Observable<R>((subscriber) => {
      let current: Subscription | undefined;
      let newest: Subscription | undefined;
      let sourceDone = false;
      const completeIfDone = (): void => {
        if (sourceDone && current === undefined && newest === undefined) subscriber.complete();
      };
      const take = (value: T): void => {
        // A stream that never got to emit is left for good: what it was to bring, the next one brings.
        newest?.unsubscribe();
        const inner = new Subscription();
        newest = inner;
        subscriber.add(inner);
        inner.add(
          defer(() => project(value)).subscribe({
            next: (result) => {
              if (newest === inner) {
                current?.unsubscribe();
                current = inner;
                newest = undefined;
              }
              subscriber.next(result);
            },
            error: (reason: unknown) => {
              subscriber.error(reason);
            },
            complete: () => {
              if (newest === inner) newest = undefined;
              if (current === inner) current = undefined;
              inner.unsubscribe();
              completeIfDone();
            },
          }),
        );
      };
      subscriber.add(
        source.subscribe({
          next: take,
          error: (reason: unknown) => {
            subscriber.error(reason);
          },
          complete: () => {
            sourceDone = true;
            completeIfDone();
          },
        }),
      );
    });
