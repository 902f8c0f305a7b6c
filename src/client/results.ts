import { InvalidMessageError } from '../errors/index.js';
import type { Result } from '../protocol/index.js';
import type { CallToolResult } from '../protocol/schemas/index.js';

/** Throws unless a result is an answer. */
export const requireComplete = (method: string, result: Result): Result => {
  if (result.resultType === 'complete') return result;
  throw new InvalidMessageError(method, undefined, 'it asks for input, which this client did not offer');
};

/** Throws unless a member is a list. */
export const requireList = (method: string, result: Result, member: string): void => {
  if (!Array.isArray(result[member])) throw new InvalidMessageError(method, undefined, `${member} is not a list`);
};

/** Reads a `tools/call` result. One without content has none; what fails in a tool is no error here. */
export const readToolResult = (result: Result): CallToolResult => {
  const method = 'tools/call';
  requireComplete(method, result);
  if (result['content'] === undefined) return { ...result, content: [] };
  requireList(method, result, 'content');
  return result as unknown as CallToolResult;
};
