import {
  catchError,
  concatMap,
  defer,
  Observable,
  of,
  ReplaySubject,
  Subscription,
  switchMap,
  throwError,
  timeout,
} from 'rxjs';
import { asMcpError, type McpError, reasonText, TransportClosedError, UnsentError } from '../errors/index.js';
import type { Life, Negotiate } from '../protocol/index.js';
import { type Channels, type RequestHandler, Session } from '../session/index.js';
import type { Connector, Transport, WireForm } from '../transport/index.js';
import { Opening } from './opening.js';
import type { Settings } from './options.js';
import type { ConnectionState } from './state.js';

/** How long a wire that is no longer alive may take to say why, in ms: stdio takes 100. */
const LAST_WORDS_MS = 1_000;

/**
 * The one connection of a client. It is opened by the first use, shared by all, and opened again by the next
 * use after a death where the wire allows it. It owns every life of the wire, and releases them in `close()`.
 */
export class Connection {
  readonly #connector: Connector;
  readonly #channels: Channels;
  readonly #handlers: ReadonlyMap<string, RequestHandler>;
  readonly #negotiated: () => Observable<Life>;
  readonly #onReady: (life: Life) => void;
  /** A replay and no BehaviorSubject, which forgets its last value when it completes. */
  readonly #state = new ReplaySubject<ConnectionState>(1);
  readonly #closings = new Set<Promise<void>>();
  #life: Life | undefined;
  #opening: Opening | undefined;
  #holding: Subscription | undefined;
  #attempt = 0;
  /** Whether there ever was a connection. */
  #connected = false;
  /** Whether the opening under way got as far as a wire. */
  #opened = false;
  #closed = false;
  /** Why the wire may not be opened again. */
  #gone: McpError | undefined;

  readonly state$: Observable<ConnectionState> = this.#state.asObservable();

  constructor(
    connector: Connector,
    settings: Settings,
    channels: Channels,
    negotiate: Negotiate,
    onReady: (life: Life) => void = () => undefined,
    handlers: ReadonlyMap<string, RequestHandler> = new Map(),
  ) {
    this.#state.next({ status: 'idle' });
    this.#connector = connector;
    this.#channels = channels;
    this.#handlers = handlers;
    this.#onReady = onReady;
    const { identity, era, eraCache, probeTimeoutMs, protocolVersions } = settings;
    this.#negotiated = negotiate((form) => this.#sessions(form), {
      era,
      probeTimeoutMs,
      protocolVersions,
      cache: eraCache,
      key: connector.identity,
      reopens: connector.reopens !== false,
      forms: connector.forms === true,
      retry: connector.retry,
      waits$: connector.waits$,
      identity,
    });
  }

  /** True until `close()`, or the end of a wire that may not be reopened. */
  get alive(): boolean {
    // A call in flight hears of the death before this connection does.
    const isLost = this.#connector.reopens === false && this.#life?.session.end !== undefined;
    return !this.#closed && this.#gone === undefined && !isLost;
  }

  /** True where the wire has a form for each era: HTTP. */
  get forms(): boolean {
    return this.#connector.forms === true;
  }

  /** Whether the wire waits for somebody outside of the conversation. */
  get waits$(): Observable<boolean> | undefined {
    return this.#connector.waits$;
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
      this.#state.next({ status: 'closed' });
      this.#state.complete();
    }
    await Promise.all(this.#closings);
  }

  #waiting(): Observable<Life> {
    if (this.#closed) return throwError(() => new UnsentError('the client is closed'));
    const life = this.#life;
    if (life !== undefined) {
      const { session } = life;
      if (session.end === undefined) return this.#dying(life);
      this.#ended(life, session.end.reason);
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
        this.#ended(life, reason);
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
    this.#state.next({ status: this.#connected ? 'reconnecting' : 'connecting', attempt: this.#attempt });
    // Who heard of it may have closed the client.
    if (holding.closed) return opening;
    holding.add(
      opening.vain(this.#connector.waits$).subscribe({
        next: () => {
          this.#abandon(opening, holding);
        },
        error: () => undefined,
      }),
    );
    // One handshake for everybody who waits, and none of them can end it.
    holding.add(
      this.#negotiated().subscribe({
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
    this.#state.next({ status: 'idle' });
  }

  #ready(life: Life, opening: Opening): void {
    this.#life = life;
    this.#opening = undefined;
    this.#attempt = 0;
    this.#connected = true;
    this.#state.next({ status: 'connected', era: life.agreement.server.era });
    life.session.ended$.subscribe({
      next: (reason) => {
        this.#ended(life, reason);
      },
      error: () => undefined,
    });
    this.#onReady(life);
    opening.ready(life);
  }

  #failed(error: McpError, opening: Opening): void {
    this.#opening = undefined;
    if (this.#opened && this.#connector.reopens === false) this.#gone = error;
    this.#state.next({ status: 'failed', error });
    opening.fail(error);
  }

  #ended(life: Life, reason: unknown): void {
    if (this.#life?.session !== life.session) return;
    this.#life = undefined;
    const error = asMcpError(reason);
    if (this.#connector.reopens === false) this.#gone = error;
    // Before anybody hears of it: whoever does may use the client at once, and that is another life to hold.
    this.#holding?.unsubscribe();
    this.#state.next({ status: 'failed', error });
  }

  #sessions(form: WireForm | undefined): Observable<Session> {
    return defer(() => this.#connector(form)).pipe(
      catchError((reason: unknown) => throwError(() => asMcpError(reason))),
      switchMap(
        (transport) =>
          new Observable<Session>((subscriber) => {
            this.#opened = true;
            const session = new Session(transport, this.#channels, this.#handlers);
            subscriber.add(() => {
              session.close();
              this.#release(transport);
            });
            subscriber.next(session);
          }),
      ),
    );
  }

  #release(transport: Transport): void {
    const closing = Promise.resolve()
      .then(() => transport.close())
      .catch((reason: unknown) => {
        this.#channels.warn('housekeeping', `the transport could not be closed: ${reasonText(reason)}`, reason);
      })
      .finally(() => this.#closings.delete(closing));
    this.#closings.add(closing);
  }
}
