// What is declared and answered goes straight into the requests of the vendors' own packages, and their calls into
// `readCall`. `npm run typecheck` checks this file under the project's settings; `vendors.spec.ts` also without
// `exactOptionalPropertyTypes`, which is how most users have it.
import type { Content, FunctionCall, FunctionDeclaration, Part, ToolListUnion } from '@google/genai';
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

/** What each format declares and answers, with what takes it in the vendor's package: a whole request, and alone. */
interface Pairs {
  'openai tools': [DeclarationsOf<'openai'>, NonNullable<OpenAI.ChatCompletionCreateParams['tools']>];
  'openai tool': [DeclarationsOf<'openai'>[number], OpenAI.ChatCompletionFunctionTool];
  'openai message': [AnswerOf<'openai'>, OpenAI.ChatCompletionMessageParam];
  'openai answer': [AnswerOf<'openai'>, OpenAI.ChatCompletionToolMessageParam];
  'openai-responses tools': [
    DeclarationsOf<'openai-responses'>,
    NonNullable<OpenAI.Responses.ResponseCreateParams['tools']>,
  ];
  'openai-responses tool': [DeclarationsOf<'openai-responses'>[number], OpenAI.Responses.FunctionTool];
  'openai-responses item': [AnswerOf<'openai-responses'>, OpenAI.Responses.ResponseInputItem];
  'openai-responses answer': [AnswerOf<'openai-responses'>, OpenAI.Responses.ResponseInputItem.FunctionCallOutput];
  'anthropic tools': [DeclarationsOf<'anthropic'>, NonNullable<Anthropic.MessageCreateParams['tools']>];
  'anthropic tool': [DeclarationsOf<'anthropic'>[number], Anthropic.Tool];
  'anthropic block': [AnswerOf<'anthropic'>, Anthropic.ContentBlockParam];
  'anthropic answer': [AnswerOf<'anthropic'>, Anthropic.ToolResultBlockParam];
  'gemini tools': [DeclarationsOf<'gemini'>, ToolListUnion];
  'gemini tool': [DeclarationsOf<'gemini'>[number]['functionDeclarations'][number], FunctionDeclaration];
  'gemini answers': [AnswerOf<'gemini'>[], NonNullable<Content['parts']>];
  'gemini answer': [AnswerOf<'gemini'>, Part];
  'ai-sdk tools': [DeclarationsOf<'ai-sdk'>, ToolSet];
  'ai-sdk answers': [AnswerOf<'ai-sdk'>[], Extract<ModelMessage, { role: 'tool' }>['content']];
}

type Failing = { [Name in keyof Pairs]: Fits<Pairs[Name][0], Pairs[Name][1]> extends true ? never : Name }[keyof Pairs];

// As a text of their own, since the compiler would name the alias of a union in place of its members.
/** The names that fail, in the compiler's message. */
export const none: [Failing] extends [never] ? 'everything fits' : `misfit: ${Failing}` = 'everything fits';

// No format is left out.
export const complete: [Exclude<`${LlmFormat} tools`, keyof Pairs>] extends [never] ? true : false = true;

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
