import { asyncScheduler, catchError, concatMap, defer, finalize, type Observable, of, type Subscription } from 'rxjs';
import { ProtocolError, TimeoutError } from '../errors/index.js';
import { CODES } from '../jsonrpc/index.js';
import type { Life } from '../protocol/index.js';
import { detour } from '../rx/index.js';
import type { Tool } from '../protocol/schemas/index.js';
import { firstWithin } from '../rx/index.js';
import { abortable } from './abortable.js';
import { checkCallOptions } from './call-options.js';
import { mirrorPlan } from './mirror.js';
import type { Operation } from './operation.js';
import type { ClientParts } from './parts.js';

const mirrors = (life: Life | undefined): boolean => life?.session.transport.mirrorsHeaders === true;

/** The tools that can be called on the wire in use: where arguments are mirrored, one with bad annotations cannot. */
export const callable = (tools: readonly Tool[], { connection, channels }: ClientParts): Tool[] => {
  if (!mirrors(connection.life)) return [...tools];
  return tools.filter((tool) => {
    const plan = mirrorPlan(tool);
    if (!('invalid' in plan)) return true;
    channels.warn(
      'malformed-entry',
      `left out the tool ${JSON.stringify(tool.name)}, whose headers cannot be mirrored: ${plan.invalid}`,
      tool,
    );
    return false;
  });
};

/** The shorter of two limits; 0 is none. */
const shortest = (a: number, b: number): number => (a === 0 || b === 0 ? Math.max(a, b) : Math.min(a, b));

/** When a call began, later by as long as its wire waited for a person since. */
class Start {
  readonly #watching: Subscription | undefined;
  #at = asyncScheduler.now();
  #waitsSince: number | undefined;

  constructor(waits$: Observable<boolean> | undefined) {
    this.#watching = waits$?.subscribe({
      next: (waits) => {
        this.#at = this.at;
        this.#waitsSince = waits ? asyncScheduler.now() : undefined;
      },
      error: () => undefined,
    });
  }

  /** As the scheduler counts. */
  get at(): number {
    return this.#waitsSince === undefined ? this.#at : this.#at + asyncScheduler.now() - this.#waitsSince;
  }

  forget(): void {
    this.#watching?.unsubscribe();
  }
}

/** The server found that headers and body differ: what it wants mirrored has changed. */
const isMismatch = (reason: unknown): boolean =>
  reason instanceof ProtocolError && reason.code === CODES.headerMismatch;

/** The list of a server's tools, read anew where `refresh` says so. */
type List = (refresh: boolean) => Observable<unknown>;

/** One call on a wire that mirrors arguments, or may. A class and few closures: there is one for each call. */
class MirroredCall<T> {
  readonly #parts: ClientParts;
  readonly #operation: Operation;
  readonly #list: List;
  readonly #call: (since?: number) => Observable<T>;
  readonly #began: Start;

  /** @param call makes the call, whose time has run since then */
  constructor(parts: ClientParts, operation: Operation, list: List, call: (since?: number) => Observable<T>) {
    this.#parts = parts;
    this.#operation = operation;
    this.#list = list;
    this.#call = call;
    this.#began = new Start(parts.connection.waits$);
  }

  start(): Observable<T> {
    const { connection } = this.#parts;
    const all$ = connection.life !== undefined && this.#isKnown ? this.#sent() : this.#prepared();
    if (connection.waits$ === undefined) return all$;
    return all$.pipe(
      finalize(() => {
        this.#began.forget();
      }),
    );
  }

  get #isKnown(): boolean {
    return this.#parts.catalogue.get(this.#operation.name ?? '') !== undefined;
  }

  /** The call, after what it takes to make it, which is on its time. */
  #prepared(): Observable<T> {
    const { connection, requests } = this.#parts;
    const { method, options } = this.#operation;
    this.#operation.prepare?.(this.#operation);
    if (options !== undefined) checkCallOptions(options);
    if (connection.life !== undefined) return this.#looked();
    return requests
      .ready(method, options)
      .pipe(concatMap((ready) => (mirrors(ready) ? this.#looked() : this.#call(this.#began.at))));
  }

  #looked(): Observable<T> {
    if (this.#isKnown) return this.#sent(this.#began.at);
    // Without its schema nothing is mirrored, and the server says what is missing.
    return this.#inTime(this.#list(false).pipe(catchError(() => of(undefined)))).pipe(
      concatMap(() => this.#sent(this.#began.at)),
    );
  }

  /** @param since when its time began, where that is not now */
  #sent(since?: number): Observable<T> {
    return this.#call(since).pipe(
      detour<T>(
        () => undefined,
        (reason) =>
          isMismatch(reason)
            ? this.#inTime(this.#list(true)).pipe(concatMap(() => this.#call(this.#began.at)))
            : undefined,
      ),
    );
  }

  #inTime<U>(source$: Observable<U>): Observable<U> {
    const { connection, settings } = this.#parts;
    const { method, options } = this.#operation;
    const { requestTimeoutMs, maxTotalMs } = settings;
    const timeoutMs = shortest(options?.timeoutMs ?? requestTimeoutMs, options?.maxTotalMs ?? maxTotalMs);
    const left = Math.max(0, timeoutMs - (asyncScheduler.now() - this.#began.at));
    const late = (): TimeoutError => new TimeoutError(method, undefined, timeoutMs);
    return (timeoutMs === 0 ? source$ : source$.pipe(firstWithin(left, connection.waits$, late))).pipe(
      abortable(options?.signal, method),
    );
  }
}

/**
 * Sees to it that a tool's schema is known before it is called on a wire that mirrors arguments, and asks for it again,
 * and calls once more, where the server refused the headers. What it asks is on the time of the call, and ends with it.
 * Elsewhere it only makes the call. MCP 2026-07-28 basic/transports/streamable-http, "Client Behavior".
 * @param call makes the call, whose time has run since then
 */
export const withKnownTool = <T>(
  parts: ClientParts,
  operation: Operation,
  list: List,
  call: (since?: number) => Observable<T>,
): Observable<T> =>
  defer(() => {
    const { forms, life } = parts.connection;
    // Before there is a connection only a wire of several forms is known to be HTTP.
    const isOther = life === undefined ? !forms : !mirrors(life);
    return isOther ? call() : new MirroredCall(parts, operation, list, call).start();
  });
