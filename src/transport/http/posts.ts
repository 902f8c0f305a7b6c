import { Observable, Subscription } from 'rxjs';
import { TimeoutError, UnsentError } from '../../errors/index.js';
import { Deadlines } from '../../rx/index.js';

/** How many are out at once: each has a connection of its own. */
const AT_ONCE = 64;
/** How many wait for their turn. */
const WAITING = 1_000;
/** How long the server may take to accept one, in ms: nobody else's clock ends it. */
const ACCEPT_MS = 30_000;

/**
 * The POSTs of one wire that want no answer: notices, and answers to what the server asked. A server that never accepts
 * them would otherwise have one connection more for each.
 */
export class Posts {
  readonly #deadlines = new Deadlines();
  /** The oldest first. */
  readonly #queue = new Set<() => void>();
  #out = 0;

  /**
   * The exchange of one, as soon as it is its turn. Errors with `TimeoutError` where the server has not accepted it within
   * 30 s, and with `UnsentError` where too many wait already.
   * @param what names it in errors
   */
  one<T>(exchange$: Observable<T>, what: string): Observable<T> {
    return new Observable<T>((subscriber) => {
      const start = (): void => {
        this.#queue.delete(start);
        this.#out += 1;
        const exchange = new Subscription();
        const deadline = this.#deadlines.start(ACCEPT_MS, () => {
          subscriber.error(new TimeoutError(what, undefined, ACCEPT_MS));
        });
        exchange.add(() => {
          deadline.cancel();
          this.#out -= 1;
          this.#next();
        });
        subscriber.add(exchange);
        exchange.add(exchange$.subscribe(subscriber));
      };
      if (this.#out < AT_ONCE) {
        start();
        return;
      }
      if (this.#queue.size >= WAITING) {
        subscriber.error(new UnsentError('too many messages wait for the server to accept those before them'));
        return;
      }
      this.#queue.add(start);
      subscriber.add(() => this.#queue.delete(start));
    });
  }

  #next(): void {
    for (const start of this.#queue) {
      if (this.#out >= AT_ONCE) return;
      start();
    }
  }
}
