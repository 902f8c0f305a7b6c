import {
  AsyncSubject,
  catchError,
  concat,
  concatMap,
  defer,
  EMPTY,
  ignoreElements,
  merge,
  type Observable,
  share,
  switchMap,
  take,
  tap,
  throwError,
  timer,
} from 'rxjs';
import { NetworkError } from '../../errors/index.js';
import type { Outbound } from '../../jsonrpc/index.js';
import { methodOf } from './answer.js';
import type { Concern } from './requester.js';

/** The notice that ends the handshake. */
export const INITIALIZED = 'notifications/initialized';

/** How long a server may take to hear the notice, in ms. */
const NOTICE_MS = 5_000;

/** How long its own stream may take to open after that, in ms: some begin to answer only when they have something to say. */
const STREAM_MS = 500;

/**
 * The end of a legacy handshake on a wire where each message is an exchange of its own, so that a later one can overtake
 * it. What follows the notice is kept back until the server has heard it, since some refuse a request that comes before,
 * and until there is a stream for what it asks in return. MCP 2025-11-25 basic/lifecycle, "Initialization".
 */
export class Opening {
  readonly #heard = new AsyncSubject<true>();
  readonly #over = new AsyncSubject<true>();
  readonly #passable$: Observable<unknown> = merge(
    timer(NOTICE_MS),
    this.#heard.pipe(switchMap(() => timer(STREAM_MS))),
    this.#over,
  ).pipe(
    take(1),
    tap({
      complete: () => {
        this.#isPassable = true;
      },
    }),
    share({ connector: () => new AsyncSubject(), resetOnComplete: false }),
  );
  #begun = false;
  /** From then on nothing is waited for, and nothing made that could wait. */
  #isPassable = false;
  /** The notice, where it is to be sent again by whoever waits next. */
  #again: Observable<never> | undefined;

  /** The exchange of a message, as soon as nothing keeps it back. The notice itself begins the opening. */
  behind<T>(message: Outbound, exchange$: Observable<T>, concern: Concern = 'call'): Observable<T> {
    const method = methodOf(message);
    if (method === INITIALIZED) this.#begun = true;
    const passes = !this.#begun || method === INITIALIZED || method === undefined;
    const wantsNotice = concern === 'call' && this.#again !== undefined;
    if (passes || (this.#isPassable && !wantsNotice)) return exchange$;
    const first$ = defer((): Observable<never> => (concern === 'call' ? this.#again : undefined) ?? EMPTY);
    return this.#passable$.pipe(concatMap(() => concat(first$, exchange$)));
  }

  /**
   * The server wants an authorization for the notice, which nobody waits for. The next call does, and has it sent again before
   * itself, by whatever `notice$` does: it emits what the server answered, and errors where there is still no authorization.
   */
  refused(notice$: Observable<unknown>): void {
    this.#again = notice$.pipe(
      // What else became of it the call finds out by itself.
      catchError((reason: unknown) => (reason instanceof NetworkError ? EMPTY : throwError(() => reason))),
      tap({
        complete: () => {
          this.#again = undefined;
        },
      }),
      ignoreElements(),
      share(),
    );
    this.end();
  }

  /** The server has the notice. */
  heard(): void {
    this.#heard.next(true);
    this.#heard.complete();
  }

  /** Nothing is kept back any longer. */
  end(): void {
    this.#over.next(true);
    this.#over.complete();
  }

  /** What is kept back never leaves: it errors with `reason`. */
  fail(reason: unknown): void {
    this.#over.error(reason);
  }
}
