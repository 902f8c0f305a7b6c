import type { Icon, ResultMeta, Role } from './base.js';
import type { ContentBlock } from './content.js';

/** A template of messages that a server fills in. MCP 2026-07-28 server/prompts; schema, `Prompt`. */
export interface Prompt {
  /** Names it in `prompts/get`. */
  name: string;
  /** The name for people. */
  title?: string | undefined;
  /** What it is good for. */
  description?: string | undefined;
  arguments?: PromptArgument[] | undefined;
  icons?: Icon[] | undefined;
  _meta?: { [key: string]: unknown } | undefined;
}

/** One argument of a prompt. Its value is text. MCP 2026-07-28 schema, `PromptArgument`. */
export interface PromptArgument {
  name: string;
  /** The name for people. Revision 2025-06-18 and later. */
  title?: string | undefined;
  description?: string | undefined;
  /** True: the prompt cannot be filled in without it. Absent: false. */
  required?: boolean | undefined;
}

/** One message of a prompt that was filled in. MCP 2026-07-28 schema, `PromptMessage`. */
export interface PromptMessage {
  role: Role;
  content: ContentBlock;
}

/** The answer to `prompts/get`. MCP 2026-07-28 schema, `GetPromptResult`. */
export interface GetPromptResult {
  [key: string]: unknown;
  description?: string | undefined;
  /** The conversation, in order. */
  messages: PromptMessage[];
  _meta?: ResultMeta | undefined;
}
