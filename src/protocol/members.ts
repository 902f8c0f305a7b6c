import type { Result } from './codec.js';

// The new member stands first and is set once more at the end. An object that is spread first and added to afterwards gets a
// hidden class of its own each time (V8), which costs more than all else that is done for a call, and is slow to collect.

/** A copy of params, with `_meta` as it goes out. */
export const withMeta = (
  params: Readonly<Record<string, unknown>> | undefined,
  meta: unknown,
): Record<string, unknown> => {
  const members: Record<string, unknown> = { _meta: meta, ...params };
  members['_meta'] = meta;
  return members;
};

/** A copy of a result, which is complete whatever it said of itself. */
export const completed = (raw: Readonly<Record<string, unknown>>): Result => {
  const result: Record<string, unknown> = { resultType: 'complete', ...raw };
  result['resultType'] = 'complete';
  return result as unknown as Result;
};
