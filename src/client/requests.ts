import { asyncScheduler, defer, Observable, type Subscriber } from 'rxjs';
import { McpError, NetworkError, OutcomeUnknownError, TimeoutError, UnsentError } from '../errors/index.js';
import { checkMeta, type Life, Patience, type Result } from '../protocol/index.js';
import { Deadlines, firstWithin, turned } from '../rx/index.js';
import type { Channels, LogLevel } from '../session/index.js';
import type { RetryTerms, SendHints } from '../transport/index.js';
import { abortable } from './abortable.js';
import { type CallOptions, checkCallOptions } from './call-options.js';
import type { Limits } from './clocks.js';
import type { Connection } from './connection.js';
import { InFlight } from './in-flight.js';
import { stampedLevel } from './log-level.js';
import type { Operation } from './operation.js';
import type { Settings } from './options.js';
import { renegotiated } from './renegotiate.js';
import { Run, type Runner, type Turn } from './run.js';

/** Those of all clients: one timer does for them, also for calls that come one after another. */
const deadlines = new Deadlines(asyncScheduler, true);

/** What goes with a request besides its body. */
const hintsFor = (run: Run, { session }: Life): SendHints | undefined => {
  const { operation } = run;
  const { background, call = run } = operation;
  if (session.transport.mirrorsHeaders) return { headers: operation.headers?.(operation), background, call };
  return background === true ? { background } : undefined;
};

/** What requests are sent by: the same for all of a client. */
export interface RequestTerms {
  readonly connection: Connection;
  readonly settings: Settings;
  readonly channels: Channels;
  /** How what was sent in vain is sent again. */
  readonly retry: RetryTerms;
}

/**
 * Sends operations over the client's connection: each with its clocks, its one answer, and the rules of what
 * may be sent twice. A request is repeated, once, only if it never left or repeating it does no harm.
 */
export class Requests implements Runner {
  /** What has begun and has not ended. */
  readonly inFlight = new InFlight();
  /** From which severity servers are asked to log; `setLogLevel` changes it. */
  logLevel: LogLevel | undefined;
  readonly #terms: RequestTerms;
  /** What the calls that go on after an answer, or a refusal, began as. */
  #begunBy: WeakMap<object, object> | undefined;
  #refusing = false;

  constructor(terms: RequestTerms) {
    this.#terms = terms;
    this.logLevel = terms.settings.logLevel;
  }

  /** True from the call of {@link drain}: nothing new is taken. */
  get refusing(): boolean {
    return this.#refusing;
  }

  /**
   * Cold. Emits the decoded result once and completes. Errors with `TimeoutError`, `CancelledError`,
   * `ProtocolError`, `InvalidMessageError`, `OutcomeUnknownError`, `OptionError`, `UnsupportedFeatureError`,
   * or what ended the connection. Unsubscribing tells the server.
   */
  run(operation: Operation): Observable<Result> {
    return this.#running<Result>(operation, undefined);
  }

  /** {@link run}, whose result and error become what `turn` makes of them. Errors with what is thrown there, too. */
  turned<T>(operation: Operation, turn: Turn<T>): Observable<T> {
    if (operation.options?.signal === undefined) return this.#running(operation, turn);
    // The signal ends the run; what follows it has listeners of its own.
    return this.run(operation).pipe(
      turned(
        (result) => turn.result(result),
        (reason) => turn.error(reason),
      ),
    );
  }

  /**
   * Emits a connection that is ready, once, and completes; makes one where there is none. `what` names the
   * call in a `TimeoutError`. Errors like {@link run}.
   */
  ready(what: string, options: CallOptions | undefined): Observable<Life> {
    return defer(() => {
      if (options !== undefined) checkCallOptions(options);
      if (this.#refusing) throw new UnsentError('the client is closed');
      const timeoutMs = options?.timeoutMs ?? this.#terms.settings.requestTimeoutMs;
      const life$ = this.#terms.connection.use();
      const late = (): TimeoutError => new TimeoutError(what, undefined, timeoutMs);
      const timed$ = timeoutMs === 0 ? life$ : life$.pipe(firstWithin(timeoutMs, this.#terms.connection.waits$, late));
      return timed$.pipe(abortable(options?.signal, what));
    });
  }

  /** Mirrors what takes several requests, which have the time of one together: else errors with `TimeoutError`. */
  within<T>(source$: Observable<T>, what: string, options: CallOptions | undefined): Observable<T> {
    const maxTotalMs = options?.maxTotalMs ?? this.#terms.settings.maxTotalMs;
    if (maxTotalMs === 0) return source$;
    const late = (): TimeoutError => new TimeoutError(what, undefined, maxTotalMs);
    // A request that is late by itself says so first.
    return source$.pipe(firstWithin(maxTotalMs + 1, this.#terms.connection.waits$, late));
  }

  /** Refuses what is new, and resolves when nothing is in flight or `drainMs` milliseconds are over; at once is `undefined`. */
  drain(drainMs: number): Promise<void> | undefined {
    this.#refusing = true;
    return drainMs > 0 ? this.inFlight.quiet(deadlines, drainMs) : undefined;
  }

  /** Ends with `reason` what the end of the connection did not: what waits to be sent again is on no wire. */
  close(reason: McpError): void {
    for (const run of [...this.inFlight]) if (run.wanted()) run.error(reason);
    deadlines.release();
  }

  /** What a later request names as its `call`, after one that ended with this result or error. */
  callOf(outcome: object): object | undefined {
    return this.#begunBy?.get(outcome);
  }

  #running<T>(operation: Operation, turn: Turn<T> | undefined): Observable<T> {
    const { method, options } = operation;
    if (options === undefined) return new Observable((subscriber) => void this.#start(operation, subscriber, turn));
    return defer(() => {
      checkCallOptions(options);
      if (options.meta !== undefined) checkMeta(options.meta);
      let run: Run | undefined;
      const call$ = new Observable<T>((subscriber) => {
        run = this.#start(operation, subscriber, turn);
      });
      return call$.pipe(abortable(options.signal, method, () => run?.id, true));
    });
  }

  #start<T>(operation: Operation, subscriber: Subscriber<T>, turn: Turn<T> | undefined): Run | undefined {
    if (this.#refusing && operation.continues !== true) {
      subscriber.error(new UnsentError(`the client is ${this.#terms.connection.closed ? 'closed' : 'closing'}`));
      return undefined;
    }
    try {
      operation.prepare?.(operation);
    } catch (reason) {
      subscriber.error(reason);
      return undefined;
    }
    const run = new Run(operation, subscriber, this, deadlines, this.#limitsOf(operation), turn);
    this.inFlight.add(run);
    subscriber.add(run.clocks.follow(this.#terms.connection.waits$));
    this.#useLife(run);
    // Last: what waits for a connection, and for its turn, goes first.
    subscriber.add(run);
    return run;
  }

  /** One object for all calls that have no limits of their own. */
  #limitsOf({ options }: Operation): Limits {
    const { limits } = this.#terms.settings;
    if (options?.timeoutMs === undefined && options?.maxTotalMs === undefined) return limits;
    const { timeoutMs, maxTotalMs } = limits;
    return { timeoutMs: options.timeoutMs ?? timeoutMs, maxTotalMs: options.maxTotalMs ?? maxTotalMs };
  }

  /** Whether a progress token goes with the call. */
  #reports({ events, options }: Operation): boolean {
    return (
      events !== undefined ||
      options?.resetOnProgress === true ||
      options?.progressToken !== undefined ||
      this.#terms.channels.wantsProgress
    );
  }

  #useLife(run: Run): void {
    const { life } = this.#terms.connection;
    if (life !== undefined) {
      this.#send(run, life);
      return;
    }
    // Whether it reports progress is only known as it is sent, and the wait counts.
    run.clocks.cap();
    run.subscriber.add(
      this.#terms.connection.use().subscribe({
        next: (ready) => {
          this.#send(run, ready);
        },
        error: (reason: unknown) => {
          run.error(reason);
        },
      }),
    );
  }

  #send(run: Run, life: Life): void {
    const { operation } = run;
    const { options, events } = operation;
    const { codec } = life.agreement;
    const method = codec.era === 'modern' ? (operation.modernMethod ?? operation.method) : operation.method;
    let repeatable: boolean;
    try {
      const unasked = operation.unasked?.(life.agreement);
      if (unasked !== undefined) {
        run.emit(unasked);
        return;
      }
      operation.check?.(life.agreement, operation);
      repeatable = operation.repeatable(operation);
    } catch (reason) {
      run.error(reason);
      return;
    }
    const logLevel =
      codec.era === 'modern' ? stampedLevel(options?.logLevel ?? this.logLevel, this.#terms.channels) : undefined;
    const reports = this.#reports(operation);
    if (reports) run.clocks.cap();
    const resets = options?.resetOnProgress ?? this.#terms.settings.resetOnProgress;
    run.prepare(life, method, repeatable, logLevel);
    run.progressToken = options?.progressToken ?? (reports ? true : undefined);
    run.onProgress = reports
      ? (progress) => {
          if (resets) run.clocks.restart();
          events?.progress(progress);
        }
      : undefined;
    run.hints = hintsFor(run, life);
    life.session.begin(run, run);
  }

  /** A question is the answer of a run: a runner's method, as are the next two. */
  asked(run: Run, outcome: object): void {
    this.#begunBy ??= new WeakMap();
    this.#begunBy.set(outcome, run.operation.call ?? run);
  }

  over(run: Run): void {
    this.inFlight.delete(run);
  }

  failed(run: Run, life: Life, reason: unknown, repeatable: boolean): void {
    if (life.session.end !== undefined || !life.session.transport.alive) {
      this.#lost(run, reason, repeatable);
      return;
    }
    if (this.#goesOn(run, reason, repeatable)) return;
    const renewed = run.renegotiated ? undefined : renegotiated(life, reason, this.#terms.settings);
    if (renewed === undefined) {
      if (reason instanceof McpError) this.asked(run, reason);
      run.error(reason);
      return;
    }
    run.renegotiated = true;
    this.#terms.connection.adopt(renewed);
    this.#send(run, renewed);
  }

  /** One exchange failed, and the wire lives: true where that has been dealt with. */
  #goesOn(run: Run, reason: unknown, repeatable: boolean): boolean {
    if (reason instanceof NetworkError && reason.left) {
      this.#lost(run, reason, repeatable);
      return true;
    }
    if (!repeatable || this.#terms.retry.attempts === 0) return false;
    run.patience ??= new Patience(this.#terms.retry);
    const delay$ = run.patience.after(reason);
    if (delay$ === undefined) return false;
    run.subscriber.add(
      delay$.subscribe({
        next: () => {
          this.#useLife(run);
        },
        error: () => undefined,
      }),
    );
    return true;
  }

  /** The wire died under a request: what did not leave, or may be repeated, gets one more try. */
  #lost(run: Run, reason: unknown, repeatable: boolean): void {
    const { operation, id } = run;
    const left = id !== undefined && !(reason instanceof UnsentError);
    const again = left ? 'repeated' : 'resent';
    if (this.#terms.connection.closed) run.error(reason);
    else if (left && !repeatable) run.error(new OutcomeUnknownError(operation.method, id, reason));
    else if (run[again] || this.#refusing || !this.#terms.connection.alive) {
      // What was refused twice is told as the server told it.
      run.error(reason instanceof UnsentError && reason.cause instanceof McpError ? reason.cause : reason);
    } else {
      run[again] = true;
      this.#useLife(run);
    }
  }
}
