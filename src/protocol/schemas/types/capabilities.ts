import type { JSONObject } from './base.js';

/** Parts of the protocol beyond its core, by a name with a prefix; an empty object means: without settings. */
type Extensions = { [name: string]: JSONObject };

/** Which of a server's requests may run as tasks. Revision 2025-11-25 only. */
interface ServerTasks {
  [key: string]: unknown;
  list?: JSONObject | undefined;
  cancel?: JSONObject | undefined;
  requests?:
    | { [key: string]: unknown; tools?: { [key: string]: unknown; call?: JSONObject | undefined } | undefined }
    | undefined;
}

/** Which of a client's requests may run as tasks. Revision 2025-11-25 only. */
interface ClientTasks {
  [key: string]: unknown;
  list?: JSONObject | undefined;
  cancel?: JSONObject | undefined;
  requests?:
    | {
        [key: string]: unknown;
        sampling?: { [key: string]: unknown; createMessage?: JSONObject | undefined } | undefined;
        elicitation?: { [key: string]: unknown; create?: JSONObject | undefined } | undefined;
      }
    | undefined;
}

/**
 * What a server offers; a part that is absent is not offered, and this client does not ask for it.
 * MCP 2026-07-28 server/discover; 2025-11-25 basic/lifecycle, "Capability Negotiation"; schema, `ServerCapabilities`.
 */
export interface ServerCapabilities {
  /** Whatever the server does outside the protocol. */
  experimental?: Extensions | undefined;
  /** It sends log lines. Deprecated in 2026-07-28, and supported. */
  logging?: JSONObject | undefined;
  /** It completes arguments of prompts and resource templates. */
  completions?: JSONObject | undefined;
  /** It has prompts; `listChanged`: and says when their list changes. */
  prompts?: { listChanged?: boolean | undefined } | undefined;
  /** It has resources; `subscribe`: and says when one changes; `listChanged`: when their list does. */
  resources?: { subscribe?: boolean | undefined; listChanged?: boolean | undefined } | undefined;
  /** It has tools; `listChanged`: and says when their list changes. */
  tools?: { listChanged?: boolean | undefined } | undefined;
  /** Revision 2025-11-25 only. */
  tasks?: ServerTasks | undefined;
  /** Extensions it speaks, with their settings. */
  extensions?: Extensions | undefined;
}

/**
 * What a client offers; a server may ask for nothing else. This client declares what it has a hook for.
 * MCP 2026-07-28 basic, "_meta"; 2025-11-25 basic/lifecycle, "Capability Negotiation"; schema, `ClientCapabilities`.
 */
export interface ClientCapabilities {
  /** Whatever the client does outside the protocol. */
  experimental?: Extensions | undefined;
  /**
   * It answers `sampling/createMessage`; `tools`: with tools as well; `context`: and honours `includeContext`.
   * Deprecated in 2026-07-28, and supported.
   */
  sampling?: { context?: JSONObject | undefined; tools?: JSONObject | undefined } | undefined;
  /** It asks its user: `form`, to fill in a form; `url`, to visit a page. An empty object means `form`. */
  elicitation?:
    | ({
        form?: ({ applyDefaults?: boolean | undefined } & JSONObject) | undefined;
        url?: JSONObject | undefined;
      } & JSONObject)
    | undefined;
  /** It names roots; `listChanged` (legacy revisions): and says when they change. Deprecated in 2026-07-28, and supported. */
  roots?: { listChanged?: boolean | undefined } | undefined;
  /** Revision 2025-11-25 only; this client never declares it. */
  tasks?: ClientTasks | undefined;
  /** Extensions it speaks, with their settings. */
  extensions?: Extensions | undefined;
}
