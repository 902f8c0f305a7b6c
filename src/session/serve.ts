import { asyncScheduler, type Observable, of, Subscription } from 'rxjs';
import { excerptOf } from '../errors/index.js';
import { CODES, type JsonRpcErrorBody, type JsonRpcRequest, type Outbound, type RequestId } from '../jsonrpc/index.js';
import { answerOf } from '../rx/index.js';
import type { Channels } from './channels.js';

/**
 * Answers one request of the server; its last value is the result. What it throws becomes a JSON-RPC error. `channel` is
 * the request of ours on whose own channel it came, where there is such a thing.
 */
export type RequestHandler = (request: JsonRpcRequest, channel?: RequestId) => Observable<unknown>;

/** Who writes the answers. */
export interface Writer {
  /** Writes it, and calls `written` once it was written, or cannot be. */
  write(message: Outbound, written: () => void): void;
}

/** How many requests of a server are served within a second; what is more is refused. */
const PER_SECOND = 100;
/** How many are served at once; the rest wait for their turn. */
const AT_ONCE = 16;
/** How many may wait, those that are served included; what is more is refused. */
const WAITING = 100;
/** How many answers may wait to be written, and how long their ids may be together: meanwhile requests are dropped. */
const UNWRITTEN = 100;
const UNWRITTEN_TEXT = 1_000_000;

/** Answers `ping`: MCP 2025-11-25 basic/utilities/ping. */
const ping: RequestHandler = () => of({});

/** A handler's failure with a code of its own. */
export class RequestRefused extends Error {
  constructor(readonly body: JsonRpcErrorBody) {
    super(body.message);
  }
}

const BUSY: JsonRpcErrorBody = { code: CODES.internalError, message: 'too many requests: ask again later' };

const bodyOf = (reason: unknown): JsonRpcErrorBody =>
  reason instanceof RequestRefused
    ? reason.body
    : { code: CODES.internalError, message: 'the request could not be served' };

/**
 * Serves the requests a legacy server makes of its client. A modern server makes none: what it sends all
 * the same is never answered, for a modern client must not write responses, and warned about once each.
 *
 * What a server can ask for is bounded in each way: so many requests a second, so many at once, and none while it does not
 * take the answers that there are.
 */
export class Responder {
  /** False as soon as the server is known to be modern. */
  answers = true;
  readonly #handlers: ReadonlyMap<string, RequestHandler>;
  readonly #writer: Writer;
  readonly #channels: Channels;
  /** Made with the first request: most servers make none. */
  #open: Map<RequestId, Subscription> | undefined;
  /** What of it waits for its turn, the oldest first. */
  readonly #queue = new Map<Subscription, () => void>();
  #served = 0;
  #secondBegan: number | undefined;
  #thisSecond = 0;
  /** Whether a flood of requests, or of answers that nobody takes, was told of. */
  #toldOfMany = false;
  #toldOfUnread = false;
  #unwritten = 0;
  #unwrittenText = 0;

  constructor(handlers: ReadonlyMap<string, RequestHandler>, writer: Writer, channels: Channels) {
    this.#handlers = handlers;
    this.#writer = writer;
    this.#channels = channels;
  }

  /** @param channel the request of ours on whose own channel it came, where there is such a thing */
  serve(request: JsonRpcRequest, channel?: RequestId): void {
    const { id, method } = request;
    if (!this.answers) {
      this.#channels.warn(
        'unexpected-request',
        `a modern server sent the request ${excerptOf(method)}, which must not be answered`,
        request,
      );
      return;
    }
    // A stream that is taken up again may bring what it brought before: it is being answered.
    const open = (this.#open ??= new Map<RequestId, Subscription>());
    if (open.has(id)) return;
    const tooMany = this.#tooMany();
    if (this.#isUnread()) return;
    if (tooMany || open.size >= WAITING) {
      this.#answer({ jsonrpc: '2.0', id, error: BUSY });
      return;
    }
    const handler = this.#handlers.get(method) ?? (method === 'ping' ? ping : undefined);
    if (handler === undefined) {
      const error = { code: CODES.methodNotFound, message: `this client does not serve ${excerptOf(method)}` };
      this.#answer({ jsonrpc: '2.0', id, error });
      return;
    }
    const serving = new Subscription();
    open.set(id, serving);
    serving.add(() => {
      open.delete(id);
      this.#queue.delete(serving);
    });
    const start = (): void => {
      this.#start(request, channel, handler, serving);
    };
    if (this.#served < AT_ONCE || handler === ping) start();
    else this.#queue.set(serving, start);
  }

  /** The server withdrew a request: its handler is unsubscribed, and nothing is answered. */
  withdraw(id: unknown): void {
    if (typeof id === 'string' || typeof id === 'number') this.#open?.get(id)?.unsubscribe();
  }

  close(): void {
    this.#queue.clear();
    for (const serving of [...(this.#open?.values() ?? [])]) serving.unsubscribe();
  }

  #start(
    request: JsonRpcRequest,
    channel: RequestId | undefined,
    handler: RequestHandler,
    serving: Subscription,
  ): void {
    const { id } = request;
    let result: unknown = {};
    this.#served += 1;
    serving.add(() => {
      this.#served -= 1;
      this.#next();
    });
    serving.add(
      answerOf(() => handler(request, channel)).subscribe({
        next: (value) => {
          result = value;
        },
        error: (reason: unknown) => {
          this.#answer({ jsonrpc: '2.0', id, error: bodyOf(reason) });
          serving.unsubscribe();
        },
        complete: () => {
          this.#answer({ jsonrpc: '2.0', id, result });
          serving.unsubscribe();
        },
      }),
    );
  }

  /** Serves what waits longest, where there is room. */
  #next(): void {
    for (const [serving, start] of this.#queue) {
      if (this.#served >= AT_ONCE) return;
      this.#queue.delete(serving);
      start();
    }
  }

  /** Counts a request; true if this second has had its share. */
  #tooMany(): boolean {
    const now = asyncScheduler.now();
    const since = this.#secondBegan === undefined ? Infinity : now - this.#secondBegan;
    // The clock may be set back.
    if (since < 0 || since >= 1_000) {
      // A flood is told of once, however many seconds it goes on for. It is over after one that had no more than its share.
      if (this.#thisSecond <= PER_SECOND || since >= 2_000) {
        this.#toldOfMany = false;
        if (this.#unwritten === 0) this.#toldOfUnread = false;
      }
      this.#secondBegan = now;
      this.#thisSecond = 0;
    }
    this.#thisSecond += 1;
    if (this.#thisSecond <= PER_SECOND) return false;
    if (!this.#toldOfMany) {
      this.#toldOfMany = true;
      this.#channels.warn(
        'too-many-requests',
        `the server makes more than ${PER_SECOND} requests a second; the rest are refused`,
      );
    }
    return true;
  }

  /** Whether the server does not take the answers that it has asked for: to write more would only be to keep more. */
  #isUnread(): boolean {
    const isFull = this.#unwritten >= UNWRITTEN || this.#unwrittenText >= UNWRITTEN_TEXT;
    if (isFull && !this.#toldOfUnread) {
      this.#toldOfUnread = true;
      this.#channels.warn(
        'too-many-requests',
        'the server makes requests and does not take the answers; until it does the rest are dropped',
      );
    }
    return isFull;
  }

  #answer(message: Outbound & { readonly id: RequestId }): void {
    const length = typeof message.id === 'string' ? message.id.length : 0;
    this.#unwritten += 1;
    this.#unwrittenText += length;
    let isOver = false;
    this.#writer.write(message, () => {
      if (isOver) return;
      isOver = true;
      this.#unwritten -= 1;
      this.#unwrittenText -= length;
    });
  }
}
