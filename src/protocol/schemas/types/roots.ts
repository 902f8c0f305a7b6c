import type { ResultMeta } from './base.js';

/** A folder or file a server may work in. Deprecated in 2026-07-28, and supported. MCP 2026-07-28 client/roots; schema, `Root`. */
export interface Root {
  /** A `file:` URI. */
  uri: string;
  /** The name for people. */
  name?: string | undefined;
  _meta?: { [key: string]: unknown } | undefined;
}

/** The client's answer to `roots/list`. Deprecated in 2026-07-28, and supported. Schema, `ListRootsResult`. */
export interface ListRootsResult {
  [key: string]: unknown;
  roots: Root[];
  _meta?: ResultMeta | undefined;
}
