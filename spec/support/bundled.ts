import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from '@jest/globals';
import { build, stop } from 'esbuild';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BUILD_MS = 60_000;

/**
 * Builds programs from their sources before the specs of a file, and removes them after. Each is whole: nothing that it needs
 * lies beside it, and a process that runs it starts sooner than one that has its TypeScript translated.
 * @param entryPoints - the files, from the folder of the package, by the name that each program is to have
 * @returns what tells where the program of a name is
 */
export const bundles = (entryPoints: Readonly<Record<string, string>>): ((name: string) => string) => {
  let folder = '';
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rx-mcp-programs-'));
    await build({
      absWorkingDir: ROOT,
      entryPoints: { ...entryPoints },
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      ...{ bundle: true, splitting: true, format: 'esm', platform: 'node', target: 'node20', logLevel: 'silent' },
      banner: {
        js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
      },
    });
    // Its service is a process that would stay.
    await stop();
  }, BUILD_MS);
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return (name) => join(folder, `${name}.mjs`);
};
