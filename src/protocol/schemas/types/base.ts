/** Any value JSON can write. */
export type JSONValue = string | number | boolean | null | JSONObject | JSONArray;

/** An object of JSON values. */
export type JSONObject = { [key: string]: JSONValue };

/** A list of JSON values. */
export type JSONArray = JSONValue[];

/** Whose words a message or a piece of content is. MCP 2026-07-28 schema, `Role`. */
export type Role = 'user' | 'assistant';

/**
 * The severity of a log line, in the words of syslog (RFC 5424), from the least severe, `debug`, to the
 * worst, `emergency`. Logging is deprecated in MCP 2026-07-28 and supported here. Schema, `LoggingLevel`.
 */
export type LoggingLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency';

/** Ties the progress reports of a call to it. MCP 2026-07-28 basic/patterns/progress; schema, `ProgressToken`. */
export type ProgressToken = string | number;

/** A picture that stands for a server, a tool, a prompt or a resource. MCP 2026-07-28 schema, `Icon`. */
export interface Icon {
  /** An `https:` or `data:` URI. It comes from the server: fetch it without credentials, if at all. */
  src: string;
  /** The media type, where the one that `src` is served with is missing or too general. */
  mimeType?: string | undefined;
  /** The sizes it is good for, as `WIDTHxHEIGHT` in pixels, or `any` for one that scales. Absent: any. */
  sizes?: string[] | undefined;
  /** The background it is drawn for. Absent: either. */
  theme?: 'light' | 'dark' | undefined;
}

/** Hints from the server about the use of a piece of content. MCP 2026-07-28 schema, `Annotations`. */
export interface Annotations {
  /** Who it is meant for; may be both. */
  audience?: Role[] | undefined;
  /** From 0, may be left out, to 1, is needed. */
  priority?: number | undefined;
  /** When it last changed, as an ISO 8601 date and time. */
  lastModified?: string | undefined;
}

/** The name and version of a client or server, for display only. MCP 2026-07-28 schema, `Implementation`. */
export interface Implementation {
  /** The name for programs; also shown where there is no `title`. */
  name: string;
  /** The name for people. Revision 2025-06-18 and later. */
  title?: string | undefined;
  version: string;
  /** What it is for, in a sentence or two. Revision 2025-11-25 and later. */
  description?: string | undefined;
  /** Revision 2025-11-25 and later. */
  websiteUrl?: string | undefined;
  /** Revision 2025-11-25 and later. */
  icons?: Icon[] | undefined;
}

/** What goes with the parameters of a request beside them. MCP 2026-07-28 basic, "_meta"; schema, `RequestMetaObject`. */
export interface RequestMeta {
  [key: string]: unknown;
  /** Asks for progress reports, and names them. */
  progressToken?: ProgressToken | undefined;
  /** The task a message belongs to. Revision 2025-11-25 only. */
  'io.modelcontextprotocol/related-task'?: { taskId: string } | undefined;
}

/** What goes with a result beside it. MCP 2026-07-28 basic, "_meta"; schema, `ResultMetaObject`. */
export interface ResultMeta {
  [key: string]: unknown;
  /** The server that answered, where it says so. Revision 2026-07-28. */
  'io.modelcontextprotocol/serverInfo'?: Implementation | undefined;
}

/** Asks that a request be run as a task. Revision 2025-11-25 only; this client never sends it. */
export interface TaskMetadata {
  /** How long the task's result is to be kept, in milliseconds. */
  ttl?: number | undefined;
}
