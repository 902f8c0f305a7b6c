import { OptionError } from '../errors/index.js';
import { isObject } from '../jsonrpc/index.js';
import { requireArguments } from './arguments.js';

/** As `requireArguments`, for the arguments of a prompt, which are strings. */
export const requireTexts = (value: unknown, name: string): void => {
  requireArguments(value, name);
  for (const [key, text] of Object.entries((value ?? {}) as Record<string, unknown>)) {
    if (typeof text !== 'string') throw new OptionError(name, `${JSON.stringify(key)} is not a string`);
  }
};

/** Throws an `OptionError` unless `ref` names a prompt or a resource template. MCP 2026-07-28 server/utilities/completion. */
export const requireReference = (ref: unknown): void => {
  const { type, name, uri } = (isObject(ref) ? ref : {}) as { type?: unknown; name?: unknown; uri?: unknown };
  if (type === 'ref/prompt' && typeof name === 'string') return;
  if (type === 'ref/resource' && typeof uri === 'string') return;
  throw new OptionError('ref', "give { type: 'ref/prompt', name } or { type: 'ref/resource', uri }");
};

/** Throws an `OptionError` unless `argument` has a name and a value, both strings. */
export const requireArgument = (argument: unknown): void => {
  if (isObject(argument) && typeof argument['name'] === 'string' && typeof argument['value'] === 'string') return;
  throw new OptionError('argument', 'give an object with a name and a value, both strings');
};

/** Throws an `OptionError` unless `context` is absent, or an object whose `arguments`, if there are any, are strings. */
export const requireContext = (context: unknown): void => {
  requireArguments(context, 'context');
  requireTexts((context as { arguments?: unknown } | undefined)?.arguments, 'context');
};
