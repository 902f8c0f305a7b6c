import { InvalidMessageError } from '../errors/index.js';
import { isObject } from '../jsonrpc/index.js';
import type { Result } from '../protocol/index.js';
import type { CompleteResult, GetPromptResult, ReadResourceResult } from '../protocol/schemas/index.js';
import { requireComplete, requireList, type Told, withEntries } from './results.js';

/** Whether something can be a `resources/read` result. */
export const hasContents = ({ resultType, contents }: Result): boolean =>
  resultType === 'complete' && Array.isArray(contents);

/** Reads a `resources/read` result. What is no content in it is left out. */
export const readContents = (result: Result, told: Told): ReadResourceResult => {
  const method = 'resources/read';
  requireList(method, requireComplete(method, result), 'contents');
  return withEntries(method, result, 'contents', told) as unknown as ReadResourceResult;
};

/** Reads a `prompts/get` result. What is no message in it is left out. */
export const readPrompt = (result: Result, told: Told): GetPromptResult => {
  const method = 'prompts/get';
  requireList(method, requireComplete(method, result), 'messages');
  return withEntries(method, result, 'messages', told) as unknown as GetPromptResult;
};

const isText = (value: unknown): boolean => typeof value === 'string';

/** Reads a `completion/complete` result. What is no text among its values is left out. */
export const readCompletion = (result: Result, told: Told): CompleteResult => {
  const method = 'completion/complete';
  const { completion } = requireComplete(method, result);
  if (!isObject(completion) || !Array.isArray(completion['values'])) {
    throw new InvalidMessageError(method, undefined, 'it has no list of values');
  }
  const read = withEntries(method, completion, 'values', told, isText);
  return (read === completion ? result : { ...result, completion: read }) as unknown as CompleteResult;
};
