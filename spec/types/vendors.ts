// What is declared and answered goes straight into the requests of the vendors' own packages, and their calls into
// `readCall`. `npm run typecheck` checks this file under the project's settings; `vendors.spec.ts` also without
// `exactOptionalPropertyTypes`, which is how most users have it.
import type { Content, FunctionCall, Part, ToolListUnion } from '@google/genai';
import type Anthropic from '@anthropic-ai/sdk';
import type { ModelMessage, ToolSet, generateText } from 'ai';
import type OpenAI from 'openai';
import type { AnswerOf, DeclarationsOf } from '../../src/bridge/formats/index.js';
import type { LlmFormat } from '../../src/bridge/provider.js';

type IsAny<T> = 0 extends 1 & T ? true : false;

/** `true` where the one is assignable to the other and neither is `any`. */
export type Fits<From, To> = [IsAny<From>, IsAny<To>, [From] extends [To] ? true : false] extends [false, false, true]
  ? true
  : false;

type AiSdkParts = Extract<ModelMessage, { role: 'tool' }>['content'];

/** What each format declares, with what the vendor's request takes. */
interface Declared {
  openai: [DeclarationsOf<'openai'>, NonNullable<OpenAI.ChatCompletionCreateParams['tools']>];
  'openai-responses': [
    DeclarationsOf<'openai-responses'>,
    NonNullable<OpenAI.Responses.ResponseCreateParams['tools']>,
  ];
  anthropic: [DeclarationsOf<'anthropic'>, NonNullable<Anthropic.MessageCreateParams['tools']>];
  gemini: [DeclarationsOf<'gemini'>, ToolListUnion];
  'ai-sdk': [DeclarationsOf<'ai-sdk'>, ToolSet];
}

/** What each format answers, one at a time, with what the vendor's request takes. */
interface Answered {
  openai: [AnswerOf<'openai'>, OpenAI.ChatCompletionMessageParam];
  'openai-responses': [AnswerOf<'openai-responses'>, OpenAI.Responses.ResponseInputItem];
  anthropic: [AnswerOf<'anthropic'>, Anthropic.ContentBlockParam];
  gemini: [AnswerOf<'gemini'>, Part];
  'ai-sdk': [AnswerOf<'ai-sdk'>, AiSdkParts[number]];
}

/** Every single kind of tool, part and item, so that one of a union cannot hide behind another. */
interface Exactly {
  openaiTool: [DeclarationsOf<'openai'>[number], OpenAI.ChatCompletionFunctionTool];
  openaiAnswer: [AnswerOf<'openai'>, OpenAI.ChatCompletionToolMessageParam];
  responsesTool: [DeclarationsOf<'openai-responses'>[number], OpenAI.Responses.FunctionTool];
  responsesAnswer: [AnswerOf<'openai-responses'>, OpenAI.Responses.ResponseInputItem.FunctionCallOutput];
  anthropicTool: [DeclarationsOf<'anthropic'>[number], Anthropic.Tool];
  anthropicAnswer: [AnswerOf<'anthropic'>, Anthropic.ToolResultBlockParam];
  geminiAnswers: [AnswerOf<'gemini'>[], NonNullable<Content['parts']>];
  aiSdkAnswers: [AnswerOf<'ai-sdk'>[], AiSdkParts];
}

type Failing<Pairs extends { [Name in keyof Pairs]: [unknown, unknown] }> = {
  [Name in keyof Pairs]: Fits<Pairs[Name][0], Pairs[Name][1]> extends true ? never : Name;
}[keyof Pairs];

type Misfits = Failing<Declared> | Failing<Answered> | Failing<Exactly>;

/** The names that fail, in the compiler's message: the type of `none` is their union. */
export const none: [Misfits] extends [never] ? 'everything fits' : Misfits = 'everything fits';

// No format is left out.
export const complete: [Exclude<LlmFormat, keyof Declared & keyof Answered>] extends [never] ? true : false = true;

// The calls of the vendors have the fields that are read.
type Has<T, Field extends PropertyKey> = T extends unknown ? (Field extends keyof T ? true : false) : never;
export const calls: [
  Has<OpenAI.ChatCompletionMessageFunctionToolCall, 'id'>,
  Has<OpenAI.ChatCompletionMessageFunctionToolCall['function'], 'name' | 'arguments'>,
  Has<OpenAI.Responses.ResponseFunctionToolCall, 'call_id' | 'name' | 'arguments'>,
  Has<Anthropic.ToolUseBlock, 'id' | 'name' | 'input'>,
  Has<Part, 'functionCall'>,
  Has<FunctionCall, 'id' | 'name' | 'args'>,
  Has<Awaited<ReturnType<typeof generateText>>['toolCalls'][number], 'toolCallId' | 'toolName' | 'input'>,
  Fits<OpenAI.ChatCompletionMessageFunctionToolCall['type'], 'function'>,
  Fits<OpenAI.Responses.ResponseFunctionToolCall['type'], 'function_call'>,
  Fits<Anthropic.ToolUseBlock['type'], 'tool_use'>,
  Fits<Awaited<ReturnType<typeof generateText>>['toolCalls'][number]['type'], 'tool-call'>,
] = [true, true, true, true, true, true, true, true, true, true, true];

// The checks can fail.
export const selfTest: [
  Fits<{ a: string }, { a: number }>,
  Fits<DeclarationsOf<'openai'>, DeclarationsOf<'anthropic'>>,
  Fits<AnswerOf<'anthropic'>, OpenAI.ChatCompletionMessageParam>,
  Fits<string, ReturnType<typeof JSON.parse>>,
  Has<Anthropic.ToolUseBlock, 'arguments'>,
  Fits<string, string>,
] = [false, false, false, false, false, true];
