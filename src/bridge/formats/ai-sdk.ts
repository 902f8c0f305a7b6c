import type { ResultPart, ToolResult } from '../provider.js';
import type { InputSchema } from '../schemas/index.js';
import { COMMON_NAMES, type Format } from './format.js';
import { errorTextOf, textOf, textOfPart } from './parts.js';
import { isPortablePattern } from './portable-pattern.js';

/** By this the AI SDK knows a schema of its own, whichever copy of it made it. */
const SCHEMA = Symbol.for('vercel.ai.schema');

/**
 * A schema as `jsonSchema()` of the AI SDK makes it. The symbol it is known by has no public name in the types of the
 * SDK; to the compiler this is a Standard Schema instead, which the SDK takes as well.
 */
export interface AiSdkSchema {
  readonly jsonSchema: InputSchema;
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'rx-mcp';
    /** Takes everything: the server checks arguments by the schema that it wrote itself. */
    readonly validate: (value: unknown) => { readonly value: unknown };
    readonly jsonSchema: {
      readonly input: () => Record<string, unknown>;
      readonly output: () => Record<string, unknown>;
    };
  };
}

/** The tools of `generateText` and its like, by name. None has `execute`: calls come back to who asked. */
export type AiSdkTools = Record<string, { description?: string; inputSchema: AiSdkSchema }>;

/** What the output of a call is made of, where there is more than text. */
export type AiSdkPart =
  | { type: 'text'; text: string }
  | { type: 'image-data'; data: string; mediaType: string }
  | { type: 'file-data'; data: string; mediaType: string; filename?: string };

/** The part of a message of a tool that answers a call. */
export interface AiSdkAnswer {
  type: 'tool-result';
  toolCallId: string;
  toolName: string;
  output: { type: 'text' | 'error-text'; value: string } | { type: 'content'; value: AiSdkPart[] };
}

const schemaOf = (schema: InputSchema): AiSdkSchema => {
  // The SDK asks whether there are these members, also those that say nothing.
  const marked = { [SCHEMA]: true, _type: undefined, jsonSchema: schema, validate: undefined };
  const converted = (): InputSchema => schema;
  return Object.defineProperty(marked, '~standard', {
    value: {
      version: 1,
      vendor: 'rx-mcp',
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: converted, output: converted },
    },
  }) as unknown as AiSdkSchema;
};

const partOf = (part: ResultPart): AiSdkPart => {
  if (part.type === 'text') return { type: 'text', text: textOfPart(part) };
  const { data, mimeType: mediaType, name: filename } = part;
  // Version 7 calls these deprecated, and takes them; version 6 takes no others.
  if (part.type === 'image') return { type: 'image-data', data, mediaType };
  return { type: 'file-data', data, mediaType, ...(filename !== undefined && { filename }) };
};

const outputOf = (result: ToolResult): AiSdkAnswer['output'] => {
  if (result.is_error) return { type: 'error-text', value: errorTextOf(result) };
  if (typeof result.content === 'string') return { type: 'text', value: textOf(result) };
  return { type: 'content', value: result.content.map(partOf) };
};

/** Vercel's AI SDK. It speaks to any API, so that what is declared fits all of them. */
export const aiSdk: Format<'ai-sdk'> = {
  names: COMMON_NAMES,
  schemas: { refs: 'inline', argumentNames: /^[a-zA-Z0-9_.-]{1,64}$/, takesPattern: isPortablePattern },
  declare: (tools) =>
    Object.fromEntries(
      tools.map(({ name, description, schema }) => [
        name,
        { ...(description !== undefined && { description }), inputSchema: schemaOf(schema) },
      ]),
    ),
  read: (call) => {
    const { type, toolCallId: id, toolName: name, input, args } = call;
    if (type !== 'tool-call' && (type !== undefined || id === undefined)) return undefined;
    // Up to version 4 it was called `args`.
    return { id, name, arguments: input ?? args };
  },
  answer: ({ id, name }, result) => ({
    type: 'tool-result',
    toolCallId: id,
    toolName: name,
    output: outputOf(result),
  }),
};
