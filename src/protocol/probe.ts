import { catchError, map, type Observable, of, throwError } from 'rxjs';
import { InvalidMessageError, ProtocolError } from '../errors/index.js';
import { CODES } from '../jsonrpc/index.js';
import type { Session } from '../session/index.js';
import { type Identity, modernCodec } from './modern.js';
import { type Discovered, readDiscovered, supportedOf } from './schemas/handshake.js';

/** What an answer to `server/discover` says of the server. */
export type Finding =
  /** a DiscoverResult */
  | { readonly kind: 'discovered'; readonly self: Discovered }
  /** the version was refused, and these were named */
  | { readonly kind: 'refused'; readonly supported: readonly string[] }
  /** an error only a modern server sends */
  | { readonly kind: 'modern' }
  /** anything else: an error, or a result that is no DiscoverResult */
  | { readonly kind: 'other'; readonly reason: unknown };

/** What an error in answer to the probe says of the server. */
export const findingOf = (error: ProtocolError): Finding => {
  if (error.code === CODES.unsupportedVersion) return { kind: 'refused', supported: supportedOf(error.data) };
  if (error.code === CODES.headerMismatch || error.code === CODES.missingClientCapability) return { kind: 'modern' };
  return { kind: 'other', reason: error };
};

/**
 * Asks `server/discover` at one version. Emits one finding and completes; errors only where the wire died,
 * which is no evidence of an era. Tells the server nothing when it is unsubscribed.
 * MCP 2026-07-28 basic/transports/stdio, "Backward Compatibility".
 */
export const discover = (session: Session, version: string, identity: Identity): Observable<Finding> =>
  session
    .call({
      method: 'server/discover',
      encode: () => modernCodec(version, identity).encode(undefined, {}),
      // A server that does not know the method may not know what to make of its end either.
      cancellable: false,
    })
    .pipe(
      map((raw): Finding => {
        const self = readDiscovered(raw);
        return self === undefined
          ? { kind: 'other', reason: new InvalidMessageError('server/discover', undefined, 'it is no DiscoverResult') }
          : { kind: 'discovered', self };
      }),
      catchError((reason: unknown) => {
        if (session.end !== undefined) return throwError(() => reason);
        if (reason instanceof ProtocolError) return of(findingOf(reason));
        if (reason instanceof InvalidMessageError) return of<Finding>({ kind: 'other', reason });
        return throwError(() => reason);
      }),
    );
