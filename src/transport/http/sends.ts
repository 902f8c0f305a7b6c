import { Observable, type Subscriber } from 'rxjs';
import { TransportClosedError } from '../../errors/index.js';

/** The messages of one transport that are out; all of them end with it. */
export class Sends {
  readonly #out = new Set<Subscriber<never>>();
  #over = false;

  get over(): boolean {
    return this.#over;
  }

  /** Whether any is out. */
  get any(): boolean {
    return this.#out.size > 0;
  }

  /** One message: `start` sends it for each subscriber. After the end it errors with `TransportClosedError`. */
  one(start: (subscriber: Subscriber<never>) => void): Observable<never> {
    return new Observable<never>((subscriber) => {
      if (this.#over) {
        subscriber.error(new TransportClosedError());
        return;
      }
      this.#out.add(subscriber);
      subscriber.add(() => this.#out.delete(subscriber));
      start(subscriber);
    });
  }

  /** Takes nothing new from now on. */
  refuse(): void {
    this.#over = true;
  }

  /** Takes nothing new, and fails what is out, except where `spares` says so. */
  end(reason: unknown, spares: (subscriber: Subscriber<never>) => boolean = () => false): void {
    this.refuse();
    for (const subscriber of [...this.#out]) if (!spares(subscriber)) subscriber.error(reason);
  }
}
