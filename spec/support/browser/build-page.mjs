// Jest's global setup for the specs that run in a browser.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { build } from 'esbuild';

const SOURCE = 'spec/support/browser/library';
const TARGET = `${SOURCE}/dist`;

/** Builds, once, the page of the example and one that holds the library, both on the package as it was built last. */
export default async () => {
  if (!existsSync('dist/index.js')) throw new Error('the package is not built: npm run build');
  execFileSync(process.execPath, ['--import', 'tsx', 'examples/web/build.ts'], { stdio: 'inherit' });
  await build({
    entryPoints: [`${SOURCE}/library.js`],
    outdir: TARGET,
    bundle: true,
    format: 'esm',
    splitting: true,
    platform: 'browser',
    // Without the paths of this repository, which would lead to the sources.
    tsconfigRaw: {},
    logLevel: 'error',
  });
  mkdirSync(TARGET, { recursive: true });
  copyFileSync(`${SOURCE}/index.html`, `${TARGET}/index.html`);
};
