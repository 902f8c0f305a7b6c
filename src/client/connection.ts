import { concatMap, Observable, of, Subject, Subscription, throwError, timeout, type Unsubscribable } from 'rxjs';
import { asMcpError, type McpError, reasonText, TransportClosedError, UnsentError } from '../errors/index.js';
import type { Era, Life, Negotiate, Negotiation } from '../protocol/index.js';
import type { Channels, RequestHandler, Session } from '../session/index.js';
import type { Connector, Transport, WireForm } from '../transport/index.js';
import { negotiationTerms } from './negotiation-terms.js';
import { Opening } from './opening.js';
import type { Settings } from './options.js';
import type { ConnectionState } from './state.js';
import { Wire, type WireOwner } from './wire.js';

/** How long a wire that is no longer alive may take to say why, in ms: stdio takes 100. */
const LAST_WORDS_MS = 1_000;

/** The same for all clients. */
const CONNECTED: Readonly<Record<Era, ConnectionState>> = {
  modern: { status: 'connected', era: 'modern' },
  legacy: { status: 'connected', era: 'legacy' },
};

/** What a connection tells of, and asks for. */
export interface ConnectionHost {
  readonly connector: Connector;
  readonly settings: Settings;
  readonly channels: Channels;
  /** Answers to what a legacy server asks; asked for with each wire. */
  readonly handlers: ReadonlyMap<string, RequestHandler>;
  /** A life is ready for use. */
  ready(life: Life): void;
}

/**
 * The one connection of a client. It is opened by the first use, shared by all, and opened again by the next
 * use after a death where the wire allows it. It owns every life of the wire, and releases them in `close()`.
 */
export class Connection implements WireOwner {
  readonly #host: ConnectionHost;
  readonly #newNegotiation: Negotiate;
  /** Only where it has found out what nobody else may know, or is at work. */
  #agreeing: Negotiation | undefined;
  #state: ConnectionState = { status: 'idle' };
  // Made when they are first looked at, or needed.
  #states: Subject<ConnectionState> | undefined;
  #state$: Observable<ConnectionState> | undefined;
  #closings: Set<Promise<void>> | undefined;
  #life: Life | undefined;
  #opening: Opening | undefined;
  /** The wire that was opened last. */
  #wire: Wire | undefined;
  /** What ends the opening under way, or the wire in use. */
  #holding: Unsubscribable | undefined;
  #attempt = 0;
  /** Whether there ever was a connection. */
  #connected = false;
  /** Whether the opening under way got as far as a wire. */
  #opened = false;
  #closed = false;
  /** Why the wire may not be opened again. */
  #gone: McpError | undefined;

  constructor(host: ConnectionHost, negotiate: Negotiate) {
    this.#host = host;
    this.#newNegotiation = negotiate;
  }

  get channels(): Channels {
    return this.#host.channels;
  }

  /** The current state, then each change; completes after `closed`, also for who comes later. */
  get state$(): Observable<ConnectionState> {
    this.#state$ ??= new Observable((subscriber) => {
      const state = this.#state;
      this.#states ??= new Subject();
      // First: whoever is told the state may change it.
      if (state.status !== 'closed') subscriber.add(this.#states.subscribe(subscriber));
      subscriber.next(state);
      if (state.status === 'closed') subscriber.complete();
    });
    return this.#state$;
  }

  get handlers(): ReadonlyMap<string, RequestHandler> {
    return this.#host.handlers;
  }

  /** True until `close()`, or the end of a wire that may not be reopened. */
  get alive(): boolean {
    // A call in flight hears of the death before this connection does.
    const isLost = this.#host.connector.reopens === false && this.#life?.session.end !== undefined;
    return !this.#closed && this.#gone === undefined && !isLost;
  }

  /** True where the wire has a form for each era: HTTP. */
  get forms(): boolean {
    return this.#host.connector.forms === true;
  }

  /** Whether the wire waits for somebody outside of the conversation. */
  get waits$(): Observable<boolean> | undefined {
    return this.#host.connector.waits$;
  }

  /** True from the call of `close()`. */
  get closed(): boolean {
    return this.#closed;
  }

  /** The life in use, if it is ready and its wire lives. */
  get life(): Life | undefined {
    const life = this.#life;
    return life?.session.end === undefined && life?.session.transport.alive === true ? life : undefined;
  }

  /**
   * Emits a life that is ready for use, once, and completes; makes one where there is none. Everybody who waits
   * shares it; leaving early ends nothing, unless nobody is left and a person is asked for an authorization. Errors with
   * `TransportClosedError` after `close()`, else with what the negotiation or the wire raised.
   */
  use(): Observable<Life> {
    return new Observable((subscriber) => {
      const { life } = this;
      if (life === undefined) return this.#waiting().subscribe(subscriber);
      subscriber.next(life);
      subscriber.complete();
      return undefined;
    });
  }

  /** Goes on with a life under other terms: the server asked for another version. */
  adopt(life: Life): void {
    if (this.#life?.session === life.session) this.#life = life;
  }

  /** Ends everything: what is in flight fails with `TransportClosedError`. Resolves when every life of the wire is released. */
  async close(): Promise<void> {
    if (!this.#closed) {
      this.#closed = true;
      const { session } = this.#life ?? {};
      this.#life = undefined;
      session?.close();
      this.#holding?.unsubscribe();
      const opening = this.#opening;
      this.#opening = undefined;
      opening?.fail(new UnsentError('the client is closed'));
      this.#tell({ status: 'closed' });
      this.#states?.complete();
    }
    if (this.#closings !== undefined) await Promise.all(this.#closings);
  }

  #waiting(): Observable<Life> {
    if (this.#closed) return throwError(() => new UnsentError('the client is closed'));
    const life = this.#life;
    if (life !== undefined) {
      const { session } = life;
      if (session.end === undefined) return this.#dying(life);
      this.ended(session, session.end.reason);
    }
    if (this.#gone !== undefined) {
      const gone = this.#gone;
      return throwError(() => gone);
    }
    return (this.#opening ?? this.#open()).life$;
  }

  /** A wire that is no longer alive says why before long; whoever needs it next waits for that, and has another one. */
  #dying(life: Life): Observable<Life> {
    return life.session.ended$.pipe(
      timeout({ first: LAST_WORDS_MS, with: () => of(new TransportClosedError()) }),
      concatMap((reason) => {
        this.ended(life.session, reason);
        return this.use();
      }),
    );
  }

  #open(): Opening {
    const opening = new Opening();
    this.#opening = opening;
    this.#attempt += 1;
    this.#opened = false;
    // Made before it is filled: a wire that answers within `subscribe` may end within it, too.
    const holding = new Subscription();
    this.#holding = holding;
    this.#tell({ status: this.#connected ? 'reconnecting' : 'connecting', attempt: this.#attempt });
    // Who heard of it may have closed the client.
    if (holding.closed) return opening;
    const { waits$ } = this.#host.connector;
    if (waits$ !== undefined) {
      holding.add(
        opening.vain(waits$).subscribe({
          next: () => {
            this.#abandon(opening, holding);
          },
          error: () => undefined,
        }),
      );
    }
    // One handshake for everybody who waits, and none of them can end it.
    const terms = negotiationTerms(this.#host.connector, this.#host.settings);
    this.#agreeing ??= this.#newNegotiation((form) => this.#sessions(form), terms);
    holding.add(
      this.#agreeing.open().subscribe({
        next: (life) => {
          this.#ready(life, opening);
        },
        error: (reason: unknown) => {
          this.#failed(asMcpError(reason), opening);
        },
      }),
    );
    return opening;
  }

  /** Nobody waits for the connection, and a person is asked for it: the next use opens another one. */
  #abandon(opening: Opening, holding: Subscription): void {
    if (this.#opening !== opening) return;
    this.#opening = undefined;
    holding.unsubscribe();
    this.#tell({ status: 'idle' });
  }

  #ready(life: Life, opening: Opening): void {
    this.#life = life;
    this.#opening = undefined;
    this.#attempt = 0;
    this.#connected = true;
    const wire = this.#wire;
    const negotiation = this.#holding;
    wire?.keep();
    this.#holding = wire;
    negotiation?.unsubscribe();
    if (this.#agreeing?.own === undefined) this.#agreeing = undefined;
    this.#tell(CONNECTED[life.agreement.server.era]);
    wire?.watch();
    this.#host.ready(life);
    opening.ready(life);
  }

  #failed(error: McpError, opening?: Opening): void {
    this.#opening = undefined;
    if (this.#opened && this.#host.connector.reopens === false) this.#gone = error;
    this.#tell({ status: 'failed', error });
    opening?.fail(error);
  }

  #sessions(form: WireForm | undefined): Observable<Session> {
    return new Observable((subscriber) => {
      const wire = new Wire(this, subscriber);
      this.#wire = wire;
      wire.open(this.#host.connector, form);
    });
  }

  #tell(state: ConnectionState): void {
    if (this.#state.status === 'closed') return;
    this.#state = state;
    this.#states?.next(state);
  }

  opened(): void {
    this.#opened = true;
  }

  /** What holds the wire failed, while it was in use. */
  failed(reason: McpError): void {
    this.#failed(reason);
  }

  ended(session: Session, reason: unknown): void {
    if (this.#life?.session !== session) return;
    this.#life = undefined;
    const error = asMcpError(reason);
    if (this.#host.connector.reopens === false) this.#gone = error;
    // Before anybody hears of it: whoever does may use the client at once, and that is another life to hold.
    this.#holding?.unsubscribe();
    this.#tell({ status: 'failed', error });
  }

  release(transport: Transport): void {
    const closings = (this.#closings ??= new Set<Promise<void>>());
    const closing = Promise.resolve()
      .then(() => transport.close())
      .catch((reason: unknown) => {
        this.channels.warn('housekeeping', `the transport could not be closed: ${reasonText(reason)}`, reason);
      })
      .finally(() => closings.delete(closing));
    closings.add(closing);
  }
}
