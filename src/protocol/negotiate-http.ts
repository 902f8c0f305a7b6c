import { catchError, concatMap, defer, map, type Observable, of, switchMap, throwError } from 'rxjs';
import { ProtocolError, TimeoutError } from '../errors/index.js';
import { CODES } from '../jsonrpc/index.js';
import { firstWithin, type Part, part } from '../rx/index.js';
import type { Session } from '../session/index.js';
import type { RetryTerms } from '../transport/index.js';
import type { Agreement } from './agreement.js';
import type { EraVerdict } from './era-cache.js';
import { AskOldWay, isOldWay, remember, statusOf } from './http-evidence.js';
import { type Life, lifeOf, type Negotiate, type NegotiationTerms, type Open } from './life.js';
import { NO_RETRY, Patience } from './patience.js';
import { discover } from './probe.js';
import { discoverOnly, settle } from './settle.js';

/** How many times the probe's budget its answer may take: over HTTP a late answer is an outage, and no evidence. */
const PATIENCE = 4;

/** How a legacy server is opened: most are modern, or will be. */
export const legacyOpening: Part<typeof import('./legacy-http.js')> = /* @__PURE__ */ part(
  () => import('./legacy-http.js'),
);

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
  const { era, cache, key } = terms;
  const probed = (): Observable<Life> =>
    lifeOf(open, 'modern', (session) => probe(session, terms)).pipe(
      remember(terms, { era: 'modern' }),
      catchError((reason: unknown) =>
        reason instanceof AskOldWay
          ? legacyOpening.use(({ afterProbe }) => afterProbe(open, terms, reason))
          : throwError(() => reason),
      ),
    );
  if (era === 'legacy') return legacyOpening.use(({ legacyOnly }) => legacyOnly(open, terms));
  if (era === 'modern') return lifeOf(open, 'modern', (session) => discoverOnly(session, terms));
  return defer(() => (key === undefined ? of(undefined) : cache.get(key))).pipe(
    map((verdict) => verdict ?? { era: 'modern' as const }),
    switchMap((verdict: EraVerdict) =>
      verdict.era === 'modern'
        ? probed()
        : legacyOpening.use(({ asRemembered }) => asRemembered(open, terms, verdict, probed)),
    ),
  );
};

/** Negotiates over HTTP, and no other wire. What it finds out it tells the cache, and keeps nothing for itself. */
export const negotiateOverHttp: Negotiate = (open, terms) => ({
  own: undefined,
  open: () => negotiateHttp(open, terms),
});
