import {
  asapScheduler,
  catchError,
  concatMap,
  defaultIfEmpty,
  defer,
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
import { asMcpError, OptionError } from '../../errors/index.js';
import { type Answer, answerOf, detour, guarded } from '../../rx/index.js';
import { together } from '../../rx/together.js';
import type { HttpResponse } from './engine.js';
import { checkedHeaders, checkedValue } from './headers.js';
import type { AuthChallenge, AuthContext, AuthProvider, HeaderFields, HeadersOption } from './options.js';
import { overRefusals } from './refused.js';
import { Renewals } from './renewals.js';
import type { Concern, Draft, Requester } from './requester.js';

/** How often the provider is asked for one request at most, and for a call of many requests. */
const MAX_ASKED = 3;
/**
 * How long the caller's own code may take, in ms, where its provider does not want more. Calls have clocks of their own, but an
 * opening has none, and everybody waits for the same one.
 */
const RENEWAL_MS = 660_000;

const waitOf = (authProvider: AuthProvider | undefined): number => Math.max(RENEWAL_MS, authProvider?.waitMs ?? 0);

const headersOf = (option: HeadersOption | undefined): Answer<HeaderFields> => {
  if (option === undefined) return {};
  if (typeof option === 'function') return option();
  return isObservable(option) ? option.pipe(take(1)) : option;
};

/** What the caller's own code answers, or `otherwise` if nothing; what it raises is not the network's failure. */
const asked = <T>(culprit: string, produce: () => Answer<T>, otherwise: T): Observable<T> =>
  answerOf(produce).pipe(
    catchError((reason: unknown) => throwError(() => asMcpError(reason, culprit))),
    defaultIfEmpty(otherwise),
  );

/** The same, for what is needed for each request: where no answer comes there is none to be sent. */
const needed = <T>(culprit: string, produce: () => Answer<T>, otherwise: T, waitMs: number): Observable<T> => {
  const late = (): Observable<never> => throwError(() => new Error(`it did not answer within ${waitMs} ms`));
  return asked(culprit, () => answerOf(produce).pipe(timeout({ first: waitMs, with: late })), otherwise);
};

const tokenOf = (authProvider: AuthProvider, context: AuthContext): Observable<string | undefined> =>
  needed('authProvider.token', () => authProvider.token(context), undefined, waitOf(authProvider));

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
    : needed(
        'authProvider.proof',
        () => authProvider.proof?.({ ...context, token }),
        undefined,
        waitOf(authProvider),
      ).pipe(map((fields) => (fields === undefined ? {} : checkedHeaders(fields))));

/**
 * Asks for what goes with each request of one connector: the caller's headers, and the provider's authorization; and for
 * another one where that is refused. See {@link Requester}.
 */
export class Asker {
  readonly #requester: Requester;
  readonly #renewals = new Renewals();
  /** How many other tokens there were for each call so far. */
  readonly #given = new WeakMap<object, number>();

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** See the requester's own. */
  send(draft: Draft, concern: Concern, call: object): Observable<HttpResponse> {
    const { authProvider, headers, url } = this.#requester.http;
    const context = { url, target: draft.url ?? url, method: draft.method };
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
      return this.#requester.sendWith(draft, own, authorized).pipe(
        detour((response) => {
          const { status } = response;
          if (authProvider?.onAnswer !== undefined)
            guarded(
              (answer) => authProvider.onAnswer?.(answer),
              { ...context, status, token, header: (name: string) => response.header(name) },
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
    const attempt = (tried: readonly string[], refused?: string): Observable<HttpResponse> =>
      together([
        needed('headers', () => headersOf(headers), {}, waitOf(authProvider)),
        authProvider === undefined
          ? of([undefined, {}] as const)
          : tokenOf(authProvider, context).pipe(
              concatMap((token) => proofOf(authProvider, context, token).pipe(map((proof) => [token, proof] as const))),
            ),
      ]).pipe(concatMap(([own, [token, proof]]) => sendWith(own, token, proof, tried, refused)));
    return attempt([]);
  }

  #refused(
    response: HttpResponse,
    context: AuthContext,
    token: string | undefined,
    concern: Concern,
    again: () => Observable<HttpResponse>,
  ): Observable<HttpResponse> {
    const { authProvider } = this.#requester.http;
    const challenge = response.header('www-authenticate');
    const { status } = response;
    // A refusal that is not about authorization has more to say in its body.
    const unauthorized = (): Observable<HttpResponse> =>
      status === 403 ? of(response) : overRefusals(response, (refusals) => refusals.unauthorized(response));
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
      this.#requester.waiting(-weight);
    };
    return defer(() => {
      this.#requester.waiting(weight);
      // In a turn of its own: who hears that somebody is to be asked may give the request up.
      const renewed$ = this.#renewals.renewed({ ...context, status, challenge, token }, asking, isBackground);
      return renewed$.pipe(subscribeOn(asapScheduler));
    }).pipe(
      // Nobody waits for ever: meanwhile the clocks of calls stand still.
      timeout({ first: waitOf(authProvider), with: () => of(false) }),
      concatMap((renewed) => {
        decided();
        if (!renewed) return unauthorized();
        this.#requester.wasRenewed();
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
}
