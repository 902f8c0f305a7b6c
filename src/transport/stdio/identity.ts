import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import type { CheckedParameters } from './parameters.js';

// The directory this process stands in may have been removed; that is for the start to report.
const directory = (cwd: string | undefined): string => {
  try {
    return resolve(cwd ?? '.');
  } catch {
    return cwd ?? '';
  }
};

/**
 * Names the server that these parameters reach: SHA-256, in hex, over command, arguments, working directory and the
 * variables laid over the environment, in whatever order they were given. Nothing of them can be read from it.
 */
export const identityOf = ({ command, args, cwd, env, inheritEnv }: CheckedParameters): string => {
  const variables = Object.entries(env)
    .map(([name, value]) => [name, value ?? null] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([command, args, directory(cwd), variables, inheritEnv]))
    .digest('hex');
};
