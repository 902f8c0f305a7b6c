import { InvalidMessageError } from '../errors/index.js';
import { isObject } from '../jsonrpc/index.js';
import type { Result } from '../protocol/index.js';
import type { Channels } from '../session/index.js';
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

/** Hears of what of a result is left out. */
export type Told = Pick<Channels, 'warn'>;

/** How many entries of a result are told of, each by itself. */
const TOLD_CAP = 10;

/**
 * A result without those entries of a list of its that are none; the same result where there are no such entries, which costs
 * a look at each. `isEntry` is `isObject` by default.
 */
export const withEntries = <T extends Readonly<Record<string, unknown>>>(
  method: string,
  result: T,
  member: string,
  told: Told,
  isEntry: (entry: unknown) => boolean = isObject,
): T => {
  const all = result[member] as unknown[];
  if (all.every(isEntry)) return result;
  const odd = all.filter((entry) => !isEntry(entry));
  const warn = (message: string, entry?: unknown): void => {
    told.warn('malformed-entry', message, entry);
  };
  for (const entry of odd.slice(0, TOLD_CAP))
    warn(`left out an entry of the ${member} of ${method} that is none`, entry);
  if (odd.length > TOLD_CAP) warn(`left out ${odd.length - TOLD_CAP} more entries of the ${member} of ${method}`);
  return { ...result, [member]: all.filter(isEntry) };
};

/** What says neither that a tool has failed nor that it has not. */
const withoutOddFailure = (result: Result, told: Told): Result => {
  const { isError, ...rest } = result;
  // Some write what is absent so.
  if (isError !== null) told.warn('malformed-entry', 'left out an isError that is neither true nor false', isError);
  return rest;
};

/**
 * Reads a `tools/call` result. One without content has none, and what is no block of it is left out; what fails in a tool is no
 * error here. Throws `InvalidMessageError` for a task, which was not asked for.
 */
export const readToolResult = (answer: Result, told: Told): CallToolResult => {
  const method = 'tools/call';
  requireComplete(method, answer);
  const { isError } = answer;
  const result = isError === undefined || typeof isError === 'boolean' ? answer : withoutOddFailure(answer, told);
  if (result['content'] === undefined) {
    // MCP 2025-11-25 basic/utilities/tasks: a later era says so by its resultType.
    if (isObject(result['task']) && result['structuredContent'] === undefined)
      throw new InvalidMessageError(method, undefined, 'it answers with a task, which was not asked for');
    return { ...result, content: [] };
  }
  requireList(method, result, 'content');
  return withEntries(method, result, 'content', told) as unknown as CallToolResult;
};
