import { InvalidMessageError } from '../errors/index.js';
import { isObject } from '../jsonrpc/index.js';
import type { Result } from '../protocol/index.js';
import type { CompleteResult, GetPromptResult, ReadResourceResult } from '../protocol/schemas/index.js';
import { requireComplete, requireList } from './results.js';

/** Whether something can be a `resources/read` result. */
export const hasContents = ({ resultType, contents }: Result): boolean =>
  resultType === 'complete' && Array.isArray(contents);

/** Reads a `resources/read` result. */
export const readContents = (result: Result): ReadResourceResult => {
  const method = 'resources/read';
  requireList(method, requireComplete(method, result), 'contents');
  return result as unknown as ReadResourceResult;
};

/** Reads a `prompts/get` result. */
export const readPrompt = (result: Result): GetPromptResult => {
  const method = 'prompts/get';
  requireList(method, requireComplete(method, result), 'messages');
  return result as unknown as GetPromptResult;
};

/** Reads a `completion/complete` result. */
export const readCompletion = (result: Result): CompleteResult => {
  const method = 'completion/complete';
  const { completion } = requireComplete(method, result);
  if (!isObject(completion) || !Array.isArray(completion['values'])) {
    throw new InvalidMessageError(method, undefined, 'it has no list of values');
  }
  return result as unknown as CompleteResult;
};
