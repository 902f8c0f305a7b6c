import type { InputSchema } from '../schemas/index.js';
import { isObject } from '../../jsonrpc/index.js';
import { COMMON_NAMES, type Format } from './format.js';
import { textOf } from './parts.js';
import { isPortablePattern } from './portable-pattern.js';

// Fields of vendors are `?: T` without `| undefined`: their types refuse it under `exactOptionalPropertyTypes`.

/** A tool of a chat completion. */
export interface OpenAiTool {
  type: 'function';
  function: {
    name: string;
    description?: string;
    parameters: InputSchema;
  };
}

/** The message of a chat completion that answers a call. It takes text alone: everything else is named in it. */
export interface OpenAiAnswer {
  role: 'tool';
  tool_call_id: string;
  content: string;
}

/** What both of OpenAI's APIs take. A description that is longer costs the request. */
export const OPENAI_RULES: Pick<Format<never>, 'names' | 'longestDescription' | 'schemas'> = {
  names: COMMON_NAMES,
  longestDescription: 1_024,
  schemas: { refs: 'keep', takesPattern: isPortablePattern },
};

/** OpenAI's chat completions, and the many APIs in their shape. */
export const openai: Format<'openai'> = {
  ...OPENAI_RULES,
  declare: (tools) =>
    tools.map(({ name, description, schema }) => ({
      type: 'function',
      function: { name, ...(description !== undefined && { description }), parameters: schema },
    })),
  read: (call) => {
    const { id, type, function: named } = call;
    // A custom tool is none of ours, but a call of it wants an answer in this shape as well.
    if (type === 'custom' && isObject(call['custom'])) return { id, name: undefined, arguments: undefined };
    if (type !== undefined && type !== 'function') return undefined;
    if (isObject(named)) return { id, name: named['name'], arguments: named['arguments'] };
    return type === 'function' ? { id, name: undefined, arguments: undefined } : undefined;
  },
  answer: ({ id }, result) => ({ role: 'tool', tool_call_id: id, content: textOf(result) }),
};
