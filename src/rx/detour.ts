import { type MonoTypeOperatorFunction, Observable } from 'rxjs';

/**
 * Mirrors its source, but for values and errors that want more: where `onValue` or `onError` returns a stream, that
 * stream is mirrored in place of the value or the error. What wants nothing passes straight through, at the price of one
 * call. For sources of one value: several detours at once are mirrored beside each other. Completes when the source and
 * all detours have; errors with the first error nothing stands in for.
 */
export const detour =
  <T>(
    onValue: (value: T) => Observable<T> | undefined,
    onError?: (reason: unknown) => Observable<T> | undefined,
  ): MonoTypeOperatorFunction<T> =>
  (source) =>
    new Observable<T>((subscriber) => {
      let open = 1;
      const done = (): void => {
        open -= 1;
        if (open === 0) subscriber.complete();
      };
      const follow = (stream$: Observable<T>): void => {
        open += 1;
        subscriber.add(
          stream$.subscribe({
            next: (value) => {
              subscriber.next(value);
            },
            error: (reason: unknown) => {
              subscriber.error(reason);
            },
            complete: done,
          }),
        );
      };
      /** Asks where to go; what asking throws is an error like any other. */
      const ask = <A>(where: (what: A) => Observable<T> | undefined, what: A): Observable<T> | undefined | false => {
        try {
          return where(what);
        } catch (reason) {
          subscriber.error(reason);
          return false;
        }
      };
      subscriber.add(
        source.subscribe({
          next: (value) => {
            const stream$ = ask(onValue, value);
            if (stream$ === undefined) subscriber.next(value);
            else if (stream$ !== false) follow(stream$);
          },
          error: (reason: unknown) => {
            const stream$ = onError === undefined ? undefined : ask(onError, reason);
            if (stream$ === undefined) subscriber.error(reason);
            else if (stream$ !== false) {
              follow(stream$);
              done();
            }
          },
          complete: done,
        }),
      );
    });
