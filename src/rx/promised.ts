import { EMPTY, firstValueFrom, type Observable, type Observer } from 'rxjs';

/** A class and no closures: there is one for each call. */
class Answer<T> implements Observer<T> {
  readonly #resolve: (value: T | PromiseLike<T>) => void;
  readonly #reject: (reason: unknown) => void;
  #isThere = false;

  constructor(resolve: (value: T | PromiseLike<T>) => void, reject: (reason: unknown) => void) {
    this.#resolve = resolve;
    this.#reject = reject;
  }

  next(value: T): void {
    this.#isThere = true;
    this.#resolve(value);
  }

  error(reason: unknown): void {
    this.#reject(reason);
  }

  complete(): void {
    if (!this.#isThere) this.#resolve(firstValueFrom<T>(EMPTY));
  }
}

/**
 * A Promise of the one value of a stream that completes with it: what `firstValueFrom` makes of such a stream, at less
 * cost. Rejects with the error of the stream, and with `EmptyError` where it completes without a value.
 */
export const promised = <T>(source$: Observable<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    source$.subscribe(new Answer(resolve, reject));
  });
