import { AsyncSubject, Observable, Subscription, tap, throwError } from 'rxjs';
import { asMcpError, OptionError, reasonText, TransportClosedError } from '../errors/index.js';
import type { Inbound, JsonRpcNotification, Outbound, RequestId } from '../jsonrpc/index.js';
import type { SendHints, Transport } from '../transport/index.js';
import type { Channels, LogMessage, Progress } from './channels.js';
import { correlate } from './correlate.js';
import { Notices } from './notices.js';
import { OpenCalls, type OpenCall } from './open-calls.js';
import { Responder, type RequestHandler } from './serve.js';

/** The params of a request, as they go out. */
export type Params = Readonly<Record<string, unknown>>;

/** One request, before it has an id. */
export interface CallSpec {
  readonly method: string;
  /** Makes the params, once the call's progress token is known. */
  readonly encode: (progressToken: string | number | undefined) => Params | undefined;
  readonly hints?: SendHints | undefined;
  /** True: a fresh progress token goes with the call. A value: that very token does. */
  readonly progressToken?: true | string | number | undefined;
  readonly name?: string | undefined;
  readonly toolCallId?: string | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  readonly onLog?: ((log: LogMessage) => void) | undefined;
  /** Gets the notices of the subscription this call opens; by being given it says that the call is one. */
  readonly onNotice?: ((notification: JsonRpcNotification) => void) | undefined;
  /** Told the id as the request is about to leave. */
  readonly onSend?: ((id: RequestId) => void) | undefined;
  /** Asked as it is about to leave: false where nobody waits for it any longer. */
  readonly wanted?: (() => boolean) | undefined;
  /** False for `initialize`, which must not be cancelled. Default true. */
  readonly cancellable?: boolean | undefined;
}

/** The reason the server hears; the caller's own stays here. */
const CANCEL_REASON = 'the client gave this request up';

/**
 * One life of a wire, with the many calls it carries. It owns the ids, the progress tokens, and the one
 * subscription to the transport; it ends when the wire ends or is closed, failing whatever is in flight.
 */
export class Session {
  readonly transport: Transport;
  readonly responder: Responder;
  readonly #channels: Channels;
  readonly #calls = new OpenCalls();
  readonly #ended = new AsyncSubject<unknown>();
  readonly #notices: Notices;
  readonly #reading = new Subscription();
  #lastId = 0;
  #lastToken = 0;
  #end: { readonly reason: unknown } | undefined;
  #claim: ((leftover: Inbound) => boolean) | undefined;

  /** Emits why the session ended, once, and completes. Replays it. Never errors. */
  readonly ended$: Observable<unknown> = this.#ended.asObservable();

  constructor(transport: Transport, channels: Channels, handlers: ReadonlyMap<string, RequestHandler> = new Map()) {
    this.transport = transport;
    this.#channels = channels;
    this.responder = new Responder(
      handlers,
      (message) => {
        this.write(message);
      },
      channels,
    );
    this.#notices = new Notices(this.#calls, channels, this.responder);
    this.#hear(transport.warnings$, (warning) => {
      channels.warn('transport', warning);
    });
    this.#hear(transport.stderr$, (line) => {
      channels.stderr(line);
    });
    this.#reading.add(
      transport.inbound$
        .pipe(
          tap((message) => {
            channels.wire('in', message);
          }),
          correlate(this.#calls),
        )
        .subscribe({
          next: (leftover) => {
            this.#dispatch(leftover);
          },
          error: (reason: unknown) => {
            this.#finish(asMcpError(reason));
          },
          complete: () => {
            this.#finish(new TransportClosedError());
          },
        }),
    );
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
      if (this.#end !== undefined) {
        subscriber.error(this.#end.reason);
        return undefined;
      }
      const token = this.#token(spec.progressToken);
      if (token !== undefined && this.#calls.hasToken(token)) {
        subscriber.error(new OptionError('progressToken', `${JSON.stringify(token)} is the token of a call in flight`));
        return undefined;
      }
      const params = spec.encode(token);
      let settled = false;
      let left = false;
      const call: OpenCall = {
        id: ++this.#lastId,
        method: spec.method,
        name: spec.name,
        toolCallId: spec.toolCallId,
        progressToken: token,
        progress: spec.onProgress,
        log: spec.onLog,
        notice: spec.onNotice,
        succeed: (result) => {
          settled = true;
          subscriber.next(result);
          subscriber.complete();
        },
        fail: (reason) => {
          settled = true;
          subscriber.error(reason);
        },
      };
      this.#calls.open(call);
      // Registered before sending: an answer that comes inside `send` must find its call.
      subscriber.add(() => {
        if (settled) return;
        if (!left) {
          this.#calls.forget(call);
          return;
        }
        this.#calls.giveUp(call);
        if (spec.cancellable !== false) this.#giveUp(call.id);
      });
      const { id, method } = call;
      spec.onSend?.(id);
      const sending$ = this.#send(
        params === undefined ? { jsonrpc: '2.0', id, method } : { jsonrpc: '2.0', id, method, params },
        spec.hints,
      );
      // Who watches the wire may have given the call up at the sight of it: then it does not leave.
      if (subscriber.closed || spec.wanted?.() === false) return undefined;
      left = true;
      subscriber.add(
        sending$.subscribe({
          error: (reason: unknown) => {
            if (settled) return;
            this.#calls.forget(call);
            call.fail(asMcpError(reason));
          },
        }),
      );
      return undefined;
    });
  }

  /** Writes a message that wants no answer. A failure is a warning. */
  write(message: Outbound): void {
    if (this.#end !== undefined) return;
    this.#reading.add(
      this.#send(message).subscribe({
        error: (reason: unknown) => {
          if (this.#end !== undefined) return;
          const what = 'method' in message ? message.method : 'an answer';
          this.#channels.warn('housekeeping', `${what} could not be sent: ${reasonText(reason)}`, reason);
        },
      }),
    );
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
    this.#reading.add(text$?.subscribe({ next, error: () => undefined }));
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

  #giveUp(id: RequestId): void {
    if (this.transport.cancelBy === 'notice') {
      this.notify('notifications/cancelled', { requestId: id, reason: CANCEL_REASON });
    }
  }

  #dispatch(message: Inbound): void {
    if (this.#claim?.(message) === true) return;
    if ('invalid' in message) {
      this.#channels.warn(
        'invalid-message',
        `skipped what is no JSON-RPC message: ${message.invalid}`,
        message.excerpt,
      );
    } else if (!('method' in message)) {
      const id = message.id === undefined ? 'no id' : `the id ${JSON.stringify(message.id)}`;
      this.#channels.warn('unmatched-answer', `an answer with ${id} belongs to no call in flight`, message);
    } else if ('id' in message) {
      this.responder.serve(message);
    } else {
      this.#notices.take(message, this.transport.channelOf?.(message));
    }
  }

  #finish(reason: unknown): void {
    if (this.#end !== undefined) return;
    this.#end = { reason };
    this.responder.close();
    this.#calls.failAll(reason);
    this.#ended.next(reason);
    this.#ended.complete();
    this.#reading.unsubscribe();
  }
}
