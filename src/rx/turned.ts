import { isObservable, Observable, type Observer, type OperatorFunction, type Subscriber } from 'rxjs';

/** What a value becomes: another value, or a stream of them. */
type OnValue<T, R> = (value: T) => R | Observable<R>;
/** Where an error leads: to a stream, or nowhere else. */
type OnError<R> = ((reason: unknown) => Observable<R> | undefined) | undefined;

/** One subscription to a source and its detours. A class and no closures: there is one for each call. */
class Walk<T, R> implements Observer<T> {
  readonly #subscriber: Subscriber<R>;
  readonly #onValue: OnValue<T, R>;
  readonly #onError: OnError<R>;
  #open = 1;

  constructor(subscriber: Subscriber<R>, onValue: OnValue<T, R>, onError: OnError<R>) {
    this.#subscriber = subscriber;
    this.#onValue = onValue;
    this.#onError = onError;
  }

  next(value: T): void {
    let way: R | Observable<R>;
    try {
      way = this.#onValue(value);
    } catch (reason) {
      this.#subscriber.error(reason);
      return;
    }
    if (isObservable(way)) this.#follow(way);
    else this.#subscriber.next(way);
  }

  error(reason: unknown): void {
    let way: Observable<R> | undefined;
    try {
      way = this.#onError?.(reason);
    } catch (other) {
      this.#subscriber.error(other);
      return;
    }
    if (way === undefined) this.#subscriber.error(reason);
    else {
      this.#follow(way);
      this.complete();
    }
  }

  complete(): void {
    this.#open -= 1;
    if (this.#open === 0) this.#subscriber.complete();
  }

  #follow(stream$: Observable<R>): void {
    // Asking for the stream may have had the subscriber leave.
    if (this.#subscriber.closed) return;
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
}

/**
 * Emits what `onValue` makes of each value of its source: a value, or what a stream emits; and in place of an error what
 * the stream emits that `onError` returns for it, if it does. What is a value passes straight through, at the price of one
 * call. For sources of one value: several streams at once are mirrored beside each other. Completes when the source and all
 * streams have; errors with the first error nothing stands in for, and with what the two functions throw.
 */
export const turned =
  <T, R>(onValue: OnValue<T, R>, onError?: OnError<R>): OperatorFunction<T, R> =>
  (source) =>
    new Observable<R>((subscriber) => source.subscribe(new Walk(subscriber, onValue, onError)));
