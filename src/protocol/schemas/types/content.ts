import type { Annotations } from './base.js';
import type { BlobResourceContents, Resource, TextResourceContents } from './resources.js';

/** Text for a model or a person. MCP 2026-07-28 schema, `TextContent`. */
export interface TextContent {
  type: 'text';
  text: string;
  annotations?: Annotations | undefined;
  _meta?: { [key: string]: unknown } | undefined;
}

/** An image for a model or a person. MCP 2026-07-28 schema, `ImageContent`. */
export interface ImageContent {
  type: 'image';
  /** The bytes, in base64. */
  data: string;
  mimeType: string;
  annotations?: Annotations | undefined;
  _meta?: { [key: string]: unknown } | undefined;
}

/** Sound for a model or a person. Revision 2025-03-26 and later. MCP 2026-07-28 schema, `AudioContent`. */
export interface AudioContent {
  type: 'audio';
  /** The bytes, in base64. */
  data: string;
  mimeType: string;
  annotations?: Annotations | undefined;
  _meta?: { [key: string]: unknown } | undefined;
}

/**
 * A resource named but not sent along: read it with `resources/read`. It need not be in the list of
 * resources. Revision 2025-06-18 and later. MCP 2026-07-28 schema, `ResourceLink`.
 */
export interface ResourceLink extends Resource {
  type: 'resource_link';
}

/** A resource with its contents. MCP 2026-07-28 schema, `EmbeddedResource`. */
export interface EmbeddedResource {
  type: 'resource';
  resource: TextResourceContents | BlobResourceContents;
  annotations?: Annotations | undefined;
  _meta?: { [key: string]: unknown } | undefined;
}

/** One piece of what a tool or a prompt gives; `type` tells which. MCP 2026-07-28 schema, `ContentBlock`. */
export type ContentBlock = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource;
