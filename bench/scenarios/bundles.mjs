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

/** The files that are loaded with the first one: what only `import()` names is not. */
const reachedFrom = (name, texts, seen = []) => {
  if (seen.includes(name)) return seen;
  seen.push(name);
  for (const [, next] of texts.get(name).matchAll(/(?:from|import)\s*["']\.\/([^"']+)["']/g))
    reachedFrom(next, texts, seen);
  return seen;
};

const run = async (client) => {
  const { build } = await import('esbuild');
  const { gzipSync } = await import('node:zlib');
  const { outputFiles } = await build({
    stdin: { contents: entries[client](), resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    bundle: true,
    minify: true,
    write: false,
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
  const first = outputFiles.find(({ path }) => path.endsWith('stdin.js'));
  const sizes = new Map(
    outputFiles.map(({ path, contents }) => [basename(path), gzipSync(contents, { level: 9 }).length]),
  );
  const texts = new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
  const kb = (bytes) => bytes / 1_024;
  const eager = reachedFrom(basename(first.path), texts).reduce((sum, name) => sum + sizes.get(name), 0);
  const whole = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
  return { value: kb(whole), ...(eager < whole ? { note: `${kb(eager).toFixed(1)} before first use` } : {}) };
};

export const bundles = [
  {
    name: 'bundle',
    title: 'bundle for a browser, client over HTTP, gzipped',
    unit: 'KB',
    yardstick: 'rxjs',
    clients: Object.keys(entries),
    once: true,
    run: (client) => run(client),
  },
];
