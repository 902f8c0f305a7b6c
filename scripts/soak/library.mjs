// The library under soak: as it is built, or, run by `tsx`, as its source stands.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { refuse } from '../support/command-line.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

const ENTRIES = {
  built: ['dist/index.js', 'dist/stdio.js', 'dist/config.js', 'dist/testing.js'],
  source: ['src/index.ts', 'src/bridge/stdio.ts', 'src/config/index.ts', 'src/testing/index.ts'],
};

/** Everything the four entries export, in one object. */
export const library = async (which) => {
  const files = ENTRIES[which].map((file) => join(root, file));
  const missing = files.find((file) => !existsSync(file));
  if (missing !== undefined) refuse(`${missing} is not there: run \`npm run build\` first`);
  const loaded = [];
  for (const file of files) loaded.push(await import(pathToFileURL(file).href));
  return Object.assign({}, ...loaded);
};

/** The command line of the raw server, which a child process runs. */
export const rawServer = (era) => ({
  command: process.execPath,
  args: [join(root, 'scripts', 'support', 'raw-server.mjs'), era],
});
