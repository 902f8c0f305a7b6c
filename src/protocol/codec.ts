import type { RequestId } from '../jsonrpc/index.js';
import type { LogLevel, Params } from '../session/index.js';
import type { Era } from './versions.js';

/** What a call adds to its own params. */
export interface Stamp {
  readonly progressToken?: string | number | undefined;
  /** Modern only: the severity from which the server may log for this request. */
  readonly logLevel?: LogLevel | undefined;
  /** The caller's own keys, already checked. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
}

/** A result as the layers above see it in either era: an object that says what it is. */
export interface Result {
  readonly resultType: 'complete' | 'input_required';
  readonly [key: string]: unknown;
}

/** How one revision writes requests and reads results. The layers above never ask about eras. */
export interface Codec {
  readonly era: Era;
  readonly version: string;
  /** The params as they go out. Never changes what it is given. */
  encode(params: Params | undefined, stamp: Stamp): Params | undefined;
  /** Reads a raw result; throws `InvalidMessageError` where the protocol does not allow it. */
  decode(method: string, id: RequestId | undefined, raw: unknown): Result;
}
