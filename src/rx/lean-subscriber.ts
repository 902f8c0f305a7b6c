import { type Observer, Subscriber, Subscription, type TeardownLogic, type Unsubscribable } from 'rxjs';

/** What is still to be ended. One that has ended needs nothing. */
const isOpen = (teardown: TeardownLogic): teardown is Unsubscribable =>
  typeof teardown === 'object' && !(teardown instanceof Subscription && teardown.closed);

/**
 * A subscriber for what there are thousands of, given to a source itself, where an observer would be wrapped twice: an
 * operator of our own, or the observer that it is made with. Its first teardown is in a field, where RxJS makes an array
 * with room for seventeen. That teardown is called after the others, and kept until the end, though it may have ended
 * before. There is no guard around the observer: what it throws goes back to who emitted.
 */
export class LeanSubscriber<T> extends Subscriber<T> {
  #first: Unsubscribable | undefined = undefined;

  /** @param observer told of everything, where nothing else is made of it */
  // eslint-disable-next-line @typescript-eslint/no-useless-constructor -- that of RxJS is deprecated, and takes more
  constructor(observer?: Observer<T>) {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- an operator of RxJS is made so; it is internal only in version 8
    super(observer);
  }

  override add(teardown: TeardownLogic): void {
    if (teardown === this || (teardown !== undefined && teardown === this.#first)) return;
    if (!this.closed && this.#first === undefined && isOpen(teardown)) this.#first = teardown;
    else super.add(teardown);
  }

  override remove(teardown: Exclude<TeardownLogic, void>): void {
    if (teardown === this.#first) this.#first = undefined;
    else super.remove(teardown);
  }

  override unsubscribe(): void {
    const first = this.#first;
    this.#first = undefined;
    try {
      super.unsubscribe();
    } finally {
      first?.unsubscribe();
    }
  }
}
