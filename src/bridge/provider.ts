import type { CallToolResult, Tool } from '../protocol/schemas/index.js';
import type { Observable } from 'rxjs';
import type { ReadOptions } from '../client/index.js';
import type { Answer } from '../rx/index.js';

/** The APIs of models whose shapes are spoken. */
export type LlmFormat = 'openai' | 'openai-responses' | 'anthropic' | 'gemini' | 'ai-sdk';

/** A part of a rendered result, for a format that takes more than text. `data` is Base64. */
export type ResultPart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'image' | 'audio' | 'file';
      readonly data: string;
      readonly mimeType: string;
      readonly name?: string | undefined;
    };

/** A call in no vendor's shape. */
export interface ToolCall {
  /** Unique in its batch; the result carries it. */
  readonly id: string;
  readonly name: string;
  /** An object, JSON text of one, or nothing: `undefined`, `null` or blank text. */
  readonly arguments?: unknown;
}

/** A result in no vendor's shape. */
export interface ToolResult {
  readonly role: 'tool';
  /** The id of the call; `''` for one that had none. */
  readonly tool_call_id: string;
  /** What the model is to read: text, or with `media: 'parts'`, where there is more than text, parts. */
  readonly content: string | readonly ResultPart[];
  readonly is_error: boolean;
  /** As the server gave it. */
  readonly structured_content?: unknown;
  /** What the tool answered, whole. Not enumerable, so that it goes to no model by accident; absent where nothing was answered. */
  readonly raw?: CallToolResult | undefined;
  /** What kept the tool from answering, where that was an error: `TimeoutError` and the like. Not enumerable, as `raw`. */
  readonly error?: unknown;
}

/** Anything that has tools for a model. Each method may answer a value, a Promise or an Observable. */
export interface ToolProvider {
  /** The declarations of its tools, for OpenAI's chat completions. */
  toolsForLlm(): Answer<readonly unknown[]>;
  /** One result for each call, in the order of the calls. `options` are those of a batch, for who knows them. */
  executeToolCalls(
    calls: readonly ToolCall[],
    options?: BatchOptions,
  ): Answer<readonly ToolResult[]> | Observable<unknown>;
  /** True: with `observe: 'events'` it emits `ToolCallEvent`s in place of the results. */
  readonly tellsEvents?: boolean | undefined;
  /** Its tools as MCP has them, if it can say so: then its declarations are not asked for. */
  listTools?(options?: ReadOptions): Answer<readonly Tool[]>;
  /** The same without asking again, as far as what is known is good; the same array as long as they are the same. */
  knownTools?(): Answer<readonly Tool[]>;
  /** The same, live, if it has them so. */
  readonly tools$?: Observable<readonly Tool[]> | undefined;
}
import type { BatchOptions } from './batch-options.js';

export type { CallToolResult, Tool };
