import type { NameRule } from '../names.js';
import type { CallToolResult, LlmFormat, ToolResult } from '../provider.js';
import type { InputSchema, SchemaRules } from '../schemas/index.js';
import type { AiSdkAnswer, AiSdkTools } from './ai-sdk.js';
import type { AnthropicAnswer, AnthropicTool } from './anthropic.js';
import type { GeminiAnswer, GeminiTool } from './gemini.js';
import type { OpenAiAnswer, OpenAiTool } from './openai.js';
import type { OpenAiResponsesAnswer, OpenAiResponsesTool } from './openai-responses.js';

/** The shape of a call and of what answers it: that of a model's API, or none of them. */
export type CallFormat = LlmFormat | 'neutral';

/** The declarations of tools by format, as each vendor's package takes them. */
export interface Declarations {
  /** `tools` of a chat completion. */
  openai: OpenAiTool[];
  /** `tools` of a response. */
  'openai-responses': OpenAiResponsesTool[];
  /** `tools` of a message. */
  anthropic: AnthropicTool[];
  /** `config.tools` of a request for content. */
  gemini: GeminiTool[];
  /** `tools` of `generateText` and its like. */
  'ai-sdk': AiSdkTools;
}

/** The declarations of tools in one format. */
export type DeclarationsOf<F extends LlmFormat> = Declarations[F];

/** What is said of an answer besides what goes to the model. The fields that a vendor does not take are not enumerable. */
export interface AnswerFacts {
  /** True: the call failed. */
  readonly is_error: boolean;
  /** As the server gave it; absent where it gave none. */
  readonly structured_content?: unknown;
  /** What the tool answered, whole; absent where nothing was answered. */
  readonly raw?: CallToolResult | undefined;
  /** What kept the tool from answering, where that was an error; absent where it answered. */
  readonly error?: unknown;
}

/** What answers a call, by format. */
export interface Answers {
  /** A message of a chat completion. */
  openai: OpenAiAnswer & AnswerFacts;
  /** An input item of a response. */
  'openai-responses': OpenAiResponsesAnswer & AnswerFacts;
  /** A block of a user's message. */
  anthropic: AnthropicAnswer & AnswerFacts;
  /** A part of a user's content. */
  gemini: GeminiAnswer & AnswerFacts;
  /** A part of a message of a tool. */
  'ai-sdk': AiSdkAnswer & AnswerFacts;
  /** The result as it is. */
  neutral: ToolResult;
}

/** What answers a call of one format. */
export type AnswerOf<F extends CallFormat> = Answers[F];

/** A tool that is ready to be declared. */
export interface DeclaredTool {
  /** The published name. */
  readonly name: string;
  readonly description?: string | undefined;
  readonly schema: InputSchema;
}

/** The fields of a call as they were found. Any of them may be anything. */
export interface RawCall {
  readonly id: unknown;
  readonly name: unknown;
  readonly arguments: unknown;
}

/** Which call is answered: its id, and the name under which the model knows the tool. */
export interface Answered {
  readonly id: string;
  readonly name: string;
}

/** All that is known of one vendor's shapes. */
export interface Format<F extends LlmFormat> {
  readonly names: NameRule;
  /** The most UTF-16 units that the description of a tool may have, at least 3; absent, any length is taken. */
  readonly longestDescription?: number | undefined;
  readonly schemas: SchemaRules;
  /** The declarations, in the order of the tools. */
  readonly declare: (tools: readonly DeclaredTool[]) => DeclarationsOf<F>;
  /** The fields of a call of this shape; `undefined` for any other shape. May throw what the getters of the call throw. */
  readonly read: (call: Readonly<Record<string, unknown>>) => RawCall | undefined;
  /** The enumerable fields of an answer. */
  readonly answer: (call: Answered, result: ToolResult) => Omit<AnswerOf<F>, keyof AnswerFacts>;
}

/** The names that every API but Google's takes. */
export const COMMON_NAMES: NameRule = { legal: /^[a-zA-Z0-9_-]{1,64}$/, maxLength: 64 };
