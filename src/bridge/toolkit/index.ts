export type {
  AnySchema,
  HandlerAnswer,
  HandlerEvent,
  ToolContext,
  ToolDefinition,
  ToolHandler,
  ToolResultLike,
} from './definition.js';
export { Toolkit, type ToolkitOptions } from './toolkit.js';
