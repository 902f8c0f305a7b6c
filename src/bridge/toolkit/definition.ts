import type { Observable } from 'rxjs';
import { OptionError } from '../../errors/index.js';
import type { RequestId } from '../../jsonrpc/index.js';
import type { ContentBlock, ResultMeta, Tool, ToolAnnotations } from '../../protocol/schemas/index.js';
import { callback, type Check, checkMembers, object } from '../../jsonrpc/checks.js';
import type { LogLevel } from '../../session/index.js';
import { jsonCopy } from '../../jsonrpc/json-copy.js';
import { ofObject, written } from './json-schema.js';
import { schemaOf, type ToolSchema } from './schema.js';
import type { JsonSchema, SchemaInput, SchemaOutput, StandardSchema } from './standard.js';

/** A schema of a library, or JSON Schema. */
export type AnySchema = StandardSchema | JsonSchema;

/** What a tool says of itself. */
export interface ToolDefinition<
  Input extends AnySchema | undefined = AnySchema | undefined,
  Output extends AnySchema | undefined = AnySchema | undefined,
> {
  /** What it does, for a model. */
  readonly description: string;
  /** The name for people. */
  readonly title?: string | undefined;
  /** Of its arguments, which are an object. Default: any object. */
  readonly input?: Input;
  /** The JSON Schema to declare for `input`: where its library makes none, or not the one wanted. */
  readonly inputJsonSchema?: JsonSchema | undefined;
  /** Of its structured content. Given, whatever the handler returns is that, but for a {@link ToolResultLike}. */
  readonly output?: Output;
  /** As `inputJsonSchema`, for `output`. */
  readonly outputJsonSchema?: JsonSchema | undefined;
  readonly annotations?: ToolAnnotations | undefined;
  /** Goes into `_meta` of the declaration. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
}

/** What a handler gets beside its arguments. Its functions need no `this`, and do nothing once the call is over. */
export interface ToolContext {
  /** Aborted when nobody waits for the result any longer: with a `CancelledError`, or a `TimeoutError`. Not at the regular end. */
  readonly signal: AbortSignal;
  /** Unique among the calls of the toolkit. */
  readonly requestId: RequestId;
  /** The id of the model's call, where there is one. */
  readonly toolCallId?: string | undefined;
  /** Tells how far it is, and starts the call's timeout anew. What is no number is not told. */
  readonly progress: (progress: number, total?: number, message?: string) => void;
  /** Logs any JSON value. A level that does not exist is not told. */
  readonly log: (level: LogLevel, data: unknown, logger?: string) => void;
}

/** What an Observable of a handler may emit beside its result. */
export type HandlerEvent =
  | {
      readonly kind: 'progress';
      readonly progress: number;
      readonly total?: number | undefined;
      readonly message?: string | undefined;
    }
  | { readonly kind: 'log'; readonly level: LogLevel; readonly data: unknown; readonly logger?: string | undefined };

/** A result as the protocol has it. */
export interface ToolResultLike {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
  readonly _meta?: ResultMeta | undefined;
}

type Answered<T> = T | PromiseLike<T | Observable<T | HandlerEvent>> | Observable<T | HandlerEvent>;

/** The arguments of a handler: what the schema makes of them. */
export type ArgumentsOf<Input> = Input extends StandardSchema ? SchemaOutput<Input> : Readonly<Record<string, unknown>>;

/** What a handler may return; see {@link ToolHandler}. */
export type HandlerAnswer<Output> = Output extends StandardSchema
  ? Answered<SchemaInput<Output> | ToolResultLike>
  : unknown;

/**
 * Does the work of a tool. It may return text, a list of content blocks, a {@link ToolResultLike}, nothing, or any other
 * value JSON can write: an object or a list is structured content, and its JSON the text. Or a Promise of one of these,
 * or an Observable: there a {@link HandlerEvent} is progress or a log message, and the last other value is the result
 * when it completes. What it throws becomes a result with `isError` that says its message.
 */
export type ToolHandler<Input = undefined, Output = undefined> = (
  args: ArgumentsOf<Input>,
  context: ToolContext,
) => HandlerAnswer<Output>;

/** A tool of a toolkit, ready to be called. */
export interface LocalTool {
  /** As `tools/list` gives it. */
  readonly declaration: Tool;
  readonly input: ToolSchema | undefined;
  readonly output: ToolSchema | undefined;
  readonly handler: (args: unknown, context: ToolContext) => unknown;
}

const text: Check = (value, name) => {
  if (typeof value !== 'string') throw new OptionError(name, 'give a string');
};

/** Schemas are looked at when they are read. */
const later: Check = () => undefined;

const CHECKS: Readonly<Record<keyof ToolDefinition, Check>> = {
  description: text,
  title: text,
  input: later,
  inputJsonSchema: later,
  output: later,
  outputJsonSchema: later,
  annotations: object,
  meta: object,
};

/** Without a schema any object will do. Written as servers write it. */
const EMPTY: Tool['inputSchema'] = { type: 'object', properties: {} };

const optionalSchema = (definition: ToolDefinition, side: 'input' | 'output', tool: string): ToolSchema | undefined => {
  const [schema, own] = [definition[side], definition[`${side}JsonSchema`]];
  if (schema !== undefined) return schemaOf(schema, own, side, tool);
  // A JSON Schema alone is one to check by, too.
  return own === undefined ? undefined : schemaOf(written(own, `${tool}.${side}JsonSchema`), undefined, side, tool);
};

/** Reads the definition of a tool. Throws an `OptionError` that names what cannot be used, as `tool.option`. */
export const readTool = (name: unknown, definition: ToolDefinition, handler: unknown): LocalTool => {
  if (typeof name !== 'string' || name === '') throw new OptionError('name', 'give a string that is not empty');
  checkMembers(definition, CHECKS, name);
  const { title, description, annotations, meta } = definition;
  text(description, `${name}.description`);
  callback(handler, `${name}.handler`);
  const input = optionalSchema(definition, 'input', name);
  const output = optionalSchema(definition, 'output', name);
  const declaration = {
    name,
    title,
    description,
    inputSchema: input === undefined ? EMPTY : ofObject(input.json, `${name}.input`),
    outputSchema: output?.json,
    annotations,
    _meta: meta,
  };
  try {
    // As it comes over a wire: what is undefined is absent.
    return { declaration: jsonCopy(declaration) as Tool, input, output, handler: handler as LocalTool['handler'] };
  } catch {
    throw new OptionError(name, 'its annotations or meta have no form in JSON');
  }
};
