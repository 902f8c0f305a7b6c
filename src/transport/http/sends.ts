import { Observable, type Subscriber } from 'rxjs';
import { TransportClosedError } from '../../errors/index.js';

/** The messages of one transport that are out; all of them end with it. */
export class Sends {
  readonly #out = new Set<Subscriber<never>>();
  #end: { readonly reason: unknown } | undefined;

  get over(): boolean {
    return this.#end !== undefined;
  }

  /** One message: `start` sends it for each subscriber. After the end it errors with `TransportClosedError`. */
  one(start: (subscriber: Subscriber<never>) => void): Observable<never> {
    return new Observable<never>((subscriber) => {
      if (this.#end !== undefined) {
        subscriber.error(new TransportClosedError());
        return;
      }
      this.#out.add(subscriber);
      subscriber.add(() => this.#out.delete(subscriber));
      start(subscriber);
    });
  }

  /** Fails everything that is out. Idempotent. */
  end(reason: unknown): void {
    if (this.#end !== undefined) return;
    this.#end = { reason };
    for (const subscriber of [...this.#out]) subscriber.error(reason);
  }
}
