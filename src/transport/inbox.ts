import { Observable } from 'rxjs';
import type { Observer, Subscriber } from 'rxjs';
import { TransportError } from '../errors/index.js';

/**
 * Holds what arrives until its one subscriber is there, and passes it straight on from then on. Unlike a
 * `ReplaySubject` it forgets what it has handed over.
 */
export class Inbox<T> implements Observer<T> {
  #held: T[] = [];
  #reader: Subscriber<T> | undefined;
  #isAbandoned = false;
  #end: ((reader: Subscriber<T>) => void) | undefined;

  /**
   * What was held, then what arrives, then the end, all synchronously. For one subscriber at a time: a second one
   * gets a `TransportError`. Once a subscriber has left nothing is held any more; the next one gets what comes from then on.
   */
  readonly stream$ = new Observable<T>((reader) => {
    if (this.#reader !== undefined) {
      reader.error(new TransportError(new Error('inbound$ has a subscriber already')));
      return;
    }
    this.#reader = reader;
    this.#isAbandoned = false;
    reader.add(() => {
      this.#reader = undefined;
      this.#isAbandoned = true;
    });
    // What arrives while this is handed over joins the end of the line.
    for (let at = 0; at < this.#held.length && !reader.closed; at += 1) reader.next(this.#held[at] as T);
    this.#held = [];
    this.#end?.(reader);
  });

  next(value: T): void {
    if (this.#end !== undefined || this.#isAbandoned) return;
    if (this.#reader === undefined || this.#held.length > 0) this.#held.push(value);
    else this.#reader.next(value);
  }

  error(reason: unknown): void {
    this.#finish((reader) => reader.error(reason));
  }

  complete(): void {
    this.#finish((reader) => reader.complete());
  }

  #finish(end: (reader: Subscriber<T>) => void): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    if (this.#reader !== undefined && this.#held.length === 0) end(this.#reader);
  }
}
