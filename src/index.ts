/**
 * rx-mcp: a Model Context Protocol client in which everything a server says is an Observable, and every call a
 * cold Observable with a Promise twin. This door is safe for browsers; servers that run as processes are behind
 * `rx-mcp/stdio`.
 *
 * @packageDocumentation
 */
export {
  type CallEvent,
  type CallOptions,
  type ClientOptions,
  type ClientPromises,
  connect,
  connectInMemory,
  type ConnectionState,
  type EventOptions,
  McpClient,
  type ResultOptions,
  type TrustAnnotations,
} from './client/index.js';
export {
  CancelledError,
  InvalidMessageError,
  McpError,
  MessageTooLargeError,
  OptionError,
  OutcomeUnknownError,
  OutputInvalidError,
  ProtocolError,
  ServerGoneError,
  SpawnFailedError,
  TimeoutError,
  TransportClosedError,
  TransportError,
  UnsupportedFeatureError,
  UnsupportedVersionError,
} from './errors/index.js';
export {
  type Inbound,
  type InvalidMessage,
  type JsonRpcErrorBody,
  type JsonRpcFailure,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type JsonRpcResult,
  type Outbound,
  parseInbound,
  type RequestId,
} from './jsonrpc/index.js';
export { type Era, EraCache, type EraStore, type EraVerdict, type ServerDescription } from './protocol/index.js';
export type {
  Annotations,
  AudioContent,
  BlobResourceContents,
  CallToolResult,
  ClientCapabilities,
  CompleteResult,
  ContentBlock,
  EmbeddedResource,
  GetPromptResult,
  Icon,
  ImageContent,
  Implementation,
  ProgressToken,
  Prompt,
  PromptArgument,
  PromptMessage,
  PromptReference,
  ReadResourceResult,
  Resource,
  ResourceLink,
  ResourceTemplate,
  ResourceTemplateReference,
  Role,
  ServerCapabilities,
  TextContent,
  TextResourceContents,
  Tool,
  ToolAnnotations,
} from './protocol/schemas/index.js';
export type { Answer } from './rx/index.js';
export type {
  LogLevel,
  LogMessage,
  Progress,
  RawNotification,
  Warning,
  WarningKind,
  WireFrame,
} from './session/index.js';
export type { Connector, SendHints, Transport, WireForm } from './transport/index.js';
export type { InMemoryServer, InMemoryServerTransport } from './transport/memory/index.js';
