import { InvalidMessageError } from '../errors/index.js';
import { isObject, type RequestId } from '../jsonrpc/index.js';
import type { Params } from '../session/index.js';
import type { Codec, Result, Stamp } from './codec.js';
import { completed, withMeta } from './members.js';

/** Says and knows nothing of a client: there is one for each version. */
class LegacyCodec implements Codec {
  readonly era = 'legacy';
  readonly version: string;

  constructor(version: string) {
    this.version = version;
  }

  encode(params: Params | undefined, { progressToken, meta }: Stamp): Params | undefined {
    return progressToken === undefined && meta === undefined
      ? params
      : withMeta(params, progressToken === undefined ? meta : { ...meta, progressToken });
  }

  decode(method: string, id: RequestId | undefined, raw: unknown): Result {
    if (!isObject(raw)) throw new InvalidMessageError(method, id, 'the result is not an object');
    return completed(raw);
  }
}

/** By their versions, of which there are few: no other is agreed on. */
const codecs = new Map<string, Codec>();

/**
 * The legacy codec: requests go out bare, and every result is complete, whatever it says of itself.
 * MCP 2024-11-05 to 2025-11-25, basic.
 */
export const legacyCodec = (version: string): Codec => {
  const codec = codecs.get(version) ?? new LegacyCodec(version);
  codecs.set(version, codec);
  return codec;
};
