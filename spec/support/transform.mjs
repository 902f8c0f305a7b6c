// What Jest runs of a TypeScript file: the file without its types. Nothing is checked here: that is `npm run typecheck`.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { transformSync, version } from 'esbuild';
import { watchedSource } from './watched-sources.mjs';

/** What TypeScript itself would write with the settings of tsconfig.json. */
const SETTINGS = {
  loader: 'ts',
  format: 'esm',
  target: 'es2022',
  sourcemap: 'external',
  tsconfigRaw: { compilerOptions: { useDefineForClassFields: true, verbatimModuleSyntax: true } },
};

// Its process is there from here on, and no file of specs is held to have left it behind.
transformSync('');

const OWN = createHash('sha256')
  .update(readFileSync(import.meta.filename))
  .update(version)
  .digest('hex');

export default {
  getCacheKey: (source, path) =>
    createHash('sha256').update(`${OWN}\0${path}\0`).update(watchedSource(source, path)).digest('hex'),
  process: (source, path) => {
    // The map apart: within the code it would be read again wherever the file is loaded, and is most of it.
    const { code, map } = transformSync(watchedSource(source, path), { ...SETTINGS, sourcefile: path });
    return { code, map };
  },
};
