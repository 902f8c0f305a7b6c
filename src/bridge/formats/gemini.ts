import { isObject } from '../../jsonrpc/index.js';
import type { ToolResult } from '../provider.js';
import type { InputSchema } from '../schemas/index.js';
import { errorTextOf, type MediaPart, textOf, textOfPart } from './parts.js';
import type { Format } from './format.js';
import { geminiRules } from './gemini-schema.js';

/** A function of `config.tools`. */
export interface GeminiFunction {
  name: string;
  description?: string;
  parametersJsonSchema: InputSchema;
}

/** All functions, as one entry of `config.tools`. */
export interface GeminiTool {
  functionDeclarations: GeminiFunction[];
}

/** The part of a user's content that answers a call. */
export interface GeminiAnswer {
  functionResponse: {
    /** Absent for a call that had none. */
    id?: string;
    name: string;
    response: { output: string } | { error: string };
    /** What is more than text, for models that look at it. */
    parts?: { inlineData: { mimeType: string; data: string } }[];
  };
}

/** What a function may answer besides text. */
const MEDIA: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp', 'application/pdf', 'text/plain']);

const responseOf = (result: ToolResult): Omit<GeminiAnswer['functionResponse'], 'id' | 'name'> => {
  if (result.is_error) return { response: { error: errorTextOf(result) } };
  if (typeof result.content === 'string') return { response: { output: textOf(result) } };
  const media = result.content.filter((part): part is MediaPart => part.type !== 'text' && MEDIA.has(part.mimeType));
  // What is handed over is named as well: the text says in which place it came.
  const output = result.content.map(textOfPart).join('\n');
  const parts = media.map(({ mimeType, data }) => ({ inlineData: { mimeType, data } }));
  return { response: { output }, ...(parts.length > 0 && { parts }) };
};

/** Google's Gemini, through the Gemini API or Vertex AI. */
export const gemini: Format<'gemini'> = {
  // Google's own pages differ: this is what all of them allow.
  names: { legal: /^[a-zA-Z_][a-zA-Z0-9_-]{0,62}$/, maxLength: 63 },
  schemas: geminiRules,
  declare: (tools) => {
    const functionDeclarations = tools.map(({ name, description, schema }) => ({
      name,
      ...(description !== undefined && { description }),
      parametersJsonSchema: schema,
    }));
    // An entry without functions is refused.
    return functionDeclarations.length > 0 ? [{ functionDeclarations }] : [];
  },
  read: (call) => {
    if (call['type'] !== undefined) return undefined;
    const { functionCall: inner } = call;
    if (isObject(inner)) return { id: inner['id'], name: inner['name'], arguments: inner['args'] };
    const { id, name, args } = call;
    return typeof name === 'string' && args !== undefined && call['arguments'] === undefined
      ? { id, name, arguments: args }
      : undefined;
  },
  answer: ({ id, name }, result) => ({
    functionResponse: { ...(id !== '' && { id }), name, ...responseOf(result) },
  }),
};
