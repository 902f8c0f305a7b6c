import { concat, defer, EMPTY, finalize, map, merge, Observable, take, tap } from 'rxjs';
import type { RequestId } from '../jsonrpc/index.js';
import type { InputEvent, InputQuestion, Outcome } from '../protocol/index.js';
import { type Deadlines, type Link, Links } from '../rx/index.js';
import type { CallClocks } from './clocks.js';
import type { Operation } from './operation.js';

/** A request that is out. */
export interface Running extends Link<Running> {
  /** The id of what is out for it, once that is about to leave. */
  readonly id?: RequestId | undefined;
  readonly operation: Operation;
  readonly clocks: CallClocks;
  /** True once the server, or the end of the wire, has answered it; one that ends without was given up. */
  answered: boolean;
  /** Whether anybody waits for it still. */
  wanted(): boolean;
  /** Ends it. */
  error(reason: unknown): void;
}

/** What a client has begun and not ended: requests that are out, and calls that wait for the application in between. */
export class InFlight extends Links<Running> {
  // Made with the first use.
  #waiting: Set<() => void> | undefined;
  #givenUp: Set<(running: Running) => void> | undefined;
  #held = 0;

  override delete(running: Running): boolean {
    const wasThere = super.delete(running);
    if (!running.answered && this.#givenUp !== undefined) for (const tell of [...this.#givenUp]) tell(running);
    this.#settled();
    return wasThere;
  }

  /** Counts a call as in flight from its subscription to its end: also while no request of it is out. */
  hold<T>(call$: Observable<T>): Observable<T> {
    return defer(() => {
      this.#held += 1;
      return call$.pipe(
        finalize(() => {
          this.#held -= 1;
          this.#settled();
        }),
      );
    });
  }

  /**
   * Wraps the answering of a legacy server's own question. While it is subscribed the clocks of all requests that are
   * out stand still, since any of them may wait for the answer. A question that came on the own channel of one of them is
   * for that one, else it may be for any: those are shown it, where they are open with events, and when they all were given
   * up, it ends with `unwanted`, where there is such a thing.
   */
  during(
    question: InputQuestion,
    outcome$: Observable<Outcome>,
    unwanted: Outcome | undefined,
    channel?: RequestId,
  ): Observable<Outcome> {
    return defer(() => {
      const running = [...this];
      const own = channel === undefined ? [] : running.filter(({ id }) => id === channel);
      const waiting = own.length === 0 ? running : own;
      const show = (event: InputEvent): void => {
        for (const { operation } of waiting) operation.events?.input(event);
      };
      // All: that a question comes on the channel of its call is what a server should do, and need not.
      for (const { clocks } of running) clocks.pause();
      // Whoever sees the question may leave at once, and then nobody is to be asked.
      const asked$ = concat(
        defer(() => {
          show(question);
          return EMPTY;
        }),
        outcome$,
      );
      const ending$ =
        unwanted === undefined
          ? asked$
          : merge(this.#deserted(waiting).pipe(map(() => unwanted)), asked$).pipe(take(1));
      return ending$.pipe(
        tap((outcome) => {
          if ('result' in outcome) show({ ...question, answer: outcome.result });
        }),
        finalize(() => {
          for (const { clocks } of running) clocks.resume();
        }),
      );
    });
  }

  /** Resolves when nothing is in flight, or `ms` milliseconds are over; `undefined` if nothing is now. */
  quiet(deadlines: Deadlines, ms: number): Promise<void> | undefined {
    if (this.#quiet) return undefined;
    const waiting = (this.#waiting ??= new Set());
    return new Promise((resolve) => {
      const done = (): void => {
        deadline.cancel();
        waiting.delete(done);
        resolve();
      };
      const deadline = deadlines.start(ms, done);
      waiting.add(done);
    });
  }

  /** Emits when the last of these requests has been given up; never, if there were none or one was answered. */
  #deserted(running: readonly Running[]): Observable<void> {
    return new Observable((subscriber) => {
      const givenUp = (this.#givenUp ??= new Set());
      const left = new Set(running);
      const tell = (one: Running): void => {
        if (left.delete(one) && left.size === 0) subscriber.next();
      };
      givenUp.add(tell);
      return () => givenUp.delete(tell);
    });
  }

  get #quiet(): boolean {
    return this.size === 0 && this.#held === 0;
  }

  #settled(): void {
    if (this.#waiting === undefined || !this.#quiet) return;
    for (const done of [...this.#waiting]) done();
  }
}
