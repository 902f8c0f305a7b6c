import { ReplaySubject, Subject, type Observable, type Subscription } from 'rxjs';
import { TransportError } from '../errors/index.js';
import {
  CODES,
  type Inbound,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type Outbound,
  type RequestId,
} from '../jsonrpc/index.js';
import { Link } from '../transport/memory/link.js';
import type { Transport } from '../transport/index.js';
import { helpers, type ScriptedHelpers } from './answers.js';
import { checkOptions, handshake, type ScriptedOptions } from './handshake.js';
import { play } from './play.js';
import { readScript, type Entries, type Script, type ScriptListener } from './script.js';

type WithoutVersion<T> = T extends unknown ? Omit<T, 'jsonrpc'> & { readonly jsonrpc?: '2.0' | undefined } : never;

/** A message of the server; `jsonrpc: '2.0'` may be left out. */
export type ScriptedMessage = WithoutVersion<Outbound>;

/**
 * A transport behind which a script plays the server; {@link scriptedTransport} makes one. Synchronous
 * wherever the script is: an answer that is there at once arrives inside `send`, so marble tests need
 * no microtask. It is one life of a wire, and cannot be opened again.
 */
export class ScriptedTransport implements Transport {
  readonly #entries: Entries;
  readonly #modern: boolean;
  readonly #sent = new ReplaySubject<Outbound>(Number.POSITIVE_INFINITY);
  readonly #warnings = new Subject<string>();
  readonly #log: Outbound[] = [];
  readonly #answering = new Map<RequestId, Subscription>();
  readonly #link = new Link({
    ready: true,
    take: (message) => {
      this.#take(message);
    },
    ended: () => {
      this.#ended();
    },
  });

  /** The script hears of a cancellation by `notifications/cancelled`. */
  readonly cancelBy = 'notice';
  /** There are no headers. */
  readonly mirrorsHeaders = false;
  /** Every message the client has sent, in order: those so far, then each as it comes, before it is answered. Completes with the wire; never errors. */
  readonly sent$: Observable<Outbound> = this.#sent.asObservable();

  /** That a stream of the script completed without an answer, so that its request has none. Completes with the wire; never errors. */
  readonly warnings$: Observable<string> = this.#warnings.asObservable();

  /** @throws OptionError when the script or an option is mistyped */
  constructor(script: Script = {}, options: ScriptedOptions = {}) {
    checkOptions(options);
    const entries = readScript(script, options.custom ?? {});
    this.#entries = new Map([...handshake(entries, options), ...entries]);
    this.#modern = options.era !== 'legacy';
  }

  /** What the server said, in order, from the first message on; takes one subscriber. Completes after `close()`; errors once, after `die()`. */
  get inbound$(): Observable<Inbound> {
    return this.#link.inbound$;
  }

  /** True until `close()` or `die()`. */
  get alive(): boolean {
    return this.#link.alive;
  }

  /** Every message the client has sent so far, in order: a new array each time, of copies of what was sent. */
  get sent(): readonly Outbound[] {
    return [...this.#log];
  }

  /**
   * Cold: subscribing gives the message to the script, and completes. Errors with `TransportClosedError`
   * when the wire has ended, and with `TransportError` when a listener of the script throws.
   */
  send(message: Outbound): Observable<never> {
    return this.#link.send(message);
  }

  /** Says something as the server, at once: a notification, a request of the server's own, an answer. Dropped when the wire has ended. */
  push(message: ScriptedMessage): void {
    this.#link.receive({ ...message, jsonrpc: '2.0' });
  }

  /** Puts text on the wire as it is: junk, a batch, an answer no server should give. Dropped when the wire has ended. */
  pushRaw(text: string): void {
    this.#link.receiveText(text);
  }

  /** The wire dies: `inbound$` errors with `reason`, by default a `TransportError`, and answers under way are given up. Idempotent. */
  die(reason: unknown = new TransportError(new Error('the scripted server died'))): void {
    this.#link.die(reason);
  }

  /** Ends the wire: `inbound$` completes, answers under way are given up. Done when it returns; idempotent. */
  close(): Promise<void> {
    this.#link.close();
    return Promise.resolve();
  }

  #take(message: Outbound): void {
    this.#log.push(message);
    this.#sent.next(message);
    // An answer to a request the test pushed is only recorded.
    if (!('method' in message)) return;
    if ('id' in message) this.#answer(message);
    else this.#listen(message);
  }

  #answer(request: JsonRpcRequest): void {
    const { id, method } = request;
    const entry = this.#entries.get(method) ?? helpers.error(CODES.methodNotFound, `Method not found: ${method}`);
    const answering = play(entry, request, this.#modern, () => {
      this.#warnings.next(
        `the script has no answer to ${method}: its Observable completed without one; give scriptedTransport.silence where that is meant`,
      );
    }).subscribe({
      next: (frame) => {
        this.#link.receive(frame);
      },
      error: (reason: unknown) => {
        this.#link.die(new TransportError(reason));
      },
    });
    if (answering.closed) return;
    this.#answering.set(id, answering);
    answering.add(() => {
      if (this.#answering.get(id) === answering) this.#answering.delete(id);
    });
  }

  #listen(notification: JsonRpcNotification): void {
    const { method, params = {} } = notification;
    if (method === 'notifications/cancelled') this.#answering.get(params['requestId'] as RequestId)?.unsubscribe();
    (this.#entries.get(method) as ScriptListener | undefined)?.(params, notification);
  }

  #ended(): void {
    for (const answering of [...this.#answering.values()]) answering.unsubscribe();
    this.#sent.complete();
    this.#warnings.complete();
  }
}

/**
 * A server for tests, as a table from method to answer: `connect(scriptedTransport({ … }))` is a client of
 * it. An answer is a result; a function `(params, request) => answer`; a Promise of an answer; an Observable,
 * whose notices are sent as they come and whose last other value is the answer; or one of the helpers
 * found on this function. A request without an entry is answered with `-32601`, a modern result gets the
 * members every modern result has (`resultType`, and `ttlMs: 0`, `cacheScope: 'private'` where due), and
 * what a function throws is answered with `-32603`, or as it says if it is a `ProtocolError`. When the
 * client cancels a request, the Observable that was to answer it is unsubscribed.
 *
 * The server is modern unless `options.era` says otherwise, and declares the capabilities its script has answers for.
 * Throws `OptionError` at once for a method clients do not have (give it in `options.custom` if it is meant), an answer of the
 * wrong kind, or an unknown option.
 *
 * ```ts
 * const server = scriptedTransport({
 *   'tools/list': { tools: [{ name: 'add', inputSchema: { type: 'object' } }] },
 *   'tools/call': ({ name }) =>
 *     scriptedTransport.steps(scriptedTransport.progress(1, 2), { content: [{ type: 'text', text: name }] }),
 * });
 * const mcp = connect(server);
 * await mcp.promises.callTool('add', { a: 1, b: 2 });
 * server.sent; // what the client said
 * server.push({ method: 'notifications/tools/list_changed' });
 * server.die(); // what becomes of your application now?
 * ```
 */
export const scriptedTransport: ScriptedHelpers & ((script?: Script, options?: ScriptedOptions) => ScriptedTransport) =
  /* @__PURE__ */ Object.assign(
    (script?: Script, options?: ScriptedOptions) => new ScriptedTransport(script, options),
    helpers,
  );
