// The fresh projects, by name. Each fails with an error, and answers with lines to print, or nothing.
import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { openBakery } from './support/bakery.mjs';
import { visitPage } from './support/browser.mjs';
import { checkMaps } from './support/maps.mjs';
import { makeProject, programOf, run } from './support/project.mjs';
import { measure } from './support/sizes.mjs';
import { versionsOf } from './support/versions.mjs';

const templateOf = (name) => new URL(`projects/${name}`, import.meta.url);

/** A project of `packages` whose files, in this order, print `works` when Node runs them against the server. */
const node = (name, files, { packages = [], before = async () => undefined, ...more } = {}) => {
  return async ({ root, folder, tarball, server }) => {
    const versions = versionsOf(root, ['rxjs', ...packages]);
    await makeProject({ folder, tarball, template: templateOf(name), packages: versions, ...more });
    await before(folder);
    for (const file of files) {
      // What Node warns of as deprecated is an error, and so is a rejection that nobody handles.
      const args = ['--throw-deprecation', '--unhandled-rejections=strict', join(folder, file)];
      const printed = await run(process.execPath, args, { cwd: folder, env: { SERVER: server }, timeoutMs: 60_000 });
      if (!printed.endsWith('works\n')) throw new Error(`${file} printed:\n${printed}`);
    }
  };
};

const compile = (folder) =>
  run(process.execPath, [programOf(folder, 'typescript/bin/tsc'), '-p', folder], { cwd: folder });

/** Serves `site` beside a server of its own, and waits for what the outputs of its page are to show. */
const page = async (browser, site, outputs) => {
  const bakery = await openBakery(site);
  try {
    await visitPage(browser, bakery.origin, async (opened) => {
      for (const id of outputs) {
        const output = opened.locator(`#${id}`);
        await output.filter({ hasText: /./ }).waitFor({ state: 'attached' });
        const text = await output.textContent();
        if (text !== '1, 2, 3, 3 loaves') throw new Error(`#${id} shows ${text}`);
      }
    });
  } finally {
    bakery.close();
  }
};

const vite = async ({ root, folder, tarball, browser }) => {
  await makeProject({ folder, tarball, template: templateOf('vite'), packages: versionsOf(root, ['rxjs', 'vite']) });
  // Its configuration: none. Vite's own default is for browsers that know a top-level `await`.
  const printed = await run(process.execPath, [programOf(folder, 'vite/bin/vite.js'), 'build'], {
    cwd: folder,
    env: { NO_COLOR: '1' },
  });
  if (/warn|\(!\)/i.test(printed)) throw new Error(`Vite warns:\n${printed}`);
  await page(browser, join(folder, 'dist'), ['page', 'worker']);
};

const esbuild = async ({ root, folder, tarball, browser }) => {
  const packages = versionsOf(root, ['rxjs', 'esbuild']);
  await makeProject({ folder, tarball, template: templateOf('esbuild'), packages, scripts: true });
  const { build } = createRequire(join(folder, 'package.json'))('esbuild');
  const options = { bundle: true, format: 'esm', platform: 'browser', absWorkingDir: folder, logLevel: 'silent' };
  for (const more of [{}, { splitting: true, minify: true }, { conditions: ['workerd'] }, { conditions: ['deno'] }]) {
    const { warnings } = await build({ ...options, ...more, entryPoints: ['main.js'], outdir: 'site' });
    if (warnings.length > 0)
      throw new Error(`esbuild warns: ${warnings.map(({ id, text }) => `${id}: ${text}`).join('\n')}`);
    if (Object.keys(more).length > 0) continue;
    await run(process.execPath, ['-e', `require('fs').copyFileSync('index.html', 'site/index.html')`], { cwd: folder });
    await page(browser, join(folder, 'site'), ['page']);
  }
};

const sizes = async ({ root, folder, tarball }) => {
  const packages = versionsOf(root, ['rxjs', 'esbuild', 'vite']);
  await makeProject({ folder, tarball, template: templateOf('esbuild'), packages, scripts: true });
  const { faults, lines } = await measure(folder);
  if (faults.length > 0) throw new Error([...faults, ...lines].join('\n'));
  return lines;
};

const maps = async ({ root, folder, tarball }) => {
  await makeProject({
    folder,
    tarball,
    template: templateOf('cjs'),
    packages: versionsOf(root, ['rxjs']),
    type: 'commonjs',
  });
  const installed = join(folder, 'node_modules/rx-mcp');
  const { faults, lines } = checkMaps(join(installed, 'dist'));
  // And Node makes use of them.
  for (const [option, load] of [
    ['commonjs', `require('rx-mcp/stdio')`],
    ['module', `await import('rx-mcp/stdio')`],
  ]) {
    const code = `const { connectStdio } = ${load}; try { connectStdio({ command: '' }) } catch (e) { console.log(e.stack) }`;
    const args = ['--enable-source-maps', `--input-type=${option}`, '-e', code];
    const printed = await run(process.execPath, args, { cwd: folder });
    if (!/rx-mcp[\\/]src[\\/]transport[\\/]stdio[\\/]parameters\.ts:\d+/.test(printed))
      faults.push(`a stack of ${option} names no source:\n${printed}`);
  }
  if (!statSync(join(installed, 'LICENSE')).isFile()) faults.push('the licence is not installed');
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return [`${lines} lines found where their maps say`];
};

export const consumers = {
  esm: node('esm', ['main.mjs']),
  cjs: node('cjs', ['main.cjs'], { type: 'commonjs' }),
  'worker-thread': node('worker-thread', ['main.mjs']),
  nodenext: node('nodenext', ['out/main.js', 'out/required.cjs'], {
    packages: ['typescript', '@types/node'],
    before: compile,
  }),
  bundler: node('bundler', [], { packages: ['typescript'], before: compile }),
  vite,
  esbuild,
  sizes,
  maps,
};
