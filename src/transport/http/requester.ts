import {
  asapScheduler,
  BehaviorSubject,
  catchError,
  concatMap,
  defaultIfEmpty,
  defer,
  distinctUntilChanged,
  finalize,
  isObservable,
  map,
  type Observable,
  of,
  subscribeOn,
  take,
  throwError,
  timeout,
} from 'rxjs';
import { asMcpError, McpError, NetworkError, OptionError, UnauthorizedError } from '../../errors/index.js';
import { type Answer, answerOf, detour, guarded, together } from '../../rx/index.js';
import { chooseEngine } from './choose-engine.js';
import type { HttpEngine, HttpRequest, HttpResponse } from './engine.js';
import { checkedHeaders, checkedValue } from './headers.js';
import type { AuthChallenge, AuthContext, AuthProvider, HeaderFields, HeadersOption } from './options.js';
import type { CheckedHttp } from './parameters.js';
import { redirected } from './redirects.js';
import { Renewals } from './renewals.js';
import { noteSent, withoutSecrets } from './secrets.js';
import { withoutQuery } from './without-query.js';

const MAX_REDIRECTS = 5;
/** How often the provider is asked for one request at most, and for a call of many requests. */
const MAX_ASKED = 3;
/** How long a new authorization may take, in ms, where its provider does not want more. */
const RENEWAL_MS = 660_000;

/**
 * On whose behalf a request is sent: somebody waits for it, and may be asked for an authorization; nobody does; or it is the
 * last of all, and worth no second try.
 */
export type Concern = 'call' | 'background' | 'goodbye';

/** A request before the headers that go with every one. */
export type Draft = Omit<HttpRequest, 'url'> & { readonly url?: string | undefined };

const headersOf = (option: HeadersOption | undefined): Answer<HeaderFields> => {
  if (option === undefined) return {};
  if (typeof option === 'function') return option();
  return isObservable(option) ? option.pipe(take(1)) : option;
};

/** Fields that are there, and need not be asked for. */
const isPlain = (option: HeadersOption | undefined): option is HeaderFields | undefined =>
  typeof option !== 'function' && !isObservable(option);

/** What the caller's own code answers, or `otherwise` if nothing; what it raises is not the network's failure. */
const asked = <T>(culprit: string, produce: () => Answer<T>, otherwise: T): Observable<T> =>
  answerOf(produce).pipe(
    catchError((reason: unknown) => throwError(() => asMcpError(reason, culprit))),
    defaultIfEmpty(otherwise),
  );

const tokenOf = (authProvider: AuthProvider, context: AuthContext): Observable<string | undefined> =>
  asked('authProvider.token', () => authProvider.token(context), undefined);

/** The field that carries a token, if there is one. RFC 9110, section 11.6.2; RFC 6750, section 2.1. */
const authorization = (token: unknown): Readonly<Record<string, string>> | undefined => {
  if (token === undefined || token === null || token === '') return undefined;
  // A token that is passed over would be a request without authorization, and a refusal nobody understands.
  if (typeof token !== 'string') throw new OptionError('authProvider', 'token answered with what is no string');
  const value = /^[A-Za-z0-9-]+ /.test(token) ? token : `Bearer ${token}`;
  return { authorization: checkedValue('authProvider', 'authorization', value) };
};

/** Fields of one request, of the provider's making. */
const proofOf = (
  authProvider: AuthProvider,
  context: AuthContext,
  token: string | undefined,
): Observable<Readonly<Record<string, string>>> =>
  authProvider.proof === undefined || typeof token !== 'string' || token === ''
    ? of({})
    : asked('authProvider.proof', () => authProvider.proof?.({ ...context, token }), undefined).pipe(
        map((fields) => (fields === undefined ? {} : checkedHeaders(fields))),
      );

/** Codes of undici's for a request it cannot make. */
const UNMAKEABLE: ReadonlySet<unknown> = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED']);

/** Whether a request was refused before it was made, for a header that cannot be sent. */
const isUnmakeable = (reason: unknown): reason is Error =>
  reason instanceof Error &&
  (UNMAKEABLE.has((reason as { code?: unknown }).code) ||
    (reason.name === 'TypeError' && /header|ByteString/i.test(reason.message)));

/**
 * Sends the requests of one connector: with the caller's headers and authorization, within the allowed hosts, following
 * redirects within the origin, and once more after authorization was given. Emits the head of an answer whatever its
 * status; errors with `NetworkError`, `UnauthorizedError`, an `HttpError` for a redirect that is not followed, an
 * `OptionError` for headers that cannot be sent, or a `TransportError` with what the caller's own code raised.
 */
export class Requester {
  readonly http: CheckedHttp;
  readonly #renewals = new Renewals();
  #engine: HttpEngine | undefined;
  #renewed = 0;
  /** How many other tokens there were for each call so far. */
  readonly #given = new WeakMap<object, number>();
  /** How many requests wait for the provider to renew their authorization. */
  readonly #waiting = new BehaviorSubject(0);

  /** Whether requests wait for an authorization, which a person may have to give; nothing where nobody is asked for any. */
  readonly waits$: Observable<boolean> | undefined;

  constructor(http: CheckedHttp) {
    this.http = http;
    this.waits$ =
      http.authProvider === undefined
        ? undefined
        : this.#waiting.pipe(
            map((count) => count > 0),
            distinctUntilChanged(),
          );
  }

  /** How often there was a new authorization so far. */
  get renewed(): number {
    return this.#renewed;
  }

  /** @param call what the request belongs to, where that is more than itself */
  send(draft: Draft, concern: Concern = 'call', call: object = {}): Observable<HttpResponse> {
    const { authProvider, headers } = this.http;
    const url = draft.url ?? this.http.url;
    const context = { url: this.http.url, target: url, method: draft.method };
    const sendWith = (
      own: HeaderFields,
      token: string | undefined,
      proof: Readonly<Record<string, string>>,
      tried: readonly string[],
      refused?: string,
    ): Observable<HttpResponse> => {
      const authorized = { ...proof, ...authorization(token) };
      // Another proof is nothing that anybody was asked for.
      if (tried.length > 0 && token !== refused) this.#given.set(call, (this.#given.get(call) ?? 0) + 1);
      const sent = { ...draft, url, headers: { ...checkedHeaders(own), ...draft.headers, ...authorized } };
      return this.#followed(sent, MAX_REDIRECTS).pipe(
        detour((response) => {
          noteSent(response, sent.headers);
          const { status, header } = response;
          if (authProvider?.onAnswer !== undefined)
            guarded(
              (answer) => authProvider.onAnswer?.(answer),
              { ...context, status, token, header },
              () => undefined,
            );
          if (status !== 401 && (status !== 403 || authProvider === undefined)) return undefined;
          // What was refused once is refused again: another token, or another proof, may fare better.
          const trial = JSON.stringify(authorized);
          const isNew = tried.length < MAX_ASKED && !tried.includes(trial);
          const mayAsk = isNew && (this.#given.get(call) ?? 0) < MAX_ASKED;
          return this.#refused(response, context, token, mayAsk ? concern : 'goodbye', () =>
            attempt([...tried, trial], token),
          );
        }),
      );
    };
    const attempt = (tried: readonly string[], refused?: string): Observable<HttpResponse> => {
      // Where nobody need be asked nothing is waited for.
      if (authProvider === undefined && isPlain(headers)) return sendWith(headers ?? {}, undefined, {}, tried, refused);
      return together([
        asked('headers', () => headersOf(headers), {}),
        authProvider === undefined
          ? of([undefined, {}] as const)
          : tokenOf(authProvider, context).pipe(
              concatMap((token) => proofOf(authProvider, context, token).pipe(map((proof) => [token, proof] as const))),
            ),
      ]).pipe(concatMap(([own, [token, proof]]) => sendWith(own, token, proof, tried, refused)));
    };
    return defer(() => attempt([]));
  }

  #refused(
    response: HttpResponse,
    context: AuthContext,
    token: string | undefined,
    concern: Concern,
    again: () => Observable<HttpResponse>,
  ): Observable<HttpResponse> {
    const { authProvider } = this.http;
    const challenge = response.header('www-authenticate');
    const { status } = response;
    const unauthorized = (): Observable<HttpResponse> => {
      // A refusal that is not about authorization has more to say in its body.
      if (status === 403) return of(response);
      response.discard();
      // A server may say again what it was sent.
      const told = challenge === undefined ? undefined : withoutSecrets(challenge, response);
      return throwError(() => new UnauthorizedError(told, withoutQuery(response.url)));
    };
    if (authProvider === undefined || concern === 'goodbye') return unauthorized();
    const isBackground = concern === 'background';
    if (isBackground && authProvider.renew === undefined) return unauthorized();
    const asking = {
      token: () => tokenOf(authProvider, context),
      renew: (about: AuthChallenge) =>
        isBackground
          ? asked<boolean>('authProvider.renew', () => authProvider.renew?.(about) ?? false, false)
          : asked('authProvider.onUnauthorized', () => authProvider.onUnauthorized(about), false),
    };
    // Nobody's time stands still for what nobody waits for.
    const weight = isBackground ? 0 : 1;
    let isDecided = false;
    const decided = (): void => {
      isDecided = true;
      this.#waiting.next(this.#waiting.value - weight);
    };
    return defer(() => {
      this.#waiting.next(this.#waiting.value + weight);
      // In a turn of its own: who hears that somebody is to be asked may give the request up.
      const renewed$ = this.#renewals.renewed({ ...context, status, challenge, token }, asking, isBackground);
      return renewed$.pipe(subscribeOn(asapScheduler));
    }).pipe(
      // Nobody waits for ever: meanwhile the clocks of calls stand still.
      timeout({ first: Math.max(RENEWAL_MS, authProvider.waitMs ?? 0), with: () => of(false) }),
      concatMap((renewed) => {
        decided();
        if (!renewed) return unauthorized();
        this.#renewed += 1;
        response.discard();
        return again();
      }),
      // Where the provider fails, or nobody waits for it any longer, the response is let go all the same.
      finalize(() => {
        if (isDecided) return;
        decided();
        response.discard();
      }),
    );
  }

  #followed(request: HttpRequest, redirects: number): Observable<HttpResponse> {
    const engine = this.#engine;
    if (engine === undefined) {
      return chooseEngine(this.http.fetch).pipe(
        concatMap((chosen) => {
          this.#engine ??= chosen;
          return this.#followed(request, redirects);
        }),
      );
    }
    return engine.send(request).pipe(
      detour(
        (response) => {
          const target = redirected(request, response, this.http, redirects);
          if (target === undefined) return undefined;
          response.discard();
          if (typeof target !== 'string') return throwError(() => target);
          return this.#followed({ ...request, url: target }, redirects - 1);
        },
        (reason) => this.#failed(request, engine, reason),
      ),
    );
  }

  #failed({ url }: HttpRequest, engine: HttpEngine, reason: unknown): Observable<never> {
    if (reason instanceof McpError) return throwError(() => reason);
    // A header that cannot be sent is the caller's error, not the network's.
    if (isUnmakeable(reason)) return throwError(() => new OptionError('headers', reason.message));
    return throwError(() => new NetworkError(withoutQuery(url), reason, !engine.neverLeft(reason)));
  }
}
