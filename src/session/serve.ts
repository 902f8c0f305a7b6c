import { asyncScheduler, defer, type Observable, of, Subscription } from 'rxjs';
import { CODES, type JsonRpcErrorBody, type JsonRpcRequest, type Outbound, type RequestId } from '../jsonrpc/index.js';
import type { Channels } from './channels.js';

/**
 * Answers one request of the server; its last value is the result. What it throws becomes a JSON-RPC error. `channel` is
 * the request of ours on whose own channel it came, where there is such a thing.
 */
export type RequestHandler = (request: JsonRpcRequest, channel?: RequestId) => Observable<unknown>;

/** Who writes the answers. */
export interface Writer {
  write(message: Outbound): void;
}

/** How many requests of a server are served within a second; what is more is refused. */
const PER_SECOND = 100;

/** Answers `ping`: MCP 2025-11-25 basic/utilities/ping. */
const ping: RequestHandler = () => of({});

/** A handler's failure with a code of its own. */
export class RequestRefused extends Error {
  constructor(readonly body: JsonRpcErrorBody) {
    super(body.message);
  }
}

const bodyOf = (reason: unknown): JsonRpcErrorBody =>
  reason instanceof RequestRefused
    ? reason.body
    : { code: CODES.internalError, message: 'the request could not be served' };

/**
 * Serves the requests a legacy server makes of its client. A modern server makes none: what it sends all
 * the same is never answered, for a modern client must not write responses, and warned about once each.
 */
export class Responder {
  /** False as soon as the server is known to be modern. */
  answers = true;
  readonly #handlers: ReadonlyMap<string, RequestHandler>;
  readonly #writer: Writer;
  readonly #channels: Channels;
  /** Made with the first request: most servers make none. */
  #open: Map<RequestId, Subscription> | undefined;
  #secondBegan: number | undefined;
  #thisSecond = 0;

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
        `a modern server sent the request ${method}, which must not be answered`,
        request,
      );
      return;
    }
    // A stream that is taken up again may bring what it brought before: it is being answered.
    const open = (this.#open ??= new Map<RequestId, Subscription>());
    if (open.has(id)) return;
    if (this.#tooMany()) {
      this.#refuse(id, { code: CODES.internalError, message: 'too many requests: ask again later' });
      return;
    }
    const handler = this.#handlers.get(method) ?? (method === 'ping' ? ping : undefined);
    if (handler === undefined) {
      this.#refuse(id, { code: CODES.methodNotFound, message: `this client does not serve ${method}` });
      return;
    }
    let result: unknown = {};
    const serving = new Subscription();
    open.set(id, serving);
    serving.add(() => {
      open.delete(id);
    });
    serving.add(
      defer(() => handler(request, channel)).subscribe({
        next: (value) => {
          result = value;
        },
        error: (reason: unknown) => {
          this.#refuse(id, bodyOf(reason));
          serving.unsubscribe();
        },
        complete: () => {
          this.#writer.write({ jsonrpc: '2.0', id, result });
          serving.unsubscribe();
        },
      }),
    );
  }

  /** The server withdrew a request: its handler is unsubscribed, and nothing is answered. */
  withdraw(id: unknown): void {
    this.#open?.get(id as RequestId)?.unsubscribe();
  }

  close(): void {
    for (const serving of [...(this.#open?.values() ?? [])]) serving.unsubscribe();
  }

  /** Counts a request; true if this second has had its share. */
  #tooMany(): boolean {
    const now = asyncScheduler.now();
    // The clock may be set back.
    if (this.#secondBegan === undefined || now < this.#secondBegan || now - this.#secondBegan >= 1_000) {
      this.#secondBegan = now;
      this.#thisSecond = 0;
    }
    this.#thisSecond += 1;
    if (this.#thisSecond === PER_SECOND + 1) {
      this.#channels.warn(
        'too-many-requests',
        `the server makes more than ${PER_SECOND} requests a second; the rest are refused`,
      );
    }
    return this.#thisSecond > PER_SECOND;
  }

  #refuse(id: RequestId, error: JsonRpcErrorBody): void {
    this.#writer.write({ jsonrpc: '2.0', id, error });
  }
}
