import { join } from 'node:path';
import { FOLDER } from './folder.mjs';

/** What may share files with each other. */
type Group = 'cli' | 'examples' | 'parents' | 'servers' | 'soak';

/**
 * The file of a program that was built for this run: see `build.mjs`.
 * @param group - `cli`, `examples`, `parents`, `servers` or `soak`
 * @param name - the name of its source in there, without its ending
 */
export const program = (group: Group, name: string): string => {
  const folder = process.env[FOLDER];
  if (folder === undefined) throw new Error(`${FOLDER} is not set: is this a run of Jest?`);
  return join(folder, group, `${name}.mjs`);
};
