import { ProtocolError } from '../errors/index.js';
import { CODES } from '../jsonrpc/index.js';
import { type Life, modernCodec, supportedOf } from '../protocol/index.js';
import type { Settings } from './options.js';

/**
 * A modern server may refuse the version of any request: the same life, at a version it named that we speak;
 * `undefined` if `reason` is no such refusal, or names none. MCP 2026-07-28 basic/versioning.
 */
export const renegotiated = ({ session, agreement }: Life, reason: unknown, settings: Settings): Life | undefined => {
  if (agreement.server.era !== 'modern') return undefined;
  if (!(reason instanceof ProtocolError) || reason.code !== CODES.unsupportedVersion) return undefined;
  const supportedVersions = supportedOf(reason.data);
  const version = settings.protocolVersions.find((candidate) => supportedVersions.includes(candidate));
  if (version === undefined) return undefined;
  return {
    session,
    agreement: {
      ...agreement,
      codec: modernCodec(version, settings.identity),
      server: { ...agreement.server, protocolVersion: version, supportedVersions },
    },
  };
};
