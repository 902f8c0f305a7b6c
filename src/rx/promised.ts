import { EMPTY, firstValueFrom, type Observable } from 'rxjs';
import { LightSubscriber } from './light-subscriber.js';

/** Who waits for the value. */
class Answer<T> extends LightSubscriber<T> {
  readonly #resolve: (value: T | PromiseLike<T>) => void;
  readonly #reject: (reason: unknown) => void;
  #isThere = false;

  constructor(resolve: (value: T | PromiseLike<T>) => void, reject: (reason: unknown) => void) {
    super();
    this.#resolve = resolve;
    this.#reject = reject;
  }

  protected override _next(value: T): void {
    this.#isThere = true;
    this.#resolve(value);
  }

  protected override _error(reason: unknown): void {
    this.#reject(reason);
    this.unsubscribe();
  }

  protected override _complete(): void {
    if (!this.#isThere) this.#resolve(firstValueFrom<T>(EMPTY));
    this.unsubscribe();
  }
}

/**
 * A Promise of the one value of a stream that completes with it: what `firstValueFrom` makes of such a stream, at less
 * cost. Rejects with the error of the stream, and with `EmptyError` where it completes without a value.
 * @param source the stream, or what makes it: the Promise rejects with what that throws
 */
export const promised = <T>(source: Observable<T> | (() => Observable<T>)): Promise<T> =>
  new Promise((resolve, reject) => {
    const source$ = typeof source === 'function' ? source() : source;
    source$.subscribe(new Answer(resolve, reject));
  });
