import { isObservable, Observable, type OperatorFunction, type Subscriber } from 'rxjs';
import { LightSubscriber } from './light-subscriber.js';

/** What a value becomes: another value, or a stream of them. */
type OnValue<T, R> = (value: T) => R | Observable<R>;
/** Where an error leads: to a stream, or nowhere else. */
type OnError<R> = ((reason: unknown) => Observable<R> | undefined) | undefined;

/** One subscription to a source and its detours. It is the subscriber itself, and no closures: there are some for each call. */
class Walk<T, R> extends LightSubscriber<T> {
  readonly #to: Subscriber<R>;
  readonly #onValue: OnValue<T, R>;
  readonly #onError: OnError<R>;
  #open = 1;

  constructor(to: Subscriber<R>, onValue: OnValue<T, R>, onError: OnError<R>) {
    super();
    this.#to = to;
    this.#onValue = onValue;
    this.#onError = onError;
    to.add(this);
  }

  /** A stream that was followed is over, or the source. */
  ended(): void {
    this.#open -= 1;
    if (this.#open === 0) this.#to.complete();
  }

  protected override _next(value: T): void {
    let way: R | Observable<R>;
    try {
      way = this.#onValue(value);
    } catch (reason) {
      this.#to.error(reason);
      return;
    }
    if (isObservable(way)) this.#follow(way);
    else this.#to.next(way);
  }

  protected override _error(reason: unknown): void {
    let way: Observable<R> | undefined;
    try {
      way = this.#onError?.(reason);
    } catch (other) {
      this.#to.error(other);
      return;
    }
    if (way === undefined) this.#to.error(reason);
    else {
      this.#follow(way);
      this.ended();
    }
    this.unsubscribe();
  }

  protected override _complete(): void {
    this.ended();
    this.unsubscribe();
  }

  #follow(stream$: Observable<R>): void {
    // Asking for the stream may have had the subscriber leave.
    if (this.#to.closed) return;
    this.#open += 1;
    stream$.subscribe(new Detour(this.#to, this));
  }
}

/** One stream that stands in for a value or an error. */
class Detour<R> extends LightSubscriber<R> {
  readonly #to: Subscriber<R>;
  readonly #owner: { ended(): void };

  constructor(to: Subscriber<R>, walk: { ended(): void }) {
    super();
    this.#to = to;
    this.#owner = walk;
    to.add(this);
  }

  protected override _next(value: R): void {
    this.#to.next(value);
  }

  protected override _error(reason: unknown): void {
    this.#to.error(reason);
    this.unsubscribe();
  }

  protected override _complete(): void {
    this.#owner.ended();
    this.unsubscribe();
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
    new Observable<R>((subscriber) => {
      source.subscribe(new Walk(subscriber, onValue, onError));
    });
