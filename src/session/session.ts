import { AsyncSubject, Observable, type Observer, type Subscription, throwError } from 'rxjs';
import { asMcpError, excerptOf, OptionError, reasonText, TransportClosedError } from '../errors/index.js';
import type { Inbound, Outbound } from '../jsonrpc/index.js';
import { LeanSubscriber } from '../rx/index.js';
import type { SendHints, Transport } from '../transport/index.js';
import type { Channels } from './channels.js';
import { correlate } from './correlate.js';
import { type Asker, type CallSpec, Exchange, type ExchangeOwner, type Params } from './exchange.js';
import { Notices } from './notices.js';
import { OpenCalls } from './open-calls.js';
import type { RequestHandler } from './serve.js';
import { Serving } from './serving.js';

/** The reason the server hears; the caller's own stays here. */
const CANCEL_REASON = 'the client gave this request up';

/** Who is told of the end of a session. */
export interface SessionWatcher {
  ended(reason: unknown): void;
}

const NO_HANDLERS: ReadonlyMap<string, RequestHandler> = new Map();

/**
 * One life of a wire, with the many calls it carries. It owns the ids, the progress tokens, and the one
 * subscription to the transport; it ends when the wire ends or is closed, failing whatever is in flight.
 */
export class Session implements ExchangeOwner, Observer<Inbound> {
  readonly transport: Transport;
  /** Whether requests of the server are answered: false as soon as it is known to be modern. */
  answers = true;
  readonly #channels: Channels;
  readonly #handlers: ReadonlyMap<string, RequestHandler>;
  readonly #calls = new OpenCalls();
  // Made when they are needed: many sessions hear no notice, and are watched by nobody.
  #notices: Notices | undefined;
  #serving: Serving | undefined;
  #ended: AsyncSubject<unknown> | undefined;
  #watcher: SessionWatcher | undefined;
  /** The subscription to what comes in, and, where there are such, to what else is heard and to what is being written. */
  readonly #reading: Subscription | undefined;
  #besides: Set<Subscription> | undefined;
  #lastId = 0;
  #lastToken = 0;
  #end: { readonly reason: unknown } | undefined;
  #claim: ((leftover: Inbound) => boolean) | undefined;

  constructor(transport: Transport, channels: Channels, handlers: ReadonlyMap<string, RequestHandler> = NO_HANDLERS) {
    this.transport = transport;
    this.#channels = channels;
    this.#handlers = handlers;
    this.#hear(transport.warnings$, (warning) => {
      channels.warn('transport', warning);
    });
    this.#hear(transport.stderr$, (line) => {
      channels.stderr(line);
    });
    const reading = transport.inbound$.pipe(correlate(this.#calls, channels)).subscribe(new LeanSubscriber(this));
    // The wire may have ended within the call.
    if (this.#end === undefined) this.#reading = reading;
    else reading.unsubscribe();
  }

  /** Emits why the session ended, once, and completes. Replays it. Never errors. */
  get ended$(): Observable<unknown> {
    if (this.#ended === undefined) {
      this.#ended = new AsyncSubject();
      if (this.#end !== undefined) this.#tellEnd(this.#end.reason);
    }
    return this.#ended.asObservable();
  }

  /** Has one watcher told of the end, before all others; at once, where it has come. */
  watch(watcher: SessionWatcher): void {
    if (this.#end === undefined) this.#watcher = watcher;
    else watcher.ended(this.#end.reason);
  }

  /** How many calls are in flight. */
  get inFlight(): number {
    return this.#calls.size;
  }

  /** True once the session has ended, and from the first sign that its wire will: what fails then says nothing of the server. */
  get lost(): boolean {
    return this.#end !== undefined || !this.transport.alive;
  }

  /** Why the session ended; `undefined` while it lives. */
  get end(): { readonly reason: unknown } | undefined {
    return this.#end;
  }

  /**
   * Cold. Subscribing sends the request under a fresh id; emits the raw result once and completes. Errors
   * with `ProtocolError` (a JSON-RPC error), `InvalidMessageError` (an answer that is none),
   * `MessageTooLargeError`, or the reason the session ended. Unsubscribing early tells the server.
   */
  call(spec: CallSpec): Observable<unknown> {
    return new Observable<unknown>((subscriber) => {
      const asker: Asker = {
        begun: (exchange) => {
          subscriber.add(exchange);
        },
        succeed: (result) => {
          subscriber.next(result);
          subscriber.complete();
        },
        fail: (reason) => {
          subscriber.error(reason);
        },
      };
      this.begin(spec, asker);
    });
  }

  /**
   * What {@link call} does, without an Observable for it: sends the request under a fresh id, and tells `asker` its raw
   * result or what it failed with, once; `asker` is given the exchange before anything is sent, and to unsubscribe that
   * gives it up.
   */
  begin(spec: CallSpec, asker: Asker): void {
    if (this.#end !== undefined) {
      asker.fail(this.#end.reason);
      return;
    }
    const token = this.#token(spec.progressToken);
    if (token !== undefined && this.#calls.hasToken(token)) {
      asker.fail(new OptionError('progressToken', `${JSON.stringify(token)} is the token of a call in flight`));
      return;
    }
    let params: Params | undefined;
    try {
      params = spec.encode(token);
    } catch (reason) {
      asker.fail(reason);
      return;
    }
    const id = ++this.#lastId;
    const { method } = spec;
    const exchange = new Exchange(id, token, spec, asker, this);
    this.#calls.add(exchange);
    // Registered before sending: an answer that comes inside `send` must find its call.
    asker.begun(exchange);
    spec.onSend?.(id);
    const sending$ = this.#send(
      params === undefined ? { jsonrpc: '2.0', id, method } : { jsonrpc: '2.0', id, method, params },
      spec.hints,
    );
    // Who watches the wire may have given the call up at the sight of it: then it does not leave.
    if (exchange.over || spec.wanted?.() === false) return;
    exchange.leave();
    exchange.hold(sending$.subscribe(exchange));
  }

  /** Writes a message that wants no answer, and calls `written` once it was, or failed. A failure is a warning. */
  write(message: Outbound, written?: () => void): void {
    if (this.#end !== undefined) return;
    const sending = this.#send(message).subscribe({
      complete: () => written?.(),
      error: (reason: unknown) => {
        written?.();
        if (this.#end !== undefined) return;
        const what = 'method' in message ? message.method : 'an answer';
        this.#channels.warn('housekeeping', `${what} could not be sent: ${reasonText(reason)}`, reason);
      },
    });
    this.#add(sending);
  }

  /** Writes a notification. See {@link write}. */
  notify(method: string, params?: Params): void {
    this.write(params === undefined ? { jsonrpc: '2.0', method } : { jsonrpc: '2.0', method, params });
  }

  /**
   * Lets `claim` see what no call consumed, before anybody else; what it claims by returning true goes no
   * further. One at a time. Returns the release.
   */
  intercept(claim: (leftover: Inbound) => boolean): () => void {
    this.#claim = claim;
    return () => {
      if (this.#claim === claim) this.#claim = undefined;
    };
  }

  /** Ends the session with `reason`: what is in flight fails with it. Does not close the transport. Idempotent. */
  close(reason: unknown = new TransportClosedError()): void {
    this.#finish(reason);
  }

  /** What the wire says besides its messages, where it says such things. */
  #hear(text$: Observable<string> | undefined, next: (text: string) => void): void {
    if (text$ !== undefined) this.#add(text$.subscribe({ next, error: () => undefined }));
  }

  /** Ends with the session. */
  #add(subscription: Subscription): void {
    if (subscription.closed) return;
    if (this.#end !== undefined) subscription.unsubscribe();
    else {
      const besides = (this.#besides ??= new Set<Subscription>());
      besides.add(subscription);
      subscription.add(() => {
        besides.delete(subscription);
        if (besides.size === 0) this.#besides = undefined;
      });
    }
  }

  #respond(): Serving {
    this.#serving ??= new Serving(this.#handlers, this, this.#channels);
    this.#serving.answers = this.answers;
    return this.#serving;
  }

  #token(wanted: true | string | number | undefined): string | number | undefined {
    if (wanted !== true) return wanted;
    do this.#lastToken += 1;
    while (this.#calls.hasToken(this.#lastToken));
    return this.#lastToken;
  }

  #send(message: Outbound, hints?: SendHints): Observable<never> {
    this.#channels.wire('out', message);
    try {
      return this.transport.send(message, hints);
    } catch (reason) {
      // A foreign transport may throw where it should error.
      return throwError(() => reason);
    }
  }

  /** An exchange was not sent, or cannot be answered any longer. */
  forget(exchange: Exchange): void {
    this.#calls.delete(exchange);
  }

  /** An exchange was sent, and nobody waits for its answer any longer. */
  giveUp(exchange: Exchange): void {
    this.#calls.giveUp(exchange);
    if (exchange.spec.cancellable !== false && this.transport.cancelBy === 'notice') {
      this.notify('notifications/cancelled', { requestId: exchange.id, reason: CANCEL_REASON });
    }
  }

  /** What no call consumed: an observer's method, as are the next two. */
  next(message: Inbound): void {
    if (this.#claim?.(message) === true) return;
    if ('invalid' in message) {
      this.#channels.warn(
        'invalid-message',
        `skipped what is no JSON-RPC message: ${message.invalid}`,
        message.excerpt,
      );
    } else if (!('method' in message)) {
      const id = message.id === undefined ? 'no id' : `the id ${excerptOf(JSON.stringify(message.id))}`;
      this.#channels.warn('unmatched-answer', `an answer with ${id} belongs to no call in flight`, message);
    } else if ('id' in message) {
      this.#respond().serve(message, this.transport.channelOf?.(message));
    } else {
      (this.#notices ??= new Notices(this.#calls, this.#channels, this.#respond())).take(
        message,
        this.transport.channelOf?.(message),
      );
    }
  }

  error(reason: unknown): void {
    this.#finish(asMcpError(reason));
  }

  complete(): void {
    this.#finish(new TransportClosedError());
  }

  #finish(reason: unknown): void {
    if (this.#end !== undefined) return;
    this.#end = { reason };
    this.#serving?.close();
    this.#calls.failAll(reason);
    this.#watcher?.ended(reason);
    this.#watcher = undefined;
    this.#tellEnd(reason);
    this.#reading?.unsubscribe();
    for (const subscription of [...(this.#besides ?? [])]) subscription.unsubscribe();
  }

  #tellEnd(reason: unknown): void {
    this.#ended?.next(reason);
    this.#ended?.complete();
  }
}
