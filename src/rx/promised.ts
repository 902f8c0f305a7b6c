import {
  EMPTY,
  firstValueFrom,
  type Observable,
  Subscriber,
  Subscription,
  type TeardownLogic,
  type Unsubscribable,
} from 'rxjs';

const isUnsubscribable = (teardown: TeardownLogic): teardown is Unsubscribable =>
  typeof teardown === 'object' && !(teardown instanceof Subscription);

/**
 * Who waits for the value; the subscriber itself, where an observer would be given one, and with its first teardown in a
 * field, where an array would be made with room for sixteen: there is one for each call. That teardown is called after the others.
 */
class Answer<T> extends Subscriber<T> {
  readonly #resolve: (value: T | PromiseLike<T>) => void;
  readonly #reject: (reason: unknown) => void;
  #isThere = false;
  #first: Unsubscribable | undefined = undefined;

  constructor(resolve: (value: T | PromiseLike<T>) => void, reject: (reason: unknown) => void) {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- an operator of RxJS is made so; it is internal only in version 8
    super();
    this.#resolve = resolve;
    this.#reject = reject;
  }

  override add(teardown: TeardownLogic): void {
    if (!this.closed && this.#first === undefined && isUnsubscribable(teardown)) this.#first = teardown;
    else super.add(teardown);
  }

  override unsubscribe(): void {
    const first = this.#first;
    this.#first = undefined;
    super.unsubscribe();
    first?.unsubscribe();
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
