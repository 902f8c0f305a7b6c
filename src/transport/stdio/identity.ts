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

const inOrder = (
  variables: Readonly<Record<string, string | undefined>>,
): readonly (readonly [string, string | null])[] =>
  Object.entries(variables)
    .map(([name, value]) => [name, value ?? null] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));

const digestOf = (facts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(facts)).digest('hex');

/**
 * Names the server that these parameters reach: SHA-256, in hex, over command, arguments, working directory and the
 * variables laid over the environment, in whatever order they were given. Nothing of them can be read from it.
 */
export const identityOf = ({ command, args, cwd, env, inheritEnv }: CheckedParameters): string =>
  digestOf([command, args, directory(cwd), inOrder(env), inheritEnv]);

/**
 * Tells who asks that server: whoever has all of the variables that the process gets, for any of them may be a credential, or
 * lead to one as `HOME` does. SHA-256, in hex.
 */
export const partitionOf = (identity: string, { inheritEnv }: CheckedParameters): string =>
  inheritEnv ? digestOf([identity, inOrder(process.env)]) : identity;
