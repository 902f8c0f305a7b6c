import { isObservable, type Observable, type Subscriber } from 'rxjs';
import { TimeoutError } from '../errors/index.js';
import type { RequestId } from '../jsonrpc/index.js';
import type { Life, Patience, Result } from '../protocol/index.js';
import type { Deadlines } from '../rx/index.js';
import type { Asker, CallSpec, Exchange, LogLevel, LogMessage, Params, Progress } from '../session/index.js';
import type { SendHints } from '../transport/index.js';
import { CallClocks, type Expiring, type Limits } from './clocks.js';
import type { Running } from './in-flight.js';
import type { Operation } from './operation.js';

/** What runs are told of and tell. */
export interface Runner {
  /** The exchange of a run failed on that life. */
  failed(run: Run, life: Life, reason: unknown, repeatable: boolean): void;
  /** The server asks something before it answers. */
  asked(run: Run, question: Result): void;
  /** The run has ended, in whichever way. */
  over(run: Run): void;
}

/** What the result of a run becomes, and where its error leads: what `turned` does, in one object and without a stream. */
export interface Turn<T> {
  /** A value to emit, or a stream that is mirrored in its place. What it throws is an error. */
  result(result: Result): T | Observable<T>;
  /** A stream that is mirrored in place of the error, or none. */
  error(reason: unknown): Observable<T> | undefined;
}

/**
 * One subscription's way through an operation, over as many exchanges as it takes. It is what the session sends, who it
 * answers, and what ends with the subscription, in one object: there is one for each call.
 */
export class Run implements Running, CallSpec, Asker, Expiring {
  readonly operation: Operation;
  readonly subscriber: Subscriber<unknown>;
  readonly #runner: Runner;
  readonly #turn: Turn<unknown> | undefined;
  readonly clocks: CallClocks;
  answered = false;
  /** The id of the exchange under way, once it is about to leave. */
  id: RequestId | undefined = undefined;
  previous: Running | undefined = undefined;
  next: Running | undefined = undefined;
  /** Whether it was sent again: after it was lost, and (one restart may bring both) after it was refused unread. */
  repeated = false;
  resent = false;
  renegotiated = false;
  patience: Patience | undefined = undefined;
  method = '';
  progressToken: true | string | number | undefined = undefined;
  onProgress: ((progress: Progress) => void) | undefined = undefined;
  hints: SendHints | undefined = undefined;
  #life: Life | undefined = undefined;
  #repeatable = false;
  #logLevel: LogLevel | undefined = undefined;
  #exchange: Exchange | undefined = undefined;
  /** Whether its end is being told: whoever hears of it may close the client. */
  #told = false;
  #ended = false;

  constructor(
    operation: Operation,
    subscriber: Subscriber<unknown>,
    runner: Runner,
    deadlines: Deadlines,
    limits: Limits,
    turn?: Turn<unknown>,
  ) {
    this.operation = operation;
    this.subscriber = subscriber;
    this.#runner = runner;
    this.#turn = turn;
    this.clocks = new CallClocks(deadlines, limits, this, operation.since);
  }

  get name(): string | undefined {
    return this.operation.name;
  }

  get toolCallId(): string | undefined {
    return this.operation.toolCallId;
  }

  get onLog(): ((log: LogMessage) => void) | undefined {
    return this.operation.events?.log;
  }

  /** Goes on to another exchange, on that life. */
  prepare(life: Life, method: string, repeatable: boolean, logLevel: LogLevel | undefined): void {
    this.id = undefined;
    this.answered = false;
    this.method = method;
    this.#life = life;
    this.#repeatable = repeatable;
    this.#logLevel = logLevel;
  }

  encode(progressToken: string | number | undefined): Params | undefined {
    const { agreement } = this.#life as Life;
    const { params, options } = this.operation;
    const given = typeof params === 'function' ? params(agreement) : params;
    return agreement.codec.encode(given, { progressToken, logLevel: this.#logLevel, meta: options?.meta });
  }

  begun(exchange: Exchange): void {
    this.#exchange = exchange;
  }

  onSend(id: RequestId): void {
    this.id = id;
  }

  wanted(): boolean {
    return !this.#told && !this.subscriber.closed;
  }

  succeed(raw: unknown): void {
    this.answered = true;
    let result: Result;
    try {
      result = (this.#life as Life).agreement.codec.decode(this.method, this.id, raw);
    } catch (reason) {
      this.error(reason);
      return;
    }
    if (result.resultType !== 'complete') this.#runner.asked(this, result);
    this.emit(result);
  }

  fail(reason: unknown): void {
    this.answered = true;
    this.#runner.failed(this, this.#life as Life, reason, this.#repeatable);
  }

  expire(ms: number): void {
    this.error(new TimeoutError(this.operation.method, this.id, ms));
  }

  /** Ends with a result. */
  emit(result: Result): void {
    const { subscriber } = this;
    let way: unknown = result;
    try {
      if (this.#turn !== undefined) way = this.#turn.result(result);
    } catch (reason) {
      subscriber.error(reason);
      return;
    }
    if (isObservable(way)) {
      this.#leadTo(way);
      return;
    }
    this.#told = true;
    subscriber.next(way);
    subscriber.complete();
  }

  /** Ends with an error. */
  error(reason: unknown): void {
    let way: Observable<unknown> | undefined;
    try {
      way = this.#turn?.error(reason);
    } catch (other) {
      this.subscriber.error(other);
      return;
    }
    if (way !== undefined) {
      this.#leadTo(way);
      return;
    }
    this.#told = true;
    this.subscriber.error(reason);
  }

  /** Gives up what is under way. The server hears of that before it gets the answers nobody wants any longer. */
  unsubscribe(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#exchange?.unsubscribe();
    this.clocks.stop();
    this.#runner.over(this);
  }

  /** Goes on with another stream. Only then is the run over: a call is in flight all the while. */
  #leadTo(way: Observable<unknown>): void {
    this.#told = true;
    // Asking for the stream may have had the subscriber leave.
    if (!this.subscriber.closed) way.subscribe(this.subscriber);
    this.unsubscribe();
  }
}
