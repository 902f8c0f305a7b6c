import {
  AsyncSubject,
  catchError,
  concatMap,
  filter,
  merge,
  type Observable,
  of,
  share,
  take,
  tap,
  throwError,
  throwIfEmpty,
  timeout,
  timer,
} from 'rxjs';
import { ProtocolError } from '../errors/index.js';
import { CODES } from '../jsonrpc/index.js';
import { firstWithin } from '../rx/index.js';
import type { Session } from '../session/index.js';
import type { Agreement } from './agreement.js';
import { initialize } from './handshake.js';
import { discover, type Finding } from './probe.js';
import { hearsay } from './hearsay.js';
import { supportedOf } from './schemas/handshake.js';
import { type GoLegacy, type ModernTerms, settle } from './settle.js';

/** A probe that has its own short time. */
export interface ProbeTerms extends ModernTerms {
  readonly probeTimeoutMs: number;
}

const SILENCE = { kind: 'silence' } as const;

/** `initialize`, but a refusal that names a modern version we speak leads there. */
export const initializeOr = (
  session: Session,
  terms: ModernTerms,
  otherwise: (reason: unknown) => Observable<Agreement>,
): Observable<Agreement> =>
  initialize(session, terms.identity).pipe(
    catchError((reason: unknown) => {
      if (session.end !== undefined) return throwError(() => reason);
      if (reason instanceof ProtocolError && reason.code === CODES.unsupportedVersion) {
        const finding: Finding = { kind: 'refused', supported: supportedOf(reason.data) };
        return settle(session, finding, terms).pipe(
          concatMap((verdict) => ('legacy' in verdict ? throwError(() => verdict.reason) : of(verdict))),
        );
      }
      return otherwise(reason);
    }),
  );

/**
 * Probes a server on the very connection that will be used, and opens it in the era found. The probe has
 * its own short budget; when that runs out nothing is cancelled, `initialize` is sent, and the probe's id
 * stays open: a server that is slow to start answers late. A late DiscoverResult counts when `initialize`
 * is refused, or left unanswered for another budget; when both succeed the era is legacy, since
 * `initialize` selects it. MCP 2026-07-28 basic/transports/stdio, "Backward Compatibility".
 */
export const openInPlace = (session: Session, terms: ProbeTerms): Observable<Agreement> => {
  const { identity, probeTimeoutMs, protocolVersions } = terms;
  const answer$ = discover(session, protocolVersions[0] ?? '', identity).pipe(
    share({
      connector: () => new AsyncSubject<Finding>(),
      resetOnComplete: false,
      resetOnError: false,
      resetOnRefCountZero: false,
    }),
  );
  // Listening before the probe is sent: a server in this process answers within the sending.
  let found = false;
  const heard$ = hearsay(session, () => !found);
  const first$ = merge(heard$, answer$).pipe(
    tap(() => {
      found = true;
    }),
    take(1),
    timeout({ first: probeTimeoutMs, with: () => of(SILENCE) }),
  );
  return first$.pipe(
    concatMap((finding): Observable<Agreement | GoLegacy> =>
      finding.kind === 'silence' ? of({ legacy: true, reason: undefined }) : settle(session, finding, terms),
    ),
    concatMap((verdict) => ('legacy' in verdict ? openLegacy(session, answer$, terms) : of(verdict))),
  );
};

const openLegacy = (session: Session, answer$: Observable<Finding>, terms: ProbeTerms): Observable<Agreement> => {
  const { probeTimeoutMs } = terms;
  const late$ = answer$.pipe(
    concatMap((finding) => settle(session, finding, terms)),
    filter((verdict): verdict is Agreement => !('legacy' in verdict)),
    // Looked at twice below, but what it asks is asked once. It ends with the handshake.
    share({ connector: () => new AsyncSubject<Agreement>(), resetOnComplete: false, resetOnError: false }),
  );
  const handshake$ = initializeOr(session, terms, (reason) =>
    late$.pipe(
      firstWithin(probeTimeoutMs, undefined, () => reason),
      throwIfEmpty(() => reason),
    ),
  );
  // A late refusal as well is no more than that while `initialize` may still be answered.
  const overdue = <T>(told$: Observable<T>): Observable<T> => timer(probeTimeoutMs).pipe(concatMap(() => told$));
  const overdue$ = late$.pipe(
    concatMap((agreement) => overdue(of(agreement))),
    catchError((reason: unknown) => overdue(throwError(() => reason))),
  );
  return merge(handshake$, overdue$).pipe(take(1));
};
