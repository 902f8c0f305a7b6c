// Bundles spec files with the sources they test, each into one script of its own: loaded anew for every mutant, it has
// fresh state in every module of ours at the price of evaluating one file. Packages stay outside and are loaded once.
//
// Run by Stryker in its sandbox, after the sources have been instrumented: `node scripts/mutation/bundles.mjs <folder>`.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { watchedSource } from '../../spec/support/watched-sources.mjs';
import { BUNDLES, specsOf } from './folders.mjs';

/** What is ours though its name is that of a package. */
const PLACES = {
  '#http-engine': resolve('src/transport/http/undici-engine.ts'),
  '@jest/globals': resolve('scripts/mutation/globals.mjs'),
  'fast-check': resolve('scripts/mutation/fast-check.mjs'),
};

const ownPlaces = {
  name: 'own-places',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^(?:#http-engine|@jest\/globals|fast-check)$/ }, ({ path, importer }) =>
      importer === PLACES[path] ? undefined : { path: PLACES[path] },
    );
  },
};

/** An import within an expression, once its path is mutated: `import(isActive(…) ? "" : (covered(…), "…"))`. */
const MUTATED_IMPORT = /import\((\w+\("\d+"\)) \? "" : \((\w+\("\d+"\)), (['"][^'"]+['"])\)\)/g;

/** Each part that is loaded on first use is written down, so that the worker loads it before the tests, as the suite does. */
const ownParts = {
  name: 'own-parts',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[/\\]src[/\\]rx[/\\]part\.ts$/ }, ({ path }) => ({
      contents: watchedSource(readFileSync(path, 'utf8'), path),
      loader: 'ts',
      resolveDir: dirname(path),
    }));
  },
};

/** Files keep their own address, which they have lost in a bundle; and what they import is known when they are bundled. */
const ownAddress = {
  name: 'own-address',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[/\\](?:src|spec)[/\\].*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const contents = text
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
        .replace(MUTATED_IMPORT, '($1 ? Promise.reject(new Error("no module")) : ($2, import($3)))');
      return contents === text ? undefined : { contents, loader: 'ts', resolveDir: dirname(path) };
    });
  },
};

const specs = specsOf(process.argv[2]);
await build({
  entryPoints: specs,
  outdir: BUNDLES,
  outbase: '.',
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  plugins: [ownPlaces, ownParts, ownAddress],
  logLevel: 'error',
});
writeFileSync(`${BUNDLES}/specs.json`, JSON.stringify(specs));
