import { defer, type Subscriber } from 'rxjs';
import { asMcpError, type McpError } from '../errors/index.js';
import { LeanSubscriber } from '../rx/index.js';
import { type Channels, type RequestHandler } from '../session/index.js';
import { Session } from '../session/session.js';
import type { Connector, Transport, WireForm } from '../transport/index.js';

/** Whose wires they are, and who hears of them. */
export interface WireOwner {
  readonly channels: Channels;
  readonly handlers: ReadonlyMap<string, RequestHandler>;
  /** There is a transport. */
  opened(): void;
  /** The connector of a wire that is held by the owner failed. */
  failed(reason: McpError): void;
  /** The session of such a wire has ended. */
  ended(session: Session, reason: unknown): void;
  /** The transport of a wire that is over, to be closed. */
  release(transport: Transport): void;
}

/**
 * One life of a wire: the subscription to its connector, its transport, its session. At first it belongs to the negotiation,
 * which opens it as a stream of sessions and closes it by unsubscribing; {@link keep} takes it out of there, so that a
 * connection that is used for days does not keep what agreed on it. It is the subscriber of the connector itself: there is
 * one for each client.
 */
export class Wire extends LeanSubscriber<Transport> {
  readonly #owner: WireOwner;
  #opener: Subscriber<Session> | undefined;
  #session: Session | undefined;
  #over = false;

  /** @param opener is given the session, once; to unsubscribe it closes the wire, until it is kept */
  constructor(owner: WireOwner, opener: Subscriber<Session>) {
    super();
    this.#owner = owner;
    this.#opener = opener;
    opener.add(this);
  }

  get session(): Session | undefined {
    return this.#session;
  }

  open(connector: Connector, form: WireForm | undefined): void {
    if (!this.#over) defer(() => connector(form)).subscribe(this);
  }

  /** From now on nobody but the owner ends it. */
  keep(): void {
    this.#opener?.remove(this);
    this.#opener = undefined;
  }

  /** Tells the owner of the end of the session; at once, where it has ended. */
  watch(): void {
    this.#session?.watch(this);
  }

  ended(reason: unknown): void {
    if (this.#session !== undefined) this.#owner.ended(this.#session, reason);
  }

  /** There is a transport. */
  protected override _next(transport: Transport): void {
    this.#close();
    if (this.#over || this.#opener === undefined) {
      this.#owner.release(transport);
      return;
    }
    this.#owner.opened();
    try {
      this.#session = new Session(transport, this.#owner.channels, this.#owner.handlers);
    } catch (reason) {
      this.#opener.error(reason);
      return;
    }
    this.#opener.next(this.#session);
  }

  /** It cannot be opened, or is no more. */
  protected override _error(reason: unknown): void {
    if (this.#opener !== undefined) this.#opener.error(asMcpError(reason));
    else if (!this.#over) this.#owner.failed(asMcpError(reason));
    this.unsubscribe();
  }

  /** A connector that completes has no more to say, but its wire goes on. */
  protected override _complete(): void {
    if (this.#session === undefined) this.#opener?.complete();
    super.unsubscribe();
  }

  /** Closes it. Idempotent. */
  override unsubscribe(): void {
    if (this.#over) return;
    this.#over = true;
    super.unsubscribe();
    this.#close();
  }

  #close(): void {
    const session = this.#session;
    if (session === undefined) return;
    session.close();
    this.#owner.release(session.transport);
  }
}
