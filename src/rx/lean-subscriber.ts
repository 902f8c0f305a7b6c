import { type Observer, Subscriber, Subscription, type TeardownLogic } from 'rxjs';

const release = (teardown: Exclude<TeardownLogic, void>): void => {
  if (typeof teardown === 'function') teardown();
  else teardown.unsubscribe();
};

/**
 * A subscriber with its first teardown in a field, where RxJS makes an array with room for sixteen: for what there are
 * thousands of. That teardown is called after the others. It is used as it is, without the guard that RxJS puts around an
 * observer, so what the observer throws goes back to who emitted.
 */
export class LeanSubscriber<T> extends Subscriber<T> {
  #first: Exclude<TeardownLogic, void> | undefined = undefined;

  /** @param observer told of everything, where nothing else is made of it */
  // eslint-disable-next-line @typescript-eslint/no-useless-constructor -- that of RxJS is deprecated, and takes more
  constructor(observer?: Observer<T>) {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- an operator of RxJS is made so; it is internal only in version 8
    super(observer);
  }

  override add(teardown: TeardownLogic): void {
    if (teardown === undefined || teardown === this.#first) return;
    if (this.closed || this.#isTaken) super.add(teardown);
    else if (!(teardown instanceof Subscription && teardown.closed)) this.#first = teardown;
  }

  override remove(teardown: Exclude<TeardownLogic, void>): void {
    if (teardown === this.#first) this.#first = undefined;
    else super.remove(teardown);
  }

  override unsubscribe(): void {
    const first = this.#first;
    this.#first = undefined;
    super.unsubscribe();
    if (first !== undefined) release(first);
  }

  /** What has ended by itself is no teardown any longer. */
  get #isTaken(): boolean {
    return this.#first !== undefined && !(this.#first instanceof Subscription && this.#first.closed);
  }
}
