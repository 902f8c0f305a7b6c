import { messageOf } from '../../errors/index.js';
import { isObject } from '../../jsonrpc/index.js';
import type { CallToolResult, ContentBlock } from '../../protocol/schemas/index.js';

/** What a handler answered: a result, or a value that is yet to become one. */
export type Answered =
  | { readonly result: CallToolResult }
  /** Structured content, whose JSON is the text. */
  | { readonly structured: unknown };

const BLOCKS: readonly unknown[] = ['text', 'image', 'audio', 'resource', 'resource_link'];

const isTyped = (value: unknown): value is { readonly type: string } =>
  isObject(value) && typeof value['type'] === 'string';

const isResult = (value: unknown): value is CallToolResult =>
  isObject(value) && Array.isArray(value['content']) && value['content'].every(isTyped);

/** A list of data may well have members with a `type` of their own: only the types of the protocol make content. */
const isContent = (value: unknown): value is ContentBlock[] =>
  Array.isArray(value) && value.every((block) => isTyped(block) && BLOCKS.includes(block.type));

const textResult = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });

/**
 * Reads what a handler returned. A result is one; with an output schema everything else is structured content, but for
 * nothing. Without one, text and content blocks are content, numbers and truth values are text, `null` is nothing, and
 * other objects and lists are structured content. Throws where it is none of these.
 */
export const readAnswer = (value: unknown, hasOutput: boolean): Answered => {
  if (isResult(value)) return { result: value };
  if (value === undefined) return { result: { content: [] } };
  if (hasOutput) return { structured: value };
  if (value === null) return { result: { content: [] } };
  if (typeof value === 'string') return { result: textResult(value) };
  if (isContent(value)) return { result: { content: value } };
  if (typeof value === 'object') return { structured: value };
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return { result: textResult(String(value)) };
  throw new Error(`The tool returned a ${typeof value}, which is no result.`);
};

/** Structured content as a result: its JSON is the text, as the protocol asks. MCP 2026-07-28 server/tools, "Structured Content". */
export const structuredResult = (value: unknown): CallToolResult => ({
  ...textResult(JSON.stringify(value) ?? 'null'),
  structuredContent: value,
});

/** A result that says what failed. */
export const failure = (text: string): CallToolResult => ({ ...textResult(text), isError: true });

/** What a handler threw, as a result. Never throws, whatever that was. */
export const thrown = (reason: unknown): CallToolResult => {
  try {
    const message: unknown = messageOf(reason);
    if (typeof message === 'string' && message !== '') return failure(message);
  } catch {
    // Something that cannot even be asked what it is.
  }
  return failure('The tool failed and gave no reason.');
};
