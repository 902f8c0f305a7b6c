import type { Annotations, Icon, ResultMeta } from './base.js';

/** Something a server lets be read, by its URI. MCP 2026-07-28 server/resources; schema, `Resource`. */
export interface Resource {
  /** Names it in `resources/read`; of any scheme. */
  uri: string;
  /** The name for programs; also shown where there is no `title`. */
  name: string;
  /** The name for people. */
  title?: string | undefined;
  /** What it is, for a model or a person. */
  description?: string | undefined;
  mimeType?: string | undefined;
  /** The size of the raw contents (before any base64), in bytes. */
  size?: number | undefined;
  icons?: Icon[] | undefined;
  annotations?: Annotations | undefined;
  _meta?: { [key: string]: unknown } | undefined;
}

/** A family of resources, by a pattern for their URIs. MCP 2026-07-28 server/resources; schema, `ResourceTemplate`. */
export interface ResourceTemplate {
  /** An RFC 6570 URI template. */
  uriTemplate: string;
  /** The name for programs; also shown where there is no `title`. */
  name: string;
  /** The name for people. */
  title?: string | undefined;
  /** What the family is, for a model or a person. */
  description?: string | undefined;
  /** The media type, where all of them have the same. */
  mimeType?: string | undefined;
  icons?: Icon[] | undefined;
  annotations?: Annotations | undefined;
  _meta?: { [key: string]: unknown } | undefined;
}

/** Contents that are text. MCP 2026-07-28 schema, `TextResourceContents`. */
export interface TextResourceContents {
  /** The resource these contents are of: the one asked for, or one inside it. */
  uri: string;
  mimeType?: string | undefined;
  text: string;
  _meta?: { [key: string]: unknown } | undefined;
}

/** Contents that are bytes. MCP 2026-07-28 schema, `BlobResourceContents`. */
export interface BlobResourceContents {
  /** The resource these contents are of: the one asked for, or one inside it. */
  uri: string;
  mimeType?: string | undefined;
  /** The bytes, in base64. */
  blob: string;
  _meta?: { [key: string]: unknown } | undefined;
}

/** The answer to `resources/read`; one resource may have several contents. MCP 2026-07-28 schema, `ReadResourceResult`. */
export interface ReadResourceResult {
  [key: string]: unknown;
  contents: (TextResourceContents | BlobResourceContents)[];
  _meta?: ResultMeta | undefined;
}
