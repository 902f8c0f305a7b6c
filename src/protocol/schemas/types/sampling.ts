import type { JSONObject, RequestMeta, ResultMeta, Role, TaskMetadata } from './base.js';
import type { AudioContent, ContentBlock, ImageContent, TextContent } from './content.js';
import type { Tool } from './tools.js';

/**
 * A model wants a tool run. Revision 2025-11-25 and later. Deprecated in 2026-07-28 with all of sampling, and
 * supported. MCP 2026-07-28 schema, `ToolUseContent`.
 */
export interface ToolUseContent {
  type: 'tool_use';
  /** The name of the tool. */
  name: string;
  /** Ties the {@link ToolResultContent} to it. */
  id: string;
  /** The arguments. */
  input: { [key: string]: unknown };
  _meta?: { [key: string]: unknown } | undefined;
}

/** What a tool gave a model. Deprecated, and supported, like {@link ToolUseContent}. MCP 2026-07-28 schema, `ToolResultContent`. */
export interface ToolResultContent {
  type: 'tool_result';
  /** The `id` of the {@link ToolUseContent} this answers. */
  toolUseId: string;
  content: ContentBlock[];
  structuredContent?: unknown;
  /** True: the tool failed. Absent: false. */
  isError?: boolean | undefined;
  _meta?: { [key: string]: unknown } | undefined;
}

/** What a model can say without tools. */
export type SamplingContent = TextContent | ImageContent | AudioContent;

/** One piece of a sampling message. MCP 2026-07-28 schema, `SamplingMessageContentBlock`. */
export type SamplingMessageContentBlock = SamplingContent | ToolUseContent | ToolResultContent;

/** One message of a conversation with a model. Deprecated in 2026-07-28, and supported. Schema, `SamplingMessage`. */
export interface SamplingMessage {
  role: Role;
  /** A list: revision 2025-11-25 and later. */
  content: SamplingMessageContentBlock | SamplingMessageContentBlock[];
  _meta?: { [key: string]: unknown } | undefined;
}

/** A hint at a model; clients match it loosely. MCP 2026-07-28 client/sampling; schema, `ModelHint`. */
export interface ModelHint {
  /** A part of a model's name. */
  name?: string | undefined;
}

/** What matters to the server in the choice of a model; the client chooses. MCP 2026-07-28 client/sampling; schema, `ModelPreferences`. */
export interface ModelPreferences {
  /** The first that fits something wins. */
  hints?: ModelHint[] | undefined;
  /** From 0, does not matter, to 1, matters most; so also the next two. */
  costPriority?: number | undefined;
  speedPriority?: number | undefined;
  intelligencePriority?: number | undefined;
}

/** Whether the model may (`auto`, also when absent), must or must not use tools. MCP 2026-07-28 schema, `ToolChoice`. */
export interface ToolChoice {
  mode?: 'auto' | 'required' | 'none' | undefined;
}

/**
 * A server asks the client to ask a model. Deprecated in 2026-07-28, and supported.
 * MCP 2026-07-28 client/sampling; schema, `CreateMessageRequestParams`.
 */
export interface CreateMessageRequestParams {
  messages: SamplingMessage[];
  modelPreferences?: ModelPreferences | undefined;
  /** The client may change it, or leave it out. */
  systemPrompt?: string | undefined;
  /** Context to add from servers. All but `none` need the `sampling.context` capability. */
  includeContext?: 'none' | 'thisServer' | 'allServers' | undefined;
  temperature?: number | undefined;
  /** The most tokens the answer may have; a client may give fewer, never more. */
  maxTokens: number;
  stopSequences?: string[] | undefined;
  /** For the model's provider, in its own terms. */
  metadata?: JSONObject | undefined;
  /** Needs the `sampling.tools` capability. Revision 2025-11-25 and later. */
  tools?: Tool[] | undefined;
  /** Needs the `sampling.tools` capability. Revision 2025-11-25 and later. */
  toolChoice?: ToolChoice | undefined;
  task?: TaskMetadata | undefined;
  _meta?: RequestMeta | undefined;
}

/** The model's answer to a request without tools. Deprecated in 2026-07-28, and supported. Schema, `CreateMessageResult`. */
export interface CreateMessageResult {
  [key: string]: unknown;
  /** The model that answered. */
  model: string;
  /** Why it stopped: `endTurn`, `stopSequence`, `maxTokens`, or the provider's own word. */
  stopReason?: string | undefined;
  role: Role;
  content: SamplingContent;
  _meta?: ResultMeta | undefined;
}

/** The model's answer to a request with tools: it may want some run. Revision 2025-11-25 and later. Schema, `CreateMessageResult`. */
export interface CreateMessageResultWithTools {
  [key: string]: unknown;
  /** The model that answered. */
  model: string;
  /** Why it stopped: `toolUse` where it wants tools run, else as in {@link CreateMessageResult}. */
  stopReason?: string | undefined;
  role: Role;
  content: SamplingMessageContentBlock | SamplingMessageContentBlock[];
  _meta?: ResultMeta | undefined;
}
