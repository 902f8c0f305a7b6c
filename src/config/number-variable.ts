import type { Check } from '../jsonrpc/checks.js';
import { OptionError } from '../errors/index.js';
import type { Variables } from './expand.js';
import { reasonOf } from './fields.js';
import type { Problems } from './problem.js';

/**
 * The number in an environment variable; `undefined` where the variable is not set, or is empty. One that cannot be used is
 * a problem that names it, and counts as not set.
 */
export const numberVariable = (name: string, env: Variables, check: Check, problems: Problems): number | undefined => {
  const text = (Object.hasOwn(env, name) ? env[name] : undefined)?.trim() ?? '';
  if (text === '') return undefined;
  try {
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    check(number, name);
    return number;
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    // Whatever stands in a variable by mistake is not told.
    const message = `the variable ${name} cannot be used, and counts as not set: ${reasonOf(error)}`;
    problems.add('warning', '', message, { variable: name });
    return undefined;
  }
};
