import type { Observable, Unsubscribable } from 'rxjs';
import { TransportError } from '../../errors/index.js';
import type { Inbound, Outbound } from '../../jsonrpc/index.js';
import type { Transport } from '../transport.js';
import { Link, type FarEnd } from './link.js';

/**
 * The server's end of an in-memory wire: the transport that is handed to {@link InMemoryServer.connect}.
 * It has the shape servers of the official SDK expect. A server puts its callbacks on it, calls `start()`,
 * and from then on receives through `onmessage` and answers through `send()`.
 */
export interface InMemoryServerTransport {
  /** Says that the callbacks are in place. A server that puts them on inside `connect` may leave it out. */
  start(): Promise<void>;
  /**
   * Sends one message, or an array of them, to the client, before it returns. The client gets a copy; what
   * is no JSON-RPC message reaches it as an invalid one. Never rejects: after the end of the wire nothing is sent, and
   * of a message that cannot be written as JSON `onerror` is told.
   */
  send(message: unknown, options?: unknown): Promise<void>;
  /** Ends the wire from the server's side; for the client that is a death of the wire. Idempotent. */
  close(): Promise<void>;
  /** Called with each message of the client, one at a time, in order; each is a copy of the client's. */
  onmessage?: ((message: Outbound, extra?: unknown) => void) | undefined;
  /** Called once, when the wire has ended from either side. */
  onclose?: (() => void) | undefined;
  /** Called with the reason when a message of the server's cannot be written as JSON. */
  onerror?: ((error: Error) => void) | undefined;
}

/** A server that runs in this process: anything that can be connected to a transport, as servers of the official SDK can. */
export interface InMemoryServer {
  /** Takes the server's end of a new wire. */
  connect(transport: InMemoryServerTransport): unknown;
}

/** Tells the server; what its callback throws is the server's, and must not stop the wire. */
const quietly = (tell: () => void): void => {
  try {
    tell();
  } catch {
    // There is nobody to tell that the server's own error handling failed.
  }
};

class ServerEnd implements InMemoryServerTransport, FarEnd {
  readonly link = new Link(this);
  onmessage: ((message: Outbound, extra?: unknown) => void) | undefined;
  onclose: (() => void) | undefined;
  onerror: ((error: Error) => void) | undefined;

  get ready(): boolean {
    return this.onmessage !== undefined;
  }

  start(): Promise<void> {
    this.link.flush();
    return Promise.resolve();
  }

  send(message: unknown): Promise<void> {
    const fault = this.link.receive(message);
    if (fault !== undefined) quietly(() => this.onerror?.(fault as Error));
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.link.die(new TransportError(new Error('the server closed the connection')));
    return Promise.resolve();
  }

  take(message: Outbound): void {
    this.onmessage?.(message);
  }

  ended(): void {
    quietly(() => this.onclose?.());
  }
}

/**
 * One life of a wire to a server in this process. Nothing on it is asynchronous: an answer that the server
 * gives at once arrives inside `send`. The two sides share no object: each message is copied as
 * JSON text would copy it (see `jsonCopy`), at about a fifth of the cost of making and reading that text.
 * MCP 2026-07-28 basic/transports, "Custom Transports".
 */
export class MemoryTransport implements Transport {
  readonly #server = new ServerEnd();

  /** In-memory wires carry `notifications/cancelled`. */
  get cancelBy(): 'notice' {
    return 'notice';
  }

  /** There are no headers. */
  get mirrorsHeaders(): boolean {
    return false;
  }

  /** To unsubscribe it closes the wire. */
  get life(): Unsubscribable {
    return this.#server.link;
  }

  /** The server's end. */
  get serverSide(): InMemoryServerTransport {
    return this.#server;
  }

  /**
   * What the server sent, in order, from the first message on; takes one subscriber. Completes after
   * `close()`. Errors once, with a `TransportError`, when the server closes its end.
   */
  get inbound$(): Observable<Inbound> {
    return this.#server.link.inbound$;
  }

  /** True until `close()`, or until the server closes its end. */
  get alive(): boolean {
    return this.#server.link.alive;
  }

  /**
   * Cold: subscribing copies the message and hands the copy to the server, or keeps it while the server is
   * still busy with the one before or has put no `onmessage` on yet. Completes when the server has taken it. Errors with
   * `TransportClosedError` when the wire has ended, with what ended it when that comes first, with `TransportError` when the
   * server's `onmessage` throws, and with `OptionError` when the message cannot be written as JSON; the wire lives on after those two.
   * Unsubscribing does not take the message back.
   */
  send(message: Outbound): Observable<never> {
    return this.#server.link.send(message);
  }

  /** Ends the wire: the server's `onclose` is called, `inbound$` completes. Done when it returns; idempotent. */
  close(): Promise<void> {
    this.#server.link.close();
    return Promise.resolve();
  }
}
