import { catchError, concatMap, defer, map, type Observable, of, switchMap, tap, throwError } from 'rxjs';
import {
  EndedUnanswered,
  HttpError,
  InvalidMessageError,
  NetworkError,
  ProtocolError,
  refusalOf,
  TimeoutError,
  UnsupportedVersionError,
} from '../errors/index.js';
import { CODES } from '../jsonrpc/index.js';
import { firstWithin, type Part, part } from '../rx/index.js';
import type { Session } from '../session/index.js';
import type { RetryTerms } from '../transport/index.js';
import { type Agreement, agreementOf } from './agreement.js';
import type { EraVerdict } from './era-cache.js';
import { type Life, lifeOf, type Negotiate, type NegotiationTerms, type Open } from './life.js';
import { modernCodec } from './modern.js';
import { NO_RETRY, Patience } from './patience.js';
import { discover } from './probe.js';
import { discoverOnly, settle } from './settle.js';

/** How many times the probe's budget its answer may take: over HTTP a late answer is an outage, and no evidence. */
const PATIENCE = 4;

/** How a legacy server is opened: most are modern, or will be. */
export const legacyOpening: Part<typeof import('./handshake.js')> = /* @__PURE__ */ part(
  () => import('./handshake.js'),
);

/** The probe says that the server is to be asked the old way. */
class AskOldWay extends Error {
  constructor(
    readonly reason: unknown,
    /** It answered as a modern server does to a method it does not know. */
    readonly perhapsModern: boolean,
  ) {
    super();
  }
}

const statusOf = (reason: unknown): number | undefined => refusalOf(reason)?.status;

/** A status that says something of the endpoint: authorization and overload say nothing. */
const isRefusal = (reason: unknown): boolean => {
  const status = statusOf(reason) ?? 0;
  return status >= 400 && status < 500 && ![401, 403, 429].includes(status);
};

const isOldWay = (reason: unknown): boolean =>
  isRefusal(reason) ||
  statusOf(reason) === 500 ||
  reason instanceof InvalidMessageError ||
  // It answered in good order, and said nothing to it.
  (reason instanceof NetworkError && reason.cause instanceof EndedUnanswered);

/** Something else is where the stream of HTTP+SSE would be: a page, or a refusal. */
const isNoStream = (reason: unknown): boolean =>
  isRefusal(reason) ||
  statusOf(reason) === 500 ||
  (reason instanceof HttpError && reason.status >= 200 && reason.status < 300);

/** The server answered, and not as one that is what it was taken for. */
const isOtherwise = (reason: unknown): boolean =>
  isOldWay(reason) ||
  isNoStream(reason) ||
  reason instanceof UnsupportedVersionError ||
  (reason instanceof ProtocolError && statusOf(reason) === undefined);

const isUnknownMethod = (reason: unknown): boolean =>
  reason instanceof ProtocolError && reason.code === CODES.methodNotFound && statusOf(reason) === 404;

const probe = (session: Session, terms: NegotiationTerms): Observable<Agreement> => {
  const { protocolVersions, identity, probeTimeoutMs, waits$ } = terms;
  const ms = probeTimeoutMs * PATIENCE;
  return discover(session, protocolVersions[0] ?? '', identity).pipe(
    firstWithin(ms, waits$, () => new TimeoutError('server/discover', undefined, ms)),
    concatMap((finding) => settle(session, finding, terms)),
    catchError((reason: unknown) => throwError(() => (isOldWay(reason) ? new AskOldWay(reason, false) : reason))),
    concatMap((verdict) => {
      if (!('legacy' in verdict)) return of(verdict);
      const { reason } = verdict;
      // An error in the body makes no evidence of a status that is none.
      const isOutage = statusOf(reason) !== undefined && !isOldWay(reason);
      return throwError(() => (isOutage ? reason : new AskOldWay(reason, isUnknownMethod(reason))));
    }),
  );
};

/** Begins anew, a few times and later each time, where the server has too much to do: nothing has come of it so far. */
const unlessBusy = (life$: Observable<Life>, retry: RetryTerms): Observable<Life> =>
  defer(() => {
    const patience = new Patience(retry);
    return life$.pipe(
      catchError((reason: unknown, again$) => {
        const delay$ = patience.after(reason);
        return delay$ === undefined ? throwError(() => reason) : delay$.pipe(concatMap(() => again$));
      }),
    );
  });

/**
 * Finds the form and the era of a server over HTTP: a modern request first, then `initialize`, then the stream of
 * HTTP+SSE. Only what says something of the endpoint is evidence: a timeout, a network failure and an authorization status
 * are raised; where the server has too much to do it is asked again, as often as `retry` allows. Emits a life once and
 * holds it. MCP 2026-07-28 basic/transports/streamable-http, "Backward Compatibility".
 */
export const negotiateHttp = (open: Open, terms: NegotiationTerms): Observable<Life> =>
  unlessBusy(negotiated(open, terms), terms.retry ?? NO_RETRY);

const negotiated = (open: Open, terms: NegotiationTerms): Observable<Life> => {
  const { era, cache, key, identity, protocolVersions } = terms;
  const remember = (verdict: EraVerdict) =>
    tap<Life>(() => {
      if (key !== undefined && era === 'auto') cache.set(key, verdict);
    });
  const handshake = (session: Session): Observable<Agreement> =>
    legacyOpening.use(({ initialize }) => initialize(session, identity));

  const oldest = (refusal: unknown): Observable<Life> =>
    lifeOf(open, 'sse', handshake).pipe(
      // What has no such stream either is best told by its first refusal.
      catchError((reason: unknown) => throwError(() => (isNoStream(reason) ? refusal : reason))),
      remember({ era: 'legacy', form: 'sse' }),
    );

  const undeclared = (refusal: unknown): Observable<Life> => {
    const version = protocolVersions[0];
    if (version === undefined) return throwError(() => refusal);
    return lifeOf(open, 'modern', () => of(agreementOf(modernCodec(version, identity), undefined, []))).pipe(
      remember({ era: 'modern' }),
    );
  };

  const legacy = (otherwise: (refusal: unknown) => Observable<Life>): Observable<Life> =>
    lifeOf(open, 'legacy', handshake).pipe(
      remember({ era: 'legacy' }),
      catchError((reason: unknown) => (isRefusal(reason) ? otherwise(reason) : throwError(() => reason))),
    );

  const probed = (): Observable<Life> =>
    lifeOf(open, 'modern', (session) => probe(session, terms)).pipe(
      remember({ era: 'modern' }),
      catchError((reason: unknown) => {
        if (!(reason instanceof AskOldWay)) return throwError(() => reason);
        const known = reason.reason instanceof UnsupportedVersionError ? reason.reason : undefined;
        return legacy((refusal) => (reason.perhapsModern ? undeclared(refusal) : oldest(known ?? refusal)));
      }),
    );

  /** A verdict that fails is dropped, and probed for again, once. */
  const orProbed = (life$: Observable<Life>): Observable<Life> =>
    life$.pipe(
      catchError((reason: unknown) => {
        if (!isOtherwise(reason)) return throwError(() => reason);
        if (key !== undefined) cache.delete(key);
        return probed();
      }),
    );

  if (era === 'legacy') return legacy(oldest);
  if (era === 'modern') return lifeOf(open, 'modern', (session) => discoverOnly(session, terms));
  return defer(() => (key === undefined ? of(undefined) : cache.get(key))).pipe(
    map((verdict) => verdict ?? { era: 'modern' as const }),
    switchMap((verdict: EraVerdict) => {
      if (verdict.era === 'modern') return probed();
      return orProbed(lifeOf(open, verdict.form === 'sse' ? 'sse' : 'legacy', handshake));
    }),
  );
};

/** Negotiates over HTTP, and no other wire. What it finds out it tells the cache, and keeps nothing for itself. */
export const negotiateOverHttp: Negotiate = (open, terms) => ({
  own: undefined,
  open: () => negotiateHttp(open, terms),
});
