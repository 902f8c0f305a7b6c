import { join } from 'node:path';
import { FOLDER } from './folder.mjs';

/**
 * The file of a program that was built for this run: see `build.mjs`.
 * @param group - `cli`, `examples`, `parents` or `servers`
 * @param name - the name of its source in there, without its ending
 */
export const program = (group: 'cli' | 'examples' | 'parents' | 'servers', name: string): string => {
  const folder = process.env[FOLDER];
  if (folder === undefined) throw new Error(`${FOLDER} is not set: is this a run of Jest?`);
  return join(folder, group, `${name}.mjs`);
};
