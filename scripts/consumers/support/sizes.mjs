// What a bundle holds of an installed package: measured with both bundlers of the projects, minified.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

/** Imported alone: the most bytes that may come with it before it is gzipped, other packages left out. */
export const LIMITS = {
  nothing: { code: `import 'rx-mcp';`, most: 100 },
  'an error class': { code: `export { TimeoutError } from 'rx-mcp';`, most: 2_000 },
  'an error class of rx-mcp/auth': { code: `export { AuthorizationError } from 'rx-mcp/auth';`, most: 2_000 },
  parseInbound: { code: `export { parseInbound } from 'rx-mcp';`, most: 3_500 },
};

const WHOLE = `export * from 'rx-mcp';`;

const isOutside = (id) => /^[@\w]/.test(id) && id !== 'rx-mcp' && !id.startsWith('rx-mcp/') && !id.startsWith('entry');

const load = async (folder, name, path) => import(pathToFileURL(join(folder, 'node_modules', path)).href);

/** Bytes of the file that is loaded first, and of those that it names: not of what is loaded on first use. */
const eager = (files) => {
  const seen = new Set();
  const visit = (name) => {
    if (seen.has(name) || !files.has(name)) return;
    seen.add(name);
    for (const [, next] of files.get(name).matchAll(/(?:from|import)\s*["']\.\/([^"']+)["']/g)) visit(next);
  };
  visit('entry.js');
  const texts = [...seen].map((name) => files.get(name));
  const sum = (measure) => texts.reduce((total, text) => total + measure(text), 0);
  return { bytes: sum((text) => Buffer.byteLength(text)), gzipped: sum((text) => gzipSync(text).length) };
};

// In files of their own esbuild keeps what may be loaded later even where nothing loads it, and what that shares with the entry
// comes with the entry: what is dropped shows in one file.
const withEsbuild = async (folder, code) => {
  const { build } = createRequire(join(folder, 'package.json'))('esbuild');
  const { outputFiles, warnings } = await build({
    stdin: { contents: code, resolveDir: folder, sourcefile: 'entry.js' },
    ...{ bundle: true, minify: true, write: false, splitting: code === WHOLE, format: 'esm', platform: 'browser' },
    ...{ outdir: folder, entryNames: 'entry', logLevel: 'silent', tsconfigRaw: '{}' },
    external: [
      'rxjs',
      'rxjs/*',
      'minisearch',
      '@cfworker/json-schema',
      'eventsource-parser',
      'oauth4webapi',
      '@noble/*',
    ],
  });
  return { files: new Map(outputFiles.map(({ path, text }) => [path.split(/[\\/]/).at(-1), text])), warnings };
};

const withVite = async (folder, code) => {
  const { build } = await load(folder, 'vite', 'vite/dist/node/index.js');
  const { output } = await build({
    ...{ root: folder, configFile: false, logLevel: 'silent' },
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === 'entry' ? join(folder, 'entry.js') : undefined),
        load: (id) => (id === join(folder, 'entry.js') ? code : undefined),
      },
    ],
    build: {
      ...{ write: false, minify: true, target: 'es2022', modulePreload: false },
      rolldownOptions: {
        input: 'entry',
        preserveEntrySignatures: 'strict',
        external: (id) => isOutside(id),
        output: { entryFileNames: 'entry.js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  });
  return { files: new Map(output.map((chunk) => [chunk.fileName, chunk.code ?? ''])), warnings: [] };
};

/** Measures each of `LIMITS` and the whole. Answers with lines to print, and with what is beyond its limit. */
export const measure = async (folder) => {
  const faults = [];
  const lines = [];
  for (const [bundler, bundle] of Object.entries({ esbuild: withEsbuild, Vite: withVite })) {
    const whole = eager((await bundle(folder, WHOLE)).files);
    lines.push(`${bundler}: the whole of rx-mcp: ${whole.bytes} bytes, ${whole.gzipped} gzipped`);
    if (whole.bytes < 50_000) faults.push(`${bundler}: the whole has ${whole.bytes} bytes: it is not what was meant`);
    for (const [name, { code, most }] of Object.entries(LIMITS)) {
      const { files } = await bundle(folder, code);
      const { bytes, gzipped } = eager(files);
      lines.push(`${bundler}: ${name}: ${bytes} bytes, ${gzipped} gzipped (at most ${most} bytes)`);
      if (bytes > most) faults.push(`${bundler}: ${name} comes with ${bytes} bytes, more than ${most}`);
      if (name !== 'nothing' && bytes < 50) faults.push(`${bundler}: ${name} is not in its bundle`);
    }
  }
  return { faults, lines };
};
