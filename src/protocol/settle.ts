import { concatMap, type Observable, of, throwError } from 'rxjs';
import { UnsupportedVersionError } from '../errors/index.js';
import type { Session } from '../session/index.js';
import { type Agreement, agreementOf } from './agreement.js';
import { type Identity, modernCodec } from './modern.js';
import { discover, type Finding } from './probe.js';
import type { Discovered } from './schemas/handshake.js';
import { isLegacyVersion } from './versions.js';

/** Says that the server is to be opened with `initialize`, and why. */
export interface GoLegacy {
  readonly legacy: true;
  readonly reason: unknown;
}

export interface ModernTerms {
  /** The modern versions to offer, best first; never empty. */
  readonly protocolVersions: readonly string[];
  readonly identity: Identity;
}

const preferred = (terms: ModernTerms): string => terms.protocolVersions[0] ?? '';

const asModern = (version: string, { identity }: ModernTerms, self: Discovered | undefined): Agreement =>
  agreementOf(modernCodec(version, identity), self, self?.supportedVersions ?? []);

/**
 * Reads a finding: an agreement in the modern era, or the word to go legacy. A version list is read by
 * *our* preference; after a refusal the probe is repeated once at a version the server named. Where it names
 * only legacy versions `initialize` is tried, for servers of both eras. Errors with `UnsupportedVersionError`
 * where the two share none. MCP 2026-07-28 basic/versioning, "Protocol Version Negotiation".
 */
export const settle = (
  session: Session,
  finding: Finding,
  terms: ModernTerms,
  asked = preferred(terms),
  mayAskAgain = true,
): Observable<Agreement | GoLegacy> => {
  if (finding.kind === 'modern') return of(asModern(asked, terms, undefined));
  if (finding.kind === 'other') return of({ legacy: true, reason: finding.reason });
  const named = finding.kind === 'discovered' ? finding.self.supportedVersions : finding.supported;
  const version = terms.protocolVersions.find((candidate) => named.includes(candidate));
  if (version !== undefined) {
    if (finding.kind === 'discovered') return of(asModern(version, terms, finding.self));
    if (mayAskAgain) {
      return discover(session, version, terms.identity).pipe(
        concatMap((second) => settle(session, second, terms, version, false)),
      );
    }
  }
  const reason = new UnsupportedVersionError(terms.protocolVersions, named);
  return mayAskAgain && named.some(isLegacyVersion) ? of({ legacy: true, reason }) : throwError(() => reason);
};

/** The modern opening and nothing else: what is no modern answer is an error. */
export const discoverOnly = (session: Session, terms: ModernTerms): Observable<Agreement> =>
  discover(session, preferred(terms), terms.identity).pipe(
    concatMap((finding) => settle(session, finding, terms)),
    concatMap((verdict) =>
      'legacy' in verdict
        ? throwError(() =>
            verdict.reason instanceof UnsupportedVersionError
              ? verdict.reason
              : new UnsupportedVersionError(terms.protocolVersions, []),
          )
        : of(verdict),
    ),
  );
