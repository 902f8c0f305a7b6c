import { catchError, type Observable, of, throwError } from 'rxjs';
import { HttpError, ProtocolError, UnsupportedVersionError } from '../errors/index.js';
import type { Session } from '../session/index.js';
import { type Agreement, agreementOf } from './agreement.js';
import type { EraVerdict } from './era-cache.js';
import { initialize } from './handshake.js';
import { type AskOldWay, isOldWay, isRefusal, remember, statusOf } from './http-evidence.js';
import { type Life, lifeOf, type NegotiationTerms, type Open } from './life.js';
import { modernCodec } from './modern.js';

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

const handshake =
  ({ identity }: NegotiationTerms) =>
  (session: Session): Observable<Agreement> =>
    initialize(session, identity);

const oldest = (open: Open, terms: NegotiationTerms, refusal: unknown): Observable<Life> =>
  lifeOf(open, 'sse', handshake(terms)).pipe(
    // What has no such stream either is best told by its first refusal.
    catchError((reason: unknown) => throwError(() => (isNoStream(reason) ? refusal : reason))),
    remember(terms, { era: 'legacy', form: 'sse' }),
  );

const undeclared = (open: Open, terms: NegotiationTerms, refusal: unknown): Observable<Life> => {
  const { protocolVersions, identity } = terms;
  const version = protocolVersions[0];
  if (version === undefined) return throwError(() => refusal);
  return lifeOf(open, 'modern', () => of(agreementOf(modernCodec(version, identity), undefined, []))).pipe(
    remember(terms, { era: 'modern' }),
  );
};

const legacy = (
  open: Open,
  terms: NegotiationTerms,
  otherwise: (refusal: unknown) => Observable<Life>,
): Observable<Life> =>
  lifeOf(open, 'legacy', handshake(terms)).pipe(
    remember(terms, { era: 'legacy' }),
    catchError((reason: unknown) => (isRefusal(reason) ? otherwise(reason) : throwError(() => reason))),
  );

/** `initialize`, then the stream of HTTP+SSE. Emits a life once and holds it. */
export const legacyOnly = (open: Open, terms: NegotiationTerms): Observable<Life> =>
  legacy(open, terms, (refusal) => oldest(open, terms, refusal));

/** The same, for a server whose answer to the probe was no modern one. */
export const afterProbe = (
  open: Open,
  terms: NegotiationTerms,
  { reason, perhapsModern }: AskOldWay,
): Observable<Life> =>
  legacy(open, terms, (refusal) => {
    if (perhapsModern) return undeclared(open, terms, refusal);
    return oldest(open, terms, reason instanceof UnsupportedVersionError ? reason : refusal);
  });

/** Opens a server as it was before. A verdict that fails is dropped, and probed for again, once. */
export const asRemembered = (
  open: Open,
  terms: NegotiationTerms,
  { form }: EraVerdict,
  probed: () => Observable<Life>,
): Observable<Life> =>
  lifeOf(open, form === 'sse' ? 'sse' : 'legacy', handshake(terms)).pipe(
    catchError((reason: unknown) => {
      if (!isOtherwise(reason)) return throwError(() => reason);
      const { key, cache } = terms;
      if (key !== undefined) cache.delete(key);
      return probed();
    }),
  );
