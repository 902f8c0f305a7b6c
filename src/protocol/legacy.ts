import { InvalidMessageError } from '../errors/index.js';
import { isObject } from '../jsonrpc/index.js';
import type { Codec } from './codec.js';
import { completed, withMeta } from './members.js';

/**
 * The legacy codec: requests go out bare, and every result is complete, whatever it says of itself.
 * MCP 2024-11-05 to 2025-11-25, basic.
 */
export const legacyCodec = (version: string): Codec => ({
  era: 'legacy',
  version,
  encode: (params, { progressToken, meta }) =>
    progressToken === undefined && meta === undefined
      ? params
      : withMeta(params, progressToken === undefined ? meta : { ...meta, progressToken }),
  decode: (method, id, raw) => {
    if (!isObject(raw)) throw new InvalidMessageError(method, id, 'the result is not an object');
    return completed(raw);
  },
});
