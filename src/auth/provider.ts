import {
  catchError,
  concatMap,
  defer,
  from,
  last,
  map,
  Observable,
  of,
  ReplaySubject,
  share,
  Subject,
  throwError,
} from 'rxjs';
import { asMcpError, type McpError, OptionError } from '../errors/index.js';
import type { Answer } from '../rx/index.js';
import type { AuthAnswer, AuthChallenge, AuthContext } from '../transport/http/options.js';
import { Attempts } from './attempts.js';
import { Authorizer, NobodyToAsk } from './authorizer.js';
import { wantedOf } from './challenges.js';
import { Dpop } from './dpop.js';
import { type Flow, type Grant, Store } from './flow.js';
import { type Held, Holdings } from './holdings.js';
import { logOut } from './log-out.js';
import type { ClientKey, CommonOptions, OAuthProvider } from './options.js';
import { Places, told } from './places.js';
import { isExpired, isStale, Refresher, type Refreshing } from './refresher.js';
import type { Tokens } from './records.js';
import type { AuthorizationState } from './states.js';
import { MemoryTokenStore } from './token-store.js';
import { Web } from './web.js';

const REQUEST_MS = 30_000;
/** No flow has more states than this. */
const STATES = 16;

/** There are tokens, for the server that is told so. */
const authorized = (server: string, { server: { issuer }, scopes, expiresAt }: Tokens): AuthorizationState => ({
  ...{ status: 'authorized', server, issuer, scopes, expiresAt },
});

/** The value of `Authorization`. */
const valueOf = ({ scheme, accessToken }: Tokens): string => `${scheme} ${accessToken}`;

const checkedServer = (url: string | URL): string => {
  const text = String(url);
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new OptionError('url', 'give the URL of an MCP endpoint');
  const parsed = new URL(text);
  parsed.hash = '';
  return parsed.href;
};

/** Gives requests their authorization: from what is kept, by refreshing it, or by its grant. */
export class GrantProvider implements OAuthProvider {
  readonly #options: CommonOptions;
  readonly #key: ClientKey | undefined;
  readonly #store: Store;
  readonly #holdings: Holdings;
  readonly #refresher: Refresher;
  readonly #authorizer: Authorizer;
  readonly #asks: boolean;
  readonly #dpop = new Dpop();
  readonly #attempts = new Attempts();
  readonly #states = new Subject<AuthorizationState>();
  /** The servers that somebody logs out of. */
  readonly #logOuts = new Subject<string>();
  /** The flows under way, by the URL of their server. */
  readonly #flows = new Map<string, Observable<AuthorizationState>>();

  /** What bounds the wait of a call. */
  readonly waitMs: number | undefined;
  readonly states$: Observable<AuthorizationState> = this.#states.asObservable();

  constructor(options: CommonOptions, grant: Grant, key: ClientKey | undefined) {
    this.#options = options;
    this.#key = key;
    this.#asks = grant.asks;
    this.waitMs = grant.waitMs;
    this.#store = new Store(options.store ?? new MemoryTokenStore());
    this.#holdings = new Holdings(this.#store, grant.name, options.dpop === true);
    this.#refresher = new Refresher(this.#store);
    this.#authorizer = new Authorizer({
      ...{ grant, holdings: this.#holdings, store: this.#store, refresher: this.#refresher, attempts: this.#attempts },
      ...{ scopes: options.scopes ?? [], key },
    });
  }

  token({ url }: AuthContext): Answer<string | undefined> {
    const held = this.#holdings.held(url);
    return held !== undefined && !isStale(held) ? valueOf(held) : this.#fresh(url);
  }

  async proof({
    url,
    target,
    method,
    token,
  }: AuthContext & { readonly token: string }): Promise<Readonly<Record<string, string>>> {
    const tokens = this.#holdings.held(url);
    if (tokens?.dpopKey === undefined || tokens.scheme !== 'DPoP' || valueOf(tokens) !== token) return {};
    const proof = await this.#dpop.proof(tokens.dpopKey, { method, target, accessToken: tokens.accessToken });
    return proof === undefined ? {} : { dpop: proof };
  }

  onAnswer({ url, target, method, status, token, header }: AuthAnswer): void {
    if (status < 400 && token !== undefined) this.#attempts.succeeded(url);
    const nonce = header('dpop-nonce');
    const tokens = this.#holdings.held(url);
    if (nonce !== undefined && tokens?.dpopKey !== undefined)
      this.#dpop.learn(tokens.dpopKey, { method, target, accessToken: tokens.accessToken }, nonce);
  }

  onUnauthorized(refusal: AuthChallenge): Answer<boolean> {
    const answer = this.#atOnce(refusal);
    if (answer !== undefined) return answer;
    return this.#flow(refusal.url, refusal).pipe(
      last(undefined, undefined),
      map((state) => state?.status === 'authorized'),
      catchError((reason: unknown) => (reason instanceof NobodyToAsk ? of(false) : throwError(() => reason))),
    );
  }

  renew(refusal: AuthChallenge): Answer<boolean> {
    // Who asks nobody need not look who waits.
    if (!this.#asks) return this.onUnauthorized(refusal);
    return this.#atOnce(refusal) ?? (refusal.status === 401 && this.#renewed(refusal));
  }

  authorize(url: string | URL): Observable<AuthorizationState> {
    return defer(() => {
      const server = checkedServer(url);
      this.#attempts.forget(server);
      return this.#flow(server, undefined);
    });
  }

  resume(answer: string | URL): Observable<AuthorizationState> {
    return defer(() => from(this.#authorizer.pending(answer, this.#store))).pipe(
      concatMap((pending) => {
        const url = pending.server;
        const resumed$: Observable<AuthorizationState> = this.#newFlow(
          url,
          async (flow) => this.#authorizer.resume(flow, url, pending, answer),
          () => resumed$,
        );
        return resumed$;
      }),
    );
  }

  forget(url: string | URL): Observable<undefined> {
    return defer(() => from(this.#forgotten(checkedServer(url)))).pipe(map(() => undefined));
  }

  /** What can be said to a refusal without a flow. */
  #atOnce({ status, challenge, url }: AuthChallenge): boolean | undefined {
    const { error } = wantedOf(challenge);
    if (status === 403 && error !== 'insufficient_scope') return false;
    // The nonce was in the answer, and the next proof has it. RFC 9449, section 9.
    return error === 'use_dpop_nonce' ? this.#holdings.held(url)?.dpopKey !== undefined : undefined;
  }

  async #renewed(refusal: AuthChallenge): Promise<boolean> {
    const held = await this.#holdings.load(refusal.url);
    return held !== undefined && this.#authorizer.renew(held, refusal, this.#alone(refusal.url));
  }

  async #forgotten(url: string): Promise<void> {
    this.#logOuts.next(url);
    await logOut(url, { holdings: this.#holdings, store: this.#store, web: this.#web(url), key: this.#key });
  }

  async #fresh(url: string): Promise<string | undefined> {
    const held = await this.#kept(url);
    if (held === undefined) return undefined;
    const { key, tokens } = held;
    if (!isStale(tokens)) return valueOf(tokens);
    try {
      const fresh = await this.#refresher.refresh(key, tokens, this.#alone(url));
      // As the store has them: meanwhile somebody may have had them forgotten.
      const now = fresh === undefined ? undefined : await this.#kept(url);
      if (fresh !== undefined) return now === undefined ? undefined : valueOf(now.tokens);
    } catch (reason) {
      // It failed for now, and what there is holds for a while yet.
      if (isExpired(tokens)) throw reason;
    }
    return isExpired(tokens) ? undefined : valueOf(tokens);
  }

  /** The tokens that are kept for a call: where that fails, the call does, and no flow would say so. */
  async #kept(url: string): Promise<Held | undefined> {
    try {
      return await this.#holdings.load(url);
    } catch (reason) {
      this.#states.next({ status: 'failed', server: told(url), error: asMcpError(reason) });
      throw reason;
    }
  }

  #web(url: string): Web {
    const { fetch, requestTimeoutMs = REQUEST_MS, allowPrivate = false } = this.#options;
    return new Web(fetch, requestTimeoutMs, new Places(new URL(url), allowPrivate));
  }

  #refreshing(url: string): Refreshing {
    const tell = (state: AuthorizationState): void => {
      this.#states.next(state);
    };
    return { told: told(url), web: this.#web(url), dpop: this.#dpop, key: this.#key, tell };
  }

  /** A refresh without a flow: whoever hears of its beginning hears of its end. */
  #alone(url: string): Refreshing {
    const refreshing = this.#refreshing(url);
    const { told: server } = refreshing;
    let isTold = false;
    return {
      ...refreshing,
      tell: (state) => {
        isTold = true;
        refreshing.tell(state);
      },
      ended: (tokens: Tokens | undefined, error: McpError | undefined) => {
        if (tokens === undefined) {
          if (error !== undefined) refreshing.tell({ status: 'failed', server, error });
        } else if (isTold) refreshing.tell(authorized(server, tokens));
      },
    };
  }

  /** The flow for a server: the one under way, or another one. It is given up with the last who waits for it. */
  #flow(url: string, refusal: AuthChallenge | undefined): Observable<AuthorizationState> {
    return defer(() => {
      const running = this.#flows.get(url);
      if (running !== undefined) return running;
      const flow$: Observable<AuthorizationState> = this.#newFlow(
        url,
        async (flow, refreshing) => this.#authorizer.run(flow, { url, refusal, refreshing }),
        () => flow$,
      ).pipe(share({ connector: () => new ReplaySubject(STATES) }));
      this.#flows.set(url, flow$);
      return flow$;
    });
  }

  /** @param shared what the others join: it is over with the flow itself */
  #newFlow(
    url: string,
    work: (flow: Flow, refreshing: Refreshing) => Promise<Tokens>,
    shared: () => Observable<AuthorizationState>,
  ): Observable<AuthorizationState> {
    return new Observable((subscriber) => {
      const abort = new AbortController();
      const outcome = new ReplaySubject<'authorized' | 'failed'>(1);
      const refreshing = this.#refreshing(url);
      const tell = (state: AuthorizationState): void => {
        this.#states.next(state);
        subscriber.next(state);
      };
      const over = (how: 'authorized' | 'failed'): void => {
        loggingOut.unsubscribe();
        if (this.#flows.get(url) === shared()) this.#flows.delete(url);
        outcome.next(how);
        outcome.complete();
        abort.abort();
      };
      const flow = {
        ...refreshing,
        ...{ server: new URL(url), store: this.#store, signal: abort.signal, outcome$: outcome.asObservable(), tell },
        dpop: this.#options.dpop === true ? this.#dpop : undefined,
      };
      // What waits for somebody waits in vain from now on.
      const loggingOut = this.#logOuts.subscribe({
        next: (server) => {
          if (server === url && !abort.signal.aborted) over('failed');
        },
        error: () => undefined,
      });
      work(flow, { ...refreshing, tell }).then(
        (tokens) => {
          over('authorized');
          tell(authorized(flow.told, tokens));
          subscriber.complete();
        },
        (reason: unknown) => {
          over('failed');
          const error = asMcpError(reason);
          tell({ status: 'failed', server: flow.told, error });
          subscriber.error(error);
        },
      );
      return () => {
        if (!abort.signal.aborted) over('failed');
      };
    });
  }
}
