import type { Inbound, Outbound, RequestId } from '../../../src/jsonrpc/index.js';

/** Which rules a frame was written under. `unknown`: a bare frame on a wire that has seen no handshake. */
export interface Attribution {
  readonly era: 'modern' | 'legacy' | 'unknown';
  readonly revision: string;
  /** The method of the peer's request that the frame answers, where the recorder saw it. */
  readonly answers?: string | undefined;
}

export const LATEST_LEGACY = '2025-11-25';
export const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';

const MARK = 'x-test/';
const UNKNOWN: Attribution = { era: 'unknown', revision: '?' };

const versionOf = (params: Readonly<Record<string, unknown>> | undefined): string | undefined => {
  const version = (params?.['_meta'] as Record<string, unknown> | undefined)?.[VERSION_KEY];
  return typeof version === 'string' ? version : undefined;
};

/**
 * Follows what one transport instance carries and says under which revision each of its outbound frames
 * falls: a modern frame names its version, `initialize` offers one, and what follows it belongs to the
 * version the answer names (where the answer was seen; until then the one offered). A cancel notice
 * belongs to the request it cancels. Frames marked `x-test/` are nobody's, nor are those of a wire that begins with one.
 */
export class Wire {
  #marked: boolean | undefined;
  #current: Attribution = UNKNOWN;
  #initialize: RequestId | undefined;
  readonly #sent = new Map<unknown, Attribution>();
  readonly #asked = new Map<RequestId, string>();

  /** `undefined`: the frame does not count. */
  out(frame: Outbound): Attribution | undefined {
    const method = 'method' in frame ? frame.method : undefined;
    const marked = method?.startsWith(MARK) === true;
    this.#marked ??= marked;
    if (this.#marked || marked) return undefined;
    if (!('method' in frame)) return this.#answer(frame.id);
    if (frame.method === 'notifications/cancelled') {
      return this.#sent.get(frame.params?.['requestId']) ?? this.#current;
    }
    const attribution = this.#request(frame.method, frame.params);
    if ('id' in frame) {
      if (frame.method === 'initialize') this.#initialize = frame.id;
      this.#sent.set(frame.id, attribution);
    }
    return attribution;
  }

  in(message: Inbound): void {
    if (!('jsonrpc' in message)) return;
    if ('method' in message) {
      if ('id' in message) this.#asked.set(message.id, message.method);
      return;
    }
    if (!('result' in message) || this.#initialize === undefined || message.id !== this.#initialize) return;
    const revision = (message.result as { protocolVersion?: unknown } | null)?.protocolVersion;
    if (typeof revision === 'string') this.#current = { era: 'legacy', revision };
  }

  #request(method: string, params: Readonly<Record<string, unknown>> | undefined): Attribution {
    if (method === 'initialize') {
      this.#current = { era: 'legacy', revision: String(params?.['protocolVersion']) };
      return this.#current;
    }
    const version = versionOf(params);
    if (version === undefined) return this.#current;
    const attribution: Attribution = { era: 'modern', revision: version };
    // A probe decides nothing: an answer to a server's request is legal until the client has gone on as a modern one.
    if (method !== 'server/discover') this.#current = attribution;
    return attribution;
  }

  #answer(id: RequestId | undefined): Attribution {
    const { era, revision } =
      this.#current.era === 'unknown' ? ({ era: 'legacy', revision: LATEST_LEGACY } as const) : this.#current;
    return { era, revision, answers: id === undefined ? undefined : this.#asked.get(id) };
  }
}
