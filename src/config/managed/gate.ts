import {
  asyncScheduler,
  concat,
  defer,
  finalize,
  ignoreElements,
  map,
  merge,
  type Observable,
  Subject,
  tap,
  throwError,
  timer,
} from 'rxjs';
import type { McpError } from '../../errors/index.js';
import { StdioTransport } from '../../transport/stdio/index.js';
import type { Connector, Transport, WireForm } from '../../transport/index.js';

/**
 * Stands before a connector and says when a new life of the wire may begin: at once, not before some moment, or never
 * again. Whoever wants one meanwhile waits for it, in the time that he has. It knows the wire that is open.
 */
export class Gate {
  /** Opens what it stands before, when it may. Errors with what {@link bar} was given, and with what {@link abandon} was. */
  readonly connector: Connector;
  readonly #abandoned = new Subject<McpError>();
  #barredBy: McpError | undefined;
  #notBefore = 0;
  #transport: Transport | undefined;
  /** Those whose process may still be there: it outlives its wire by its grace. */
  readonly #processes = new Set<StdioTransport>();

  /** @param inner opens the wire */
  constructor(inner: Connector) {
    const open = (form?: WireForm): Observable<Transport> => defer(() => this.#open(inner, form));
    // Whether it opens again is for those to say who move this gate.
    this.connector = Object.assign(open, { ...inner, reopens: true });
  }

  /** The process at the other end, where it is one of ours. */
  get pid(): number | undefined {
    return this.#transport instanceof StdioTransport ? this.#transport.pid : undefined;
  }

  /** No life begins before this many milliseconds are over. */
  holdFor(delayMs: number): void {
    this.#notBefore = asyncScheduler.now() + delayMs;
  }

  /** No life begins any longer: who wants one has this error. */
  bar(reason: McpError): void {
    this.#barredBy ??= reason;
  }

  /** Gives up the wire that is open, or is being opened, with this error. */
  abandon(reason: McpError): void {
    this.#abandoned.next(reason);
  }

  /** Ends the process at the other end, and what it started, before it returns; those that are being closed as well. */
  killNow(): void {
    for (const transport of this.#processes) transport.killNow();
  }

  #opened(transport: Transport): void {
    this.#transport = transport;
    if (transport instanceof StdioTransport) this.#processes.add(transport);
  }

  #left(transport: Transport | undefined): void {
    if (this.#transport === transport) this.#transport = undefined;
    if (!(transport instanceof StdioTransport)) return;
    // It is being closed; this is only when that is done.
    void transport.close().finally(() => this.#processes.delete(transport));
  }

  #open(inner: Connector, form: WireForm | undefined): Observable<Transport> {
    const waitMs = this.#notBefore - asyncScheduler.now();
    const life$ = defer(() => {
      const barredBy = this.#barredBy;
      if (barredBy !== undefined) return throwError(() => barredBy);
      let own: Transport | undefined;
      return inner(form).pipe(
        tap((transport) => {
          own = transport;
          this.#opened(transport);
        }),
        finalize(() => {
          this.#left(own);
        }),
      );
    });
    const abandoned$ = this.#abandoned.pipe(
      map((reason): never => {
        throw reason;
      }),
    );
    // Where there is nothing to wait for, the wire opens within the call.
    const opened$ = waitMs > 0 ? concat(timer(waitMs).pipe(ignoreElements()), life$) : life$;
    return merge(abandoned$, opened$);
  }
}
