import type { McpError } from '../errors/index.js';
import type { Era } from '../protocol/index.js';

/** How a client's connection is. */
export interface ConnectionState {
  /**
   * `idle`: nothing was opened yet, or it was given up when nobody waited for it any longer · `connecting`: the first connection is being made · `connected` ·
   * `reconnecting`: a later one is being made · `failed`: the last one died or could not be made, and `error`
   * says why; the next use tries again where the wire may be reopened · `closed`: for good.
   */
  readonly status: 'idle' | 'connecting' | 'connected' | 'reconnecting' | 'failed' | 'closed';
  /** Once connected. */
  readonly era?: Era | undefined;
  /** While connecting or reconnecting: 1 for the first try since the last connection, or ever. */
  readonly attempt?: number | undefined;
  /** Why it failed. */
  readonly error?: McpError | undefined;
}
