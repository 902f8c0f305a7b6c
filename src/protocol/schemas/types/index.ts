export type {
  Annotations,
  Icon,
  Implementation,
  JSONArray,
  JSONObject,
  JSONValue,
  LoggingLevel,
  ProgressToken,
  RequestMeta,
  ResultMeta,
  Role,
  TaskMetadata,
} from './base.js';
export type { ClientCapabilities, ServerCapabilities } from './capabilities.js';
export type { CompleteResult, PromptReference, ResourceTemplateReference } from './completion.js';
export type {
  AudioContent,
  ContentBlock,
  EmbeddedResource,
  ImageContent,
  ResourceLink,
  TextContent,
} from './content.js';
export type {
  BooleanSchema,
  ElicitRequestFormParams,
  ElicitRequestParams,
  ElicitRequestURLParams,
  ElicitResult,
  LegacyTitledEnumSchema,
  NumberSchema,
  PrimitiveSchemaDefinition,
  StringSchema,
  TitledMultiSelectEnumSchema,
  TitledSingleSelectEnumSchema,
  UntitledMultiSelectEnumSchema,
  UntitledSingleSelectEnumSchema,
} from './elicitation.js';
export type { GetPromptResult, Prompt, PromptArgument, PromptMessage } from './prompts.js';
export type {
  BlobResourceContents,
  ReadResourceResult,
  Resource,
  ResourceTemplate,
  TextResourceContents,
} from './resources.js';
export type { ListRootsResult, Root } from './roots.js';
export type {
  CreateMessageRequestParams,
  CreateMessageResult,
  CreateMessageResultWithTools,
  ModelHint,
  ModelPreferences,
  SamplingContent,
  SamplingMessage,
  SamplingMessageContentBlock,
  ToolChoice,
  ToolResultContent,
  ToolUseContent,
} from './sampling.js';
export type { CallToolResult, Tool, ToolAnnotations, ToolExecution } from './tools.js';
