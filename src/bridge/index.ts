export type { BatchOptions, ToolCallProgress } from './batch-options.js';
export { connect } from './connect/connect.js';
export { connectHttp, type HttpOptions } from './connect/http.js';
export { connectInMemory } from './connect/in-memory.js';
export { DECLARE_CHECKS, type DeclareOptions } from './declaring.js';
export type { ToolCallEvent } from './events.js';
export type { AnswerOf, AnswerTo, CallFormat, DeclarationsOf, FormatOfCall } from './formats/index.js';
export { type BatchEmission, LlmTools } from './llm-tools.js';
export { McpClient } from './mcp-client.js';
export { offerBackend } from './own-backend.js';
export { type BatchResultOptions, ClientPromises, ProviderPromises } from './promises.js';
export type { LlmFormat, ResultPart, ToolCall, ToolProvider, ToolResult } from './provider.js';
export type { Budget, RenderOptions, Spilled } from './render/index.js';
export { type MountOptions, Mounts } from './router/mounts.js';
export type { MissingProvider, OnMissing } from './router/router.js';
export type { DeclarationChange } from './schemas/index.js';
export {
  type AnySchema,
  type HandlerAnswer,
  type HandlerEvent,
  Toolkit,
  type ToolContext,
  type ToolDefinition,
  type ToolHandler,
  type ToolkitOptions,
  type ToolResultLike,
} from './toolkit/index.js';
