import { Subscriber, Subscription, type TeardownLogic, type Unsubscribable } from 'rxjs';

/** What is still to be ended. One that has ended needs nothing. */
const isOpen = (teardown: TeardownLogic): teardown is Unsubscribable =>
  typeof teardown === 'object' && !(teardown instanceof Subscription && teardown.closed);

/**
 * A subscriber of an operator's own: given to a source itself, where an observer would be wrapped twice. Its first teardown
 * is in a field, where an array would be made with room for seventeen: there are several for each call. That teardown is
 * called after the others, and kept until the end, though it may have ended before.
 */
export abstract class LightSubscriber<T> extends Subscriber<T> {
  #first: Unsubscribable | undefined = undefined;

  // eslint-disable-next-line @typescript-eslint/no-useless-constructor -- with this one, those behind it are not called deprecated
  constructor() {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- an operator of RxJS is made so; it is internal only in version 8
    super();
  }

  override add(teardown: TeardownLogic): void {
    if (!this.closed && this.#first === undefined && teardown !== this && isOpen(teardown)) this.#first = teardown;
    else super.add(teardown);
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
