import type { BatchOptions, ToolCall, ToolProvider, ToolResult } from '../../../src/index.js';

/** A batch that a provider was given. */
export interface Batch {
  readonly calls: readonly ToolCall[];
  readonly options: BatchOptions | undefined;
}

/** A provider written by hand, and what it was asked. */
export interface HandProvider extends ToolProvider {
  readonly batches: Batch[];
}

/** A declaration for chat completions. */
export const declaration = (name: string, more: object = {}): object => ({
  type: 'function',
  function: { name, description: `Does ${name}`, parameters: { type: 'object', properties: {} }, ...more },
});

export const resultOf = (id: string, content: string, more: Partial<ToolResult> = {}): ToolResult => ({
  role: 'tool',
  tool_call_id: id,
  content,
  is_error: false,
  ...more,
});

/** Answers each call with the name it came under, and its arguments. */
export const echo = (calls: readonly ToolCall[]): ToolResult[] =>
  calls.map(({ id, name, arguments: args }) => resultOf(id, `${name} ${JSON.stringify(args)}`));

type Execute = (calls: readonly ToolCall[], options: BatchOptions | undefined) => unknown;

/** A provider of a few tools; `execute` answers its batches, with whatever it likes. */
export const handProvider = (
  names: readonly string[],
  execute: Execute = echo,
  more: Partial<ToolProvider> = {},
): HandProvider => {
  const batches: Batch[] = [];
  return {
    batches,
    toolsForLlm: () => names.map((name) => declaration(name)),
    executeToolCalls: (calls, options) => {
      batches.push({ calls, options });
      return execute(calls, options) as ToolResult[];
    },
    ...more,
  };
};
