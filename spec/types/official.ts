// The public protocol types and the official client's are assignable to each other, both ways.
// `npm run typecheck` checks this file under the project's settings; `official.spec.ts` also without
// `exactOptionalPropertyTypes`, which is how most users have it.
import type * as Theirs from '@modelcontextprotocol/client';
import type * as Ours from '../../src/protocol/schemas/index.js';

type IsAny<T> = 0 extends 1 & T ? true : false;
type Assignable<From, To> = [IsAny<From>, IsAny<To>, [From] extends [To] ? true : false] extends [false, false, true]
  ? true
  : false;

/** `true` where each is assignable to the other and neither is `any`. */
export type Same<A, B> = [Assignable<A, B>, Assignable<B, A>] extends [true, true] ? true : false;

/** The name of every exported type, with the official type it stands for. */
interface Pairs {
  Annotations: [Ours.Annotations, Theirs.Annotations];
  AudioContent: [Ours.AudioContent, Theirs.AudioContent];
  BlobResourceContents: [Ours.BlobResourceContents, Theirs.BlobResourceContents];
  BooleanSchema: [Ours.BooleanSchema, Theirs.BooleanSchema];
  CallToolResult: [Ours.CallToolResult, Theirs.CallToolResult];
  ClientCapabilities: [Ours.ClientCapabilities, Theirs.ClientCapabilities];
  CompleteResult: [Ours.CompleteResult, Theirs.CompleteResult];
  ContentBlock: [Ours.ContentBlock, Theirs.ContentBlock];
  CreateMessageRequestParams: [Ours.CreateMessageRequestParams, Theirs.CreateMessageRequestParams];
  CreateMessageResult: [Ours.CreateMessageResult, Theirs.CreateMessageResult];
  CreateMessageResultWithTools: [Ours.CreateMessageResultWithTools, Theirs.CreateMessageResultWithTools];
  ElicitRequestFormParams: [Ours.ElicitRequestFormParams, Theirs.ElicitRequestFormParams];
  ElicitRequestParams: [Ours.ElicitRequestParams, Theirs.ElicitRequestParams];
  ElicitRequestURLParams: [Ours.ElicitRequestURLParams, Theirs.ElicitRequestURLParams];
  ElicitResult: [Ours.ElicitResult, Theirs.ElicitResult];
  EmbeddedResource: [Ours.EmbeddedResource, Theirs.EmbeddedResource];
  GetPromptResult: [Ours.GetPromptResult, Theirs.GetPromptResult];
  Icon: [Ours.Icon, Theirs.Icon];
  ImageContent: [Ours.ImageContent, Theirs.ImageContent];
  Implementation: [Ours.Implementation, Theirs.Implementation];
  JSONArray: [Ours.JSONArray, Theirs.JSONArray];
  JSONObject: [Ours.JSONObject, Theirs.JSONObject];
  JSONValue: [Ours.JSONValue, Theirs.JSONValue];
  LegacyTitledEnumSchema: [Ours.LegacyTitledEnumSchema, Theirs.LegacyTitledEnumSchema];
  ListRootsResult: [Ours.ListRootsResult, Theirs.ListRootsResult];
  LoggingLevel: [Ours.LoggingLevel, Theirs.LoggingLevel];
  ModelHint: [Ours.ModelHint, Theirs.ModelHint];
  ModelPreferences: [Ours.ModelPreferences, Theirs.ModelPreferences];
  NumberSchema: [Ours.NumberSchema, Theirs.NumberSchema];
  PrimitiveSchemaDefinition: [Ours.PrimitiveSchemaDefinition, Theirs.PrimitiveSchemaDefinition];
  ProgressToken: [Ours.ProgressToken, Theirs.ProgressToken];
  Prompt: [Ours.Prompt, Theirs.Prompt];
  PromptArgument: [Ours.PromptArgument, Theirs.PromptArgument];
  PromptMessage: [Ours.PromptMessage, Theirs.PromptMessage];
  PromptReference: [Ours.PromptReference, Theirs.PromptReference];
  ReadResourceResult: [Ours.ReadResourceResult, Theirs.ReadResourceResult];
  RequestMeta: [Ours.RequestMeta, Theirs.RequestMeta];
  Resource: [Ours.Resource, Theirs.Resource];
  ResourceLink: [Ours.ResourceLink, Theirs.ResourceLink];
  ResourceTemplate: [Ours.ResourceTemplate, Theirs.ResourceTemplateType];
  ResourceTemplateReference: [Ours.ResourceTemplateReference, Theirs.ResourceTemplateReference];
  ResultMeta: [Ours.ResultMeta, NonNullable<Theirs.Result['_meta']>];
  Role: [Ours.Role, Theirs.Role];
  Root: [Ours.Root, Theirs.Root];
  SamplingContent: [Ours.SamplingContent, Theirs.SamplingContent];
  SamplingMessage: [Ours.SamplingMessage, Theirs.SamplingMessage];
  SamplingMessageContentBlock: [Ours.SamplingMessageContentBlock, Theirs.SamplingMessageContentBlock];
  ServerCapabilities: [Ours.ServerCapabilities, Theirs.ServerCapabilities];
  StringSchema: [Ours.StringSchema, Theirs.StringSchema];
  TaskMetadata: [Ours.TaskMetadata, Theirs.TaskMetadata];
  TextContent: [Ours.TextContent, Theirs.TextContent];
  TextResourceContents: [Ours.TextResourceContents, Theirs.TextResourceContents];
  TitledMultiSelectEnumSchema: [Ours.TitledMultiSelectEnumSchema, Theirs.TitledMultiSelectEnumSchema];
  TitledSingleSelectEnumSchema: [Ours.TitledSingleSelectEnumSchema, Theirs.TitledSingleSelectEnumSchema];
  Tool: [Ours.Tool, Theirs.Tool];
  ToolAnnotations: [Ours.ToolAnnotations, Theirs.ToolAnnotations];
  ToolChoice: [Ours.ToolChoice, Theirs.ToolChoice];
  ToolExecution: [Ours.ToolExecution, Theirs.ToolExecution];
  ToolResultContent: [Ours.ToolResultContent, Theirs.ToolResultContent];
  ToolUseContent: [Ours.ToolUseContent, Theirs.ToolUseContent];
  UntitledMultiSelectEnumSchema: [Ours.UntitledMultiSelectEnumSchema, Theirs.UntitledMultiSelectEnumSchema];
  UntitledSingleSelectEnumSchema: [Ours.UntitledSingleSelectEnumSchema, Theirs.UntitledSingleSelectEnumSchema];
}

type Failing = { [Name in keyof Pairs]: Same<Pairs[Name][0], Pairs[Name][1]> extends true ? never : Name }[keyof Pairs];

/** The names that fail, in the compiler's message: the type of `none` is their union. */
export const none: [Failing] extends [never] ? 'every type fits' : Failing = 'every type fits';

// The fields of the two sides have the same names wherever the official type lists its fields.
type Known<T> = T extends unknown ? keyof { [K in keyof T as string extends K ? never : K]: T[K] } : never;
type Uneven = {
  [Name in keyof Pairs]: [Known<Pairs[Name][1]>] extends [Known<Pairs[Name][0]>] ? never : Name;
}[Exclude<keyof Pairs, 'JSONArray' | 'JSONObject' | 'JSONValue'>];

/** The types that lack a field of the official ones. */
export const complete: [Uneven] extends [never] ? 'no field is missing' : Uneven = 'no field is missing';

// The checks can fail.
export const selfTest: [
  Same<{ a: string }, { a: number }>,
  Same<{ a?: string }, { a: string }>,
  Same<unknown, string>,
  Same<string, ReturnType<typeof JSON.parse>>,
  Same<Ours.Tool, Omit<Ours.Tool, 'inputSchema'>>,
  Same<Ours.Role, Ours.Role>,
] = [false, false, false, false, false, true];
