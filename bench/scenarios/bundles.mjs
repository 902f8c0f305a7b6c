// What a browser downloads for a client over HTTP: bundled, minified, gzipped, with every package it needs.
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = (path) => JSON.stringify(fileURLToPath(new URL(path, import.meta.url)));

const entries = {
  'rx-mcp': () => `export { connectHttp } from ${here('../../dist/index.js')};`,
  rxjs: () => `export { Observable, firstValueFrom } from 'rxjs';`,
  'official-2': () => `export { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';`,
  'official-1': () =>
    `export { Client } from '@modelcontextprotocol/sdk/client/index.js';
     export { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';`,
  'ai-sdk': () => `export { createMCPClient } from '@ai-sdk/mcp';`,
};

/** The files that these load by imports of a kind, and by those of the files that come with them. */
const loadedBy = (kinds, names, outputs, seen = new Set(names)) => {
  for (const name of names) {
    const next = outputs[name].imports.filter(({ kind, path }) => kinds.includes(kind) && !seen.has(path));
    for (const { path } of next) seen.add(path);
    loadedBy(
      kinds,
      next.map(({ path }) => path),
      outputs,
      seen,
    );
  }
  return seen;
};

const run = async (client) => {
  const { build } = await import('esbuild');
  const { gzipSync } = await import('node:zlib');
  const { outputFiles, metafile } = await build({
    stdin: { contents: entries[client](), resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    // What is loaded on first use is a file of its own, and no part of this.
    splitting: true,
    outdir: 'bundle',
    logLevel: 'silent',
    // Of this repository's own settings, which lead to the source of the engine for Node, a bundle must know nothing.
    tsconfigRaw: '{}',
  });
  const sizes = new Map(
    outputFiles.map(({ path, contents }) => [basename(path), gzipSync(contents, { level: 9 }).length]),
  );
  const { outputs } = metafile;
  const first = Object.keys(outputs).find((name) => basename(name) === 'stdin.js');
  const kb = (names) => [...names].reduce((sum, name) => sum + sizes.get(basename(name)), 0) / 1_024;
  // What no file names is nobody's: a bundler writes a file for each `import()` it has seen, in code it threw away as well.
  const eager = loadedBy(['import-statement'], [first], outputs);
  const all = loadedBy(['import-statement', 'dynamic-import'], [first], outputs);
  const later = kb(all) - kb(eager);
  return { value: kb(eager), ...(later > 0 ? { note: `${later.toFixed(1)} more on first use` } : {}) };
};

export const bundles = [
  {
    name: 'bundle',
    title: 'bundle for a browser, client over HTTP, gzipped',
    unit: 'KB',
    yardstick: 'rxjs',
    clients: Object.keys(entries),
    once: true,
    timeless: true,
    run: (client) => run(client),
  },
];
