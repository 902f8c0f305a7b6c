import { Observable, type OperatorFunction } from 'rxjs';

/**
 * Emits, for each value of its source, what `project` makes of it, in order and before the next value: what `mergeMap`
 * does with an array, without an inner subscription for each. What `project` throws is an error. Completes and errors with the
 * source; unsubscribing unsubscribes from it. For sources that stop emitting once they are unsubscribed from.
 */
export const each =
  <T, R>(project: (value: T) => readonly R[]): OperatorFunction<T, R> =>
  (source) =>
    new Observable<R>((subscriber) =>
      source.subscribe({
        next: (value) => {
          if (subscriber.closed) return;
          let values: readonly R[];
          try {
            values = project(value);
          } catch (reason) {
            subscriber.error(reason);
            return;
          }
          for (const one of values) {
            if (subscriber.closed) return;
            subscriber.next(one);
          }
        },
        error: (reason: unknown) => {
          subscriber.error(reason);
        },
        complete: () => {
          subscriber.complete();
        },
      }),
    );
