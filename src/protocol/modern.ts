import { InvalidMessageError } from '../errors/index.js';
import { isObject, type RequestId } from '../jsonrpc/index.js';
import type { Params } from '../session/index.js';
import type { Codec, Result, Stamp } from './codec.js';
import { completed, withMeta } from './members.js';
import { META } from './meta.js';
import type { ClientCapabilities, Implementation } from './schemas/index.js';

/** Who this client says it is, in either era. */
export interface Identity {
  readonly clientInfo: Implementation;
  readonly capabilities: ClientCapabilities;
  /** What is declared to a legacy server instead, where that differs. */
  readonly legacyCapabilities?: ClientCapabilities | undefined;
}

/** The methods a server may answer with questions. MCP 2026-07-28 basic/patterns/mrtr. */
const MAY_ASK: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);

/**
 * The modern codec: every request carries version, identity and capabilities in `_meta`; every result says
 * what it is, and one that does not is complete. MCP 2026-07-28 basic, "_meta" and "ResultType".
 */
export const modernCodec = (version: string, identity: Identity): Codec => {
  const known = codecs.get(identity);
  if (known?.version === version) return known;
  const codec = new ModernCodec(version, identity);
  codecs.set(identity, codec);
  return codec;
};

/** By who they speak for: clients without options are one. */
const codecs = new WeakMap<Identity, Codec>();

/** Knows nothing of a connection: one does for all that have its version and its identity. */
class ModernCodec implements Codec {
  readonly era = 'modern';
  readonly version: string;
  readonly #base: Readonly<Record<string, unknown>>;

  constructor(version: string, { clientInfo, capabilities }: Identity) {
    this.version = version;
    this.#base = {
      [META.protocolVersion]: version,
      [META.clientInfo]: clientInfo,
      [META.clientCapabilities]: capabilities,
    };
  }

  encode(params: Params | undefined, { progressToken, logLevel, meta }: Stamp): Params {
    return withMeta(
      params,
      progressToken === undefined && logLevel === undefined && meta === undefined
        ? this.#base
        : {
            ...meta,
            ...this.#base,
            ...(logLevel === undefined ? undefined : { [META.logLevel]: logLevel }),
            ...(progressToken === undefined ? undefined : { progressToken }),
          },
    );
  }

  decode(method: string, id: RequestId | undefined, raw: unknown): Result {
    if (!isObject(raw)) throw new InvalidMessageError(method, id, 'the result is not an object');
    const { resultType } = raw;
    if (resultType === 'complete') return raw as unknown as Result;
    if (resultType === undefined) return completed(raw);
    if (resultType === 'input_required' && MAY_ASK.has(method)) return raw as unknown as Result;
    throw new InvalidMessageError(
      method,
      id,
      typeof resultType === 'string'
        ? `a result of type ${JSON.stringify(resultType)}`
        : 'the resultType is not a string',
    );
  }
}
