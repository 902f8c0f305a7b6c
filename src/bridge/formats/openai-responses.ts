import type { ResultPart, ToolResult } from '../provider.js';
import type { InputSchema } from '../schemas/index.js';
import type { Format } from './format.js';
import { OPENAI_RULES } from './openai.js';
import { COMMON_IMAGES, dataUrlOf, textOf, textOfPart } from './parts.js';

/** A tool of a response. */
export interface OpenAiResponsesTool {
  type: 'function';
  name: string;
  description?: string;
  parameters: InputSchema;
  /** Strict mode takes a small part of JSON Schema, in which few servers write; said, since it may be the default. */
  strict: false;
}

/** What the output of a call is made of, where there is more than text. */
export type OpenAiResponsesPart =
  | { type: 'input_text'; text: string }
  | { type: 'input_image'; image_url: string }
  | { type: 'input_file'; filename: string; file_data: string };

/** The input item of a response that answers a call. */
export interface OpenAiResponsesAnswer {
  type: 'function_call_output';
  call_id: string;
  output: string | OpenAiResponsesPart[];
}

const partOf = (part: ResultPart): OpenAiResponsesPart => {
  if (part.type === 'image' && COMMON_IMAGES.has(part.mimeType)) {
    return { type: 'input_image', image_url: dataUrlOf(part) };
  }
  if (part.type === 'file') return { type: 'input_file', filename: part.name ?? 'file', file_data: dataUrlOf(part) };
  return { type: 'input_text', text: textOfPart(part) };
};

const outputOf = (result: ToolResult): OpenAiResponsesAnswer['output'] =>
  typeof result.content === 'string' ? textOf(result) : result.content.map(partOf);

/** OpenAI's responses. */
export const openaiResponses: Format<'openai-responses'> = {
  ...OPENAI_RULES,
  declare: (tools) =>
    tools.map(({ name, description, schema }) => ({
      type: 'function',
      name,
      ...(description !== undefined && { description }),
      parameters: schema,
      strict: false,
    })),
  // `id` is that of the item: the answer goes to `call_id`.
  read: ({ type, call_id: id, name, arguments: args }) =>
    type === 'function_call' ? { id, name, arguments: args } : undefined,
  answer: ({ id }, result) => ({ type: 'function_call_output', call_id: id, output: outputOf(result) }),
};
