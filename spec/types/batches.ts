// The calls of each vendor's model go into `executeToolCalls` as they came, and what it answers goes into that vendor's next
// request as it is. `npm run typecheck` checks this file under the project's settings; `batches.spec.ts` also without
// `exactOptionalPropertyTypes`, and that a drift would be found out. Nothing here is run.
import type { Content, FunctionCall, GenerateContentResponse, Part } from '@google/genai';
import type Anthropic from '@anthropic-ai/sdk';
import type { generateText, ModelMessage } from 'ai';
import type OpenAI from 'openai';
import type { Observable } from 'rxjs';
import type {
  BatchOptions,
  McpClient,
  Registry,
  ToolCall,
  ToolCallEvent,
  Toolkit,
  ToolProvider,
  ToolResult,
} from '../../src/index.js';

type IsAny<T> = 0 extends 1 & T ? true : false;

/** `true` where the one is assignable to the other and neither is `any` or `never`. */
export type Fits<From, To> = [
  IsAny<From>,
  IsAny<To>,
  [From] extends [never] ? true : false,
  [From] extends [To] ? true : false,
] extends [false, false, false, true]
  ? true
  : false;

declare const client: McpClient;
declare const toolkit: Toolkit;
declare const registry: Registry;

declare const chat: OpenAI.ChatCompletionMessage;
declare const response: OpenAI.Responses.Response;
declare const message: Anthropic.Message;
declare const generated: GenerateContentResponse;
declare const parts: Part[];
declare const text: Awaited<ReturnType<typeof generateText>>;
declare const neutral: ToolCall[];
declare const unknowns: unknown[];
declare const options: BatchOptions;

const isToolUse = (block: Anthropic.ContentBlock): block is Anthropic.ToolUseBlock => block.type === 'tool_use';
const isCall = (item: OpenAI.Responses.ResponseOutputItem): item is OpenAI.Responses.ResponseFunctionToolCall =>
  item.type === 'function_call';

/** What is called, as an application writes it; each is a Promise of the answers. */
export const asked = {
  openai: () => client.promises.executeToolCalls(chat.tool_calls),
  responses: () => client.promises.executeToolCalls(response.output.filter(isCall)),
  anthropic: () => client.promises.executeToolCalls(message.content.filter(isToolUse)),
  gemini: () => client.promises.executeToolCalls(generated.functionCalls),
  geminiParts: () => client.promises.executeToolCalls(parts),
  aiSdk: () => client.promises.executeToolCalls(text.toolCalls),
  neutral: () => client.promises.executeToolCalls(neutral),
  literal: () => client.promises.executeToolCalls([{ id: '1', name: 'a', arguments: { b: 1 } }]),
  toolkit: () => toolkit.promises.executeToolCalls(message.content.filter(isToolUse)),
  registry: () => registry.promises.executeToolCalls(chat.tool_calls),
};

/** The same as Observables, with events and with options. */
export const observed = {
  results: () => client.executeToolCalls(chat.tool_calls),
  options: () => client.executeToolCalls(chat.tool_calls, { timeoutMs: 5_000, observe: 'results' }),
  events: () => client.executeToolCalls(message.content.filter(isToolUse), { observe: 'events' }),
  neutral: () => client.executeToolCalls(neutral, { observe: 'events', onProgress: () => undefined }),
  toolkit: () => toolkit.executeToolCalls(neutral, { observe: 'events' }),
  registry: () => registry.executeToolCalls(neutral, { observe: 'events' }),
  unknown: () => client.executeToolCalls(unknowns, { observe: 'events' }),
};

type AnswersOf<Name extends keyof typeof asked> = Awaited<ReturnType<(typeof asked)[Name]>>;
type EmittedBy<Name extends keyof typeof observed> =
  ReturnType<(typeof observed)[Name]> extends Observable<infer T> ? T : never;
type ResultOf<E> = Extract<E, { readonly kind: 'result' }> extends { readonly result: infer R } ? R : never;
type Next<T extends { messages: unknown }> = T['messages'];

/** What is answered, and what takes it. */
interface Pairs {
  'openai messages': [AnswersOf<'openai'>, Next<OpenAI.ChatCompletionCreateParams>];
  'openai tool messages': [AnswersOf<'openai'>, OpenAI.ChatCompletionToolMessageParam[]];
  'responses input': [AnswersOf<'responses'>, NonNullable<OpenAI.Responses.ResponseCreateParams['input']>];
  'anthropic content': [AnswersOf<'anthropic'>, Exclude<Anthropic.MessageParam['content'], string>];
  'anthropic tool results': [AnswersOf<'anthropic'>, Anthropic.ToolResultBlockParam[]];
  'gemini parts': [AnswersOf<'gemini'>, NonNullable<Content['parts']>];
  'gemini parts of parts': [AnswersOf<'geminiParts'>, NonNullable<Content['parts']>];
  'ai-sdk content': [AnswersOf<'aiSdk'>, Extract<ModelMessage, { role: 'tool' }>['content']];
  'neutral results': [AnswersOf<'neutral'>, ToolResult[]];
  'literal results': [AnswersOf<'literal'>, ToolResult[]];
  'toolkit answers': [AnswersOf<'toolkit'>, Anthropic.ToolResultBlockParam[]];
  'registry answers': [AnswersOf<'registry'>, OpenAI.ChatCompletionToolMessageParam[]];
  'observable answers': [EmittedBy<'results'>, OpenAI.ChatCompletionToolMessageParam[]];
  'observable answers with options': [EmittedBy<'options'>, OpenAI.ChatCompletionToolMessageParam[]];
  'facts of answers': [AnswersOf<'anthropic'>[number]['is_error'], boolean];
  'events are events': [EmittedBy<'events'>, ToolCallEvent<'anthropic'>];
  'events of anthropic': [ResultOf<EmittedBy<'events'>>, Anthropic.ToolResultBlockParam];
  'neutral events': [ResultOf<EmittedBy<'neutral'>>, ToolResult];
  'toolkit events': [ResultOf<EmittedBy<'toolkit'>>, ToolResult];
  'registry events': [ResultOf<EmittedBy<'registry'>>, ToolResult];
  'events of anything': [EmittedBy<'unknown'>, ToolCallEvent];
  'a client is a provider': [McpClient, ToolProvider];
  'a toolkit is a provider': [Toolkit, ToolProvider];
  'a registry is a provider': [Registry, ToolProvider];
}

type Failing = { [Name in keyof Pairs]: Fits<Pairs[Name][0], Pairs[Name][1]> extends true ? never : Name }[keyof Pairs];

// As a text of their own, since the compiler would name the alias of a union in place of its members.
/** The names that fail, in the compiler's message. */
export const none: [Failing] extends [never] ? 'everything fits' : `misfit: ${Failing}` = 'everything fits';

// Events are asked for by the Observable alone, and what is no call or no option is refused.
// @ts-expect-error a Promise has one value
export const noEvents = () => client.promises.executeToolCalls(neutral, { observe: 'events' });
// @ts-expect-error there is no such option
export const noOption = () => client.promises.executeToolCalls(neutral, { concurrency: 2 });
// @ts-expect-error a list is wanted
export const noList = () => client.executeToolCalls({ id: '1', name: 'a' });
// @ts-expect-error there is no such format
export const noFormat = () => client.toolsForLlm({ format: 'neutral' });
export const withOptions = () => client.executeToolCalls(neutral, options);

// The checks can fail.
export const selfTest: [
  Fits<AnswersOf<'openai'>, Anthropic.ToolResultBlockParam[]>,
  Fits<AnswersOf<'gemini'>, ToolResult[]>,
  Fits<AnswersOf<'neutral'>, OpenAI.ChatCompletionToolMessageParam[]>,
  Fits<EmittedBy<'results'>, ToolCallEvent>,
  Fits<EmittedBy<'events'>, AnswersOf<'anthropic'>>,
  Fits<never, string>,
  Fits<FunctionCall[], typeof generated.functionCalls>,
] = [false, false, false, false, false, false, true];
