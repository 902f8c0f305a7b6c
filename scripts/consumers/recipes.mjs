// The recipes of `examples/recipes`, each in a fresh project with its framework: its types are checked, it is built, and
// its page is used as somebody would.
import { once } from 'node:events';
import { join } from 'node:path';
import { openBakery } from './support/bakery.mjs';
import { visitPage } from './support/browser.mjs';
import { makeProject, programOf, run } from './support/project.mjs';
import { versionsOf } from './support/versions.mjs';

const ANGULAR = '21.2.24';

/** What each needs beside rxjs, and how its types are checked; `plugin` is that of Vite. */
const RECIPES = {
  // Version 22 needs a newer Node than this repository supports.
  angular: {
    packages: {
      '@angular/common': ANGULAR,
      '@angular/compiler': ANGULAR,
      '@angular/compiler-cli': ANGULAR,
      '@angular/core': ANGULAR,
      '@angular/platform-browser': ANGULAR,
    },
    // Types and templates, and it writes what is bundled.
    check: (recipe) => ['@angular/compiler-cli/bundles/src/bin/ngc.js', '-p', recipe],
  },
  react: {
    packages: {
      react: '19.3.1',
      'react-dom': '19.3.1',
      '@types/react': '19.3.3',
      '@types/react-dom': '19.3.0',
    },
    check: (recipe) => ['typescript/bin/tsc', '-p', recipe],
  },
  vue: {
    packages: { vue: '3.5.45', '@vitejs/plugin-vue': '6.0.11', 'vue-tsc': '3.3.14' },
    check: (recipe) => ['vue-tsc/bin/vue-tsc.js', '-p', recipe],
    plugin: { from: '@vitejs/plugin-vue', exported: 'default' },
  },
  svelte: {
    packages: { svelte: '5.57.3', '@sveltejs/vite-plugin-svelte': '7.3.1', 'svelte-check': '4.7.8' },
    check: (recipe) => [
      ...['svelte-check/bin/svelte-check', '--workspace', recipe, '--tsconfig', join(recipe, 'tsconfig.json')],
      ...['--fail-on-warnings', '--output', 'machine'],
    ],
    plugin: { from: '@sveltejs/vite-plugin-svelte', exported: 'svelte' },
  },
  'redux-observable': {
    // What redux-observable 2 was made for.
    packages: { redux: '4.2.1', 'redux-observable': '2.0.0' },
    check: (recipe) => ['typescript/bin/tsc', '-p', recipe],
  },
};

/** Lists, bakes to the end with a bar that moves, and stops a call, of which the server hears. */
const use = (happenings) => async (page) => {
  const output = (status) => page.locator(`output[data-status=${status}]`);
  const click = (name) => page.getByRole('button', { name }).click();
  await page.getByRole('listitem').filter({ hasText: 'bake' }).waitFor();

  await click('Bake three');
  await output('done').filter({ hasText: '3 loaves' }).waitFor();
  const bar = page.getByRole('progressbar', { name: 'Loaves' });
  const { value, max } = await bar.evaluate((element) => ({ value: element.value, max: element.max }));
  if (value !== 3 || max !== 3) throw new Error(`the bar stands at ${value} of ${max}`);

  await click('Bake many');
  await output('baking').filter({ hasText: 'of 10000' }).waitFor();
  const stopped = once(happenings, 'stopped', { signal: AbortSignal.timeout(30_000) });
  await click('Stop');
  await stopped;
  await output('idle').waitFor({ state: 'attached' });
};

const recipe =
  (name, { packages, check, plugin }) =>
  async ({ root, folder, tarball, browser }) => {
    const versions = versionsOf(root, ['rxjs', 'typescript', 'vite']);
    const template = join(root, 'examples/recipes');
    await makeProject({ folder, tarball, template, packages: { ...versions, ...packages } });
    const place = join(folder, name);
    const [program, ...args] = check(place);
    await run(process.execPath, [programOf(folder, program), ...args], { cwd: place });

    const code = `
      import { build as bundle } from 'vite';
      ${plugin === undefined ? '' : `import { ${plugin.exported} as plugin } from '${plugin.from}';`}
      // Angular comes with its compiler here, which is large.
      const build = { chunkSizeWarningLimit: 2_000 };
      const plugins = [${plugin === undefined ? '' : 'plugin()'}];
      await bundle({ configFile: false, root: ${JSON.stringify(place)}, logLevel: 'warn', build, plugins });`;
    const printed = await run(process.execPath, ['--input-type=module', '-e', code], { cwd: folder });
    if (printed.trim() !== '') throw new Error(`Vite warns:\n${printed}`);

    const bakery = await openBakery(join(place, 'dist'));
    try {
      await visitPage(browser, bakery.origin, use(bakery.happenings));
    } finally {
      bakery.close();
    }
  };

export const recipes = Object.fromEntries(
  Object.entries(RECIPES).map(([name, needs]) => [`recipe-${name}`, recipe(name, needs)]),
);
