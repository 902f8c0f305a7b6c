import { defer, map, type Observable, of } from 'rxjs';
import { abortable } from '../client/abortable.js';
import { type CallEvent, ClientCalls, type ClientOptions, type TrustAnnotations } from '../client/index.js';
import type { CallToolResult, Tool, ToolAnnotations } from '../protocol/schemas/index.js';
import type { Connector } from '../transport/index.js';
import { executeBatch } from './batch.js';
import type { BatchOptions } from './batch-options.js';
import { checkDeclareOptions, declared, type DeclareOptions } from './declaring.js';
import type { ToolCallEvent } from './events.js';
import type { AnswerTo, DeclarationsOf } from './formats/index.js';
import { ClientPromises } from './promises.js';
import type { LlmFormat, ToolProvider } from './provider.js';
import type { SourceCall, ToolSource } from './source.js';
import { ToolBackend } from './tool-backend.js';

/** Options of a batch of which only the results are wanted. */
export interface BatchResultOptions extends BatchOptions {
  readonly observe?: 'results' | undefined;
}

/** Options of a batch whose events are wanted. */
export interface BatchEventOptions extends BatchOptions {
  readonly observe: 'events';
}
