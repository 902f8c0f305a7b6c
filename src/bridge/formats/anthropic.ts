import type { ResultPart, ToolResult } from '../provider.js';
import type { InputSchema } from '../schemas/index.js';
import { COMMON_NAMES, type Format } from './format.js';
import { COMMON_IMAGES, errorTextOf, textOf, textOfPart } from './parts.js';

/** A tool of a message. */
export interface AnthropicTool {
  name: string;
  description?: string;
  input_schema: InputSchema;
}

/** What the content of a result is made of, where there is more than text. */
export type AnthropicPart =
  | { type: 'text'; text: string }
  | {
      type: 'image';
      source: { type: 'base64'; media_type: 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp'; data: string };
    }
  | {
      type: 'document';
      title?: string;
      source: { type: 'base64'; media_type: 'application/pdf'; data: string };
    };

/** The block of a user's message that answers a call. */
export interface AnthropicAnswer {
  type: 'tool_result';
  tool_use_id: string;
  content: string | AnthropicPart[];
  is_error: boolean;
}

type ImageType = Extract<AnthropicPart, { type: 'image' }>['source']['media_type'];

const isImageType = (mimeType: string): mimeType is ImageType => COMMON_IMAGES.has(mimeType);

const partOf = (part: ResultPart): AnthropicPart => {
  if (part.type === 'image' && isImageType(part.mimeType)) {
    return { type: 'image', source: { type: 'base64', media_type: part.mimeType, data: part.data } };
  }
  if (part.type === 'file' && part.mimeType === 'application/pdf') {
    const source = { type: 'base64', media_type: part.mimeType, data: part.data } as const;
    return { type: 'document', ...(part.name !== undefined && { title: part.name }), source };
  }
  return { type: 'text', text: textOfPart(part) };
};

const contentOf = (result: ToolResult): AnthropicAnswer['content'] => {
  // An error has text alone, and some.
  if (result.is_error) return errorTextOf(result);
  if (typeof result.content === 'string') return textOf(result);
  const parts = result.content.map(partOf).filter((part) => part.type !== 'text' || part.text.trim() !== '');
  return parts.length > 0 ? parts : '';
};

/** Anthropic's messages. */
export const anthropic: Format<'anthropic'> = {
  names: COMMON_NAMES,
  schemas: { refs: 'keep', argumentNames: /^[a-zA-Z0-9_.-]{1,64}$/ },
  declare: (tools) =>
    tools.map(({ name, description, schema }) => ({
      name,
      ...(description !== undefined && { description }),
      input_schema: schema,
    })),
  read: ({ type, id, name, input }) => (type === 'tool_use' ? { id, name, arguments: input } : undefined),
  answer: ({ id }, result) => ({
    type: 'tool_result',
    tool_use_id: id,
    content: contentOf(result),
    is_error: result.is_error,
  }),
};
