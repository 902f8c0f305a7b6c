import type { Icon, JSONValue, ResultMeta } from './base.js';
import type { ContentBlock } from './content.js';

/** Something a server can be asked to do. MCP 2026-07-28 server/tools; schema, `Tool`. */
export interface Tool {
  /** Names it in `tools/call`. */
  name: string;
  /** The name for people; the next best are `annotations.title` and `name`. */
  title?: string | undefined;
  /** What it does, for a model. */
  description?: string | undefined;
  /** JSON Schema of the arguments, always an object; 2020-12 unless `$schema` says otherwise. As the server wrote it. */
  inputSchema: {
    [key: string]: unknown;
    type: 'object';
    properties?: { [name: string]: JSONValue } | undefined;
    required?: string[] | undefined;
  };
  /** JSON Schema of `structuredContent` of its results. As the server wrote it. Revision 2025-06-18 and later. */
  outputSchema?: { [key: string]: unknown; $schema?: string | undefined } | undefined;
  annotations?: ToolAnnotations | undefined;
  /** How it may be run. Revision 2025-11-25 only. */
  execution?: ToolExecution | undefined;
  /** Revision 2025-11-25 and later. */
  icons?: Icon[] | undefined;
  _meta?: { [key: string]: unknown } | undefined;
}

/**
 * What a server says about the behaviour of a tool. Hints, and its own word: build nothing that must hold on
 * those of a server you do not trust. Revision 2025-03-26 and later. MCP 2026-07-28 schema, `ToolAnnotations`.
 */
export interface ToolAnnotations {
  /** A name for people. */
  title?: string | undefined;
  /** It changes nothing. Absent: false. */
  readOnlyHint?: boolean | undefined;
  /** It may delete or overwrite, rather than only add. Says something only where it is not read-only. Absent: true. */
  destructiveHint?: boolean | undefined;
  /** A second call with the same arguments changes nothing more. Says something only where it is not read-only. Absent: false. */
  idempotentHint?: boolean | undefined;
  /** It deals with things outside the server's own world, such as the web. Absent: true. */
  openWorldHint?: boolean | undefined;
}

/** Whether a tool may, must or must not be run as a task. Revision 2025-11-25 only; there, schema `ToolExecution`. */
export interface ToolExecution {
  /** Absent: `forbidden`. */
  taskSupport?: 'required' | 'optional' | 'forbidden' | undefined;
}

/** The answer to `tools/call`, also of a tool that failed. MCP 2026-07-28 server/tools; schema, `CallToolResult`. */
export interface CallToolResult {
  [key: string]: unknown;
  /** What the tool gives, for a model. */
  content: ContentBlock[];
  /** The same as a value that fits `outputSchema`: any JSON value, in the legacy revisions an object. Revision 2025-06-18 and later. */
  structuredContent?: unknown;
  /** True: the tool failed and `content` says how, so that a model can do better. Absent: false. */
  isError?: boolean | undefined;
  _meta?: ResultMeta | undefined;
}
