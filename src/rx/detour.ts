import { type MonoTypeOperatorFunction, Observable, type Observer, type Subscriber } from 'rxjs';

/** Where a value leads: another stream, nowhere else. */
type Way<T, A> = ((what: A) => Observable<T> | undefined) | undefined;

/** One subscription to a source and its detours. A class and no closures: there are two for each call. */
class Walk<T> implements Observer<T> {
  readonly #subscriber: Subscriber<T>;
  readonly #onValue: Way<T, T>;
  readonly #onError: Way<T, unknown>;
  #open = 1;

  constructor(subscriber: Subscriber<T>, onValue: Way<T, T>, onError: Way<T, unknown>) {
    this.#subscriber = subscriber;
    this.#onValue = onValue;
    this.#onError = onError;
  }

  next(value: T): void {
    const stream$ = this.#ask(this.#onValue, value);
    if (stream$ === undefined) this.#subscriber.next(value);
    else if (stream$ !== false) this.#follow(stream$);
  }

  error(reason: unknown): void {
    const stream$ = this.#ask(this.#onError, reason);
    if (stream$ === undefined) this.#subscriber.error(reason);
    else if (stream$ !== false) {
      this.#follow(stream$);
      this.complete();
    }
  }

  complete(): void {
    this.#open -= 1;
    if (this.#open === 0) this.#subscriber.complete();
  }

  #follow(stream$: Observable<T>): void {
    this.#open += 1;
    this.#subscriber.add(
      stream$.subscribe({
        next: (value) => {
          this.#subscriber.next(value);
        },
        error: (reason: unknown) => {
          this.#subscriber.error(reason);
        },
        complete: () => {
          this.complete();
        },
      }),
    );
  }

  /** Asks where to go; what asking throws is an error like any other, and `false`. */
  #ask<A>(way: Way<T, A>, what: A): Observable<T> | undefined | false {
    try {
      return way?.(what);
    } catch (reason) {
      this.#subscriber.error(reason);
      return false;
    }
  }
}

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
    new Observable<T>((subscriber) => source.subscribe(new Walk(subscriber, onValue, onError)));
