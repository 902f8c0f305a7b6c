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

/** What {@link withKnownTool} does on a wire that mirrors arguments, or may. Apart, since elsewhere its closures cost each call. */
const mirrored = <T>(
  parts: ClientParts,
  operation: Operation,
  list: (refresh: boolean) => Observable<unknown>,
  call: (since?: number) => Observable<T>,
): Observable<T> => {
  const { connection, requests, catalogue, settings } = parts;
  const { method, name = '', options } = operation;
  const { life } = connection;
  operation.prepare?.(operation);
  if (options !== undefined) checkCallOptions(options);
  const began = new Start(connection.waits$);
  const timeoutMs = shortest(
    options?.timeoutMs ?? settings.requestTimeoutMs,
    options?.maxTotalMs ?? settings.maxTotalMs,
  );
  const inTime = <U>(source$: Observable<U>): Observable<U> => {
    const left = Math.max(0, timeoutMs - (asyncScheduler.now() - began.at));
    const late = (): TimeoutError => new TimeoutError(method, undefined, timeoutMs);
    return (timeoutMs === 0 ? source$ : source$.pipe(firstWithin(left, connection.waits$, late))).pipe(
      abortable(options?.signal, method),
    );
  };
  const sent = (): Observable<T> =>
    call(began.at).pipe(
      detour<T>(
        () => undefined,
        (reason) => (isMismatch(reason) ? inTime(list(true)).pipe(concatMap(() => call(began.at))) : undefined),
      ),
    );
  const looked = (): Observable<T> =>
    // Without its schema nothing is mirrored, and the server says what is missing.
    catalogue.get(name) === undefined
      ? inTime(list(false).pipe(catchError(() => of(undefined)))).pipe(concatMap(sent))
      : sent();
  const all$ =
    life === undefined
      ? requests.ready(method, options).pipe(concatMap((ready) => (mirrors(ready) ? looked() : call(began.at))))
      : looked();
  return connection.waits$ === undefined
    ? all$
    : all$.pipe(
        finalize(() => {
          began.forget();
        }),
      );
};

/**
 * Sees to it that a tool's schema is known before it is called on a wire that mirrors arguments, and asks for it again,
 * and calls once more, where the server refused the headers. What it asks is on the time of the call, and ends with it.
 * Elsewhere it only makes the call. MCP 2026-07-28 basic/transports/streamable-http, "Client Behavior".
 * @param call makes the call, whose time has run since then
 */
export const withKnownTool = <T>(
  parts: ClientParts,
  operation: Operation,
  list: (refresh: boolean) => Observable<unknown>,
  call: (since?: number) => Observable<T>,
): Observable<T> =>
  defer(() => {
    const { forms, life } = parts.connection;
    // Before there is a connection only a wire of several forms is known to be HTTP.
    const isOther = life === undefined ? !forms : !mirrors(life);
    return isOther ? call() : mirrored(parts, operation, list, call);
  });
