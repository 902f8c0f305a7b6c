import { map, type Observable, tap } from 'rxjs';
import { InvalidMessageError, UnsupportedVersionError } from '../errors/index.js';
import type { RequestId } from '../jsonrpc/index.js';
import type { Session } from '../session/index.js';
import { type Agreement, agreementOf } from './agreement.js';
import { legacyCodec } from './legacy.js';
import type { Identity } from './modern.js';
import { readInitialized } from './schemas/initialized.js';
import { isLegacyVersion, LATEST_LEGACY_VERSION } from './versions.js';

/** Legacy servers name none. */
const NO_VERSIONS: readonly string[] = [];

/**
 * The legacy opening: `initialize`, a check of the version that comes back, `notifications/initialized`.
 * Emits the agreement once and completes. Errors with `UnsupportedVersionError` where the server answers a
 * version this client does not speak, and with what the server or the wire raised. It has no clock and tells
 * the server nothing when it is unsubscribed, for `initialize` must not be cancelled. MCP 2025-11-25 basic/lifecycle.
 */
export const initialize = (session: Session, identity: Identity): Observable<Agreement> => {
  const { clientInfo, capabilities, legacyCapabilities = capabilities } = identity;
  let id: RequestId | undefined;
  return session
    .call({
      method: 'initialize',
      encode: () => ({ protocolVersion: LATEST_LEGACY_VERSION, capabilities: legacyCapabilities, clientInfo }),
      cancellable: false,
      onSend: (sent) => {
        id = sent;
      },
    })
    .pipe(
      map((raw) => {
        const initialized = readInitialized(raw);
        if (initialized === undefined) throw new InvalidMessageError('initialize', id, 'it names no protocol version');
        const { protocolVersion } = initialized;
        if (!isLegacyVersion(protocolVersion)) {
          throw new UnsupportedVersionError([LATEST_LEGACY_VERSION], [protocolVersion]);
        }
        return agreementOf(legacyCodec(protocolVersion), initialized, NO_VERSIONS);
      }),
      tap(() => {
        session.notify('notifications/initialized');
      }),
    );
};
