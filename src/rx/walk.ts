import { Observable, Subscription } from 'rxjs';

/**
 * A chain of streams of one value each: emits the value of `first`, asks `next` for the stream that follows it, and so
 * on, until `next` has none; then completes. Unlike `expand` it takes no stack, however long the chain is and however
 * promptly it answers. Errors with the first error, and with what `next` throws; a stream without a value ends the chain.
 */
export const walk = <T>(first: Observable<T>, next: (value: T) => Observable<T> | undefined): Observable<T> =>
  new Observable<T>((subscriber) => {
    let waiting: Observable<T> | undefined = first;
    let looping = false;

    const follow = (value: T): void => {
      try {
        waiting = next(value);
      } catch (reason) {
        subscriber.error(reason);
        return;
      }
      if (waiting === undefined) subscriber.complete();
      else loop();
    };

    const step = (stream$: Observable<T>): void => {
      let last: { readonly value: T } | undefined;
      const inner = new Subscription();
      subscriber.add(inner);
      inner.add(
        stream$.subscribe({
          next: (value) => {
            last = { value };
            subscriber.next(value);
          },
          error: (reason: unknown) => {
            subscriber.error(reason);
          },
          complete: () => {
            inner.unsubscribe();
            if (last === undefined) subscriber.complete();
            else follow(last.value);
          },
        }),
      );
    };

    /** Streams that answer at once come back here from within it, and are taken up by the loop that runs already. */
    const loop = (): void => {
      if (looping) return;
      looping = true;
      while (waiting !== undefined && !subscriber.closed) {
        const stream$ = waiting;
        waiting = undefined;
        step(stream$);
      }
      looping = false;
    };
    loop();
  });
