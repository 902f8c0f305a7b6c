import type { Observable } from 'rxjs';
import type { Inbound, Outbound, RequestId } from '../jsonrpc/messages.js';

/** What goes with one message besides its body. */
export interface SendHints {
  /** Header fields mirrored from the body, for a wire that has headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** True for a request that nobody waits for in person, such as a ping: no person is asked on its behalf. Default false. */
  readonly background?: boolean | undefined;
  /** The same for all requests of one call, which a server may answer in rounds: a person is asked three times for it at most. */
  readonly call?: object | undefined;
}

/**
 * One life of one wire form: bytes on one side, messages on the other. Implement it to plug a wire
 * of your own into `connect`. Whatever it raises that is no `McpError` reaches callers wrapped in a
 * `TransportError`. A transport never renumbers ids. MCP 2026-07-28 basic/transports, "Custom Transports".
 */
export interface Transport {
  /**
   * Every message the peer sent, in wire order; buffers until its one subscriber (the session) is
   * there. Completes after `close()`; errors once, when the wire dies. What is no JSON-RPC message
   * is an `InvalidMessage`, never an error: `parseInbound` makes both.
   */
  readonly inbound$: Observable<Inbound>;

  /**
   * Cold: subscribing writes the message. Emits nothing. Completes when it is delivered (stdio) or when
   * its exchange has ended (HTTP). Errors the moment this message can no longer be answered.
   * Unsubscribing releases the message's own channel, where it has one, and touches no other message.
   */
  send(message: Outbound, hints?: SendHints): Observable<never>;

  /** How a peer learns that a request was given up: by `notifications/cancelled`, or by hanging up. */
  readonly cancelBy: 'notice' | 'hang-up';

  /** True where `x-mcp-header` parameters must be mirrored, and tools that abuse them left out. */
  readonly mirrorsHeaders: boolean;

  /** True until `close()` or the death of the wire. */
  readonly alive: boolean;

  /** Releases everything. Idempotent, bounded in time, never rejects. */
  close(): Promise<void>;

  /**
   * The id of the request on whose own channel a notice or a question came, where requests have channels of their own; asked while
   * `inbound$` emits it. Without it, and for what came otherwise, a log message is taken to be about every call.
   */
  channelOf?(message: Inbound): RequestId | undefined;

  /** Lines a server's process wrote to stderr. Hot, completes with the wire, never errors. */
  readonly stderr$?: Observable<string> | undefined;

  /** What went wrong without ending the wire, a sentence each. Hot, completes with the wire, never errors. */
  readonly warnings$?: Observable<string> | undefined;
}

/** How often, and how far apart, a server that is too busy is asked again. Times in ms. */
export interface RetryTerms {
  readonly attempts: number;
  readonly firstMs: number;
  readonly maxMs: number;
}

/** Which of a server's wire forms to open; a wire with one form ignores it. */
export type WireForm = 'modern' | 'legacy' | 'sse';

/**
 * Cold: subscribing opens one life of the wire and emits its transport once, unsubscribing closes it,
 * subscribing again is a new life. Errors when the wire cannot be opened.
 */
export interface Connector {
  (form?: WireForm): Observable<Transport>;
  /** Names the server for the memory of its era: the same for two connectors that reach the same server. No secrets. */
  readonly identity?: string | undefined;
  /**
   * Names what the server gives, where that is more than the server itself: a query that picks a tenant, say. It is hashed
   * before it names anything that is kept. Default: the identity.
   */
  readonly address?: string | undefined;
  /**
   * Names the credentials that go with it: what a server says is private is kept for them alone. No secrets: a hash.
   * Without it, and without `credentials`, private results are kept for one client alone, and in its process.
   */
  readonly partition?: string | undefined;
  /**
   * The credentials themselves, each by a name, where there is no `partition`: they are hashed before they name anything that
   * is kept. Asked each time that something is kept or looked for; nothing where they are not known beforehand, or have changed.
   */
  readonly credentials?: (() => Readonly<Record<string, string>> | undefined) | undefined;
  /** True where the wire has more than one form, and the era decides which is opened: HTTP. */
  readonly forms?: boolean | undefined;
  /** How requests that are safe to repeat are tried again where the server is too busy. Without it they are not. */
  readonly retry?: RetryTerms | undefined;
  /**
   * Whether it waits for somebody outside of the conversation, such as a person who is to give an authorization: meanwhile
   * the time of calls stands still. Emits the state of things at once, and each change; never completes. Default: it never does.
   */
  readonly waits$?: Observable<boolean> | undefined;
  /** False where a life that ended may not be followed by another. Default true. */
  readonly reopens?: boolean | undefined;
}
