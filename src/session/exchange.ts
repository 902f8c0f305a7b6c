import { type Subscription } from 'rxjs';
import { asMcpError } from '../errors/index.js';
import type { JsonRpcNotification, RequestId } from '../jsonrpc/index.js';
import type { SendHints } from '../transport/index.js';
import type { LogMessage, Progress } from './channels.js';
import type { OpenCall } from './open-calls.js';

/** The params of a request, as they go out. */
export type Params = Readonly<Record<string, unknown>>;

/** One request, before it has an id. */
export interface CallSpec {
  readonly method: string;
  /** Makes the params, once the call's progress token is known. */
  encode(progressToken: string | number | undefined): Params | undefined;
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
  onSend?(id: RequestId): void;
  /** Asked as it is about to leave: false where nobody waits for it any longer. */
  wanted?(): boolean;
  /** False for `initialize`, which must not be cancelled. Default true. */
  readonly cancellable?: boolean | undefined;
}

/** Who waits for the answer of an exchange. Of its end it is told once. */
export interface Asker {
  /** It is about to be sent; to unsubscribe it gives it up. */
  begun(exchange: Exchange): void;
  succeed(result: unknown): void;
  fail(reason: unknown): void;
}

/** What an exchange leaves behind when it ends unanswered. */
export interface ExchangeOwner {
  /** It was not sent, or cannot be answered any longer. */
  forget(exchange: Exchange): void;
  /** It was sent, and nobody waits for its answer any longer. */
  giveUp(exchange: Exchange): void;
}

/** A request with an id, from before it is sent to its end. A class and no closures: there is one for each call. */
export class Exchange implements OpenCall {
  readonly id: RequestId;
  readonly progressToken: string | number | undefined;
  readonly spec: CallSpec;
  readonly #asker: Asker;
  readonly #owner: ExchangeOwner;
  #sending: Subscription | undefined;
  #over = false;
  #left = false;

  constructor(
    id: RequestId,
    progressToken: string | number | undefined,
    spec: CallSpec,
    asker: Asker,
    owner: ExchangeOwner,
  ) {
    this.id = id;
    this.progressToken = progressToken;
    this.spec = spec;
    this.#asker = asker;
    this.#owner = owner;
  }

  get method(): string {
    return this.spec.method;
  }

  get name(): string | undefined {
    return this.spec.name;
  }

  get toolCallId(): string | undefined {
    return this.spec.toolCallId;
  }

  get progress(): ((progress: Progress) => void) | undefined {
    return this.spec.onProgress;
  }

  get log(): ((log: LogMessage) => void) | undefined {
    return this.spec.onLog;
  }

  get notice(): ((notification: JsonRpcNotification) => void) | undefined {
    return this.spec.onNotice;
  }

  /** True once it is settled or given up. */
  get over(): boolean {
    return this.#over;
  }

  /** It is on its way. */
  leave(): void {
    this.#left = true;
  }

  /** What sends it is held until its end. */
  hold(sending: Subscription): void {
    // The answer may have come inside `send`.
    if (this.#over) sending.unsubscribe();
    else if (!sending.closed) this.#sending = sending;
  }

  succeed(result: unknown): void {
    if (this.#over) return;
    this.#over = true;
    this.#asker.succeed(result);
    this.#release();
  }

  fail(reason: unknown): void {
    if (this.#over) return;
    this.#over = true;
    this.#asker.fail(reason);
    this.#release();
  }

  /** Sending it failed: an observer's method. */
  error(reason: unknown): void {
    if (this.#over) return;
    this.#owner.forget(this);
    this.fail(asMcpError(reason));
  }

  /** It was sent: an observer's method. */
  complete(): void {
    this.#sending = undefined;
  }

  /** Nothing is emitted by what sends: an observer's method. */
  next(): void {
    // There is nothing.
  }

  /** Gives it up, where it is not settled: the server is told, if it was sent. */
  unsubscribe(): void {
    if (!this.#over) {
      this.#over = true;
      if (this.#left) this.#owner.giveUp(this);
      else this.#owner.forget(this);
    }
    this.#release();
  }

  #release(): void {
    const sending = this.#sending;
    this.#sending = undefined;
    sending?.unsubscribe();
  }
}
