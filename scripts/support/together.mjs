/**
 * A plugin for esbuild: what is loaded at once comes in a few large files in place of twenty small ones, for a file is
 * compressed by itself and finds nothing of what stands in another. esbuild puts modules into one file where the same
 * entries, and the same parts that are loaded by `import()`, need them all. Therefore each of these is told to need the whole of a group
 * as soon as it needs one module of it. Nothing more is loaded by that: imports of no name are taken out of what is built.
 *
 * There are two groups. In the first is what leads to no `import()`, by whichever way. A bundler keeps parts that lead to one
 * another, though nobody asks for them, and with them all that they share: they must not meet in a file that holds the
 * `import()` of each. In the second is what parts need that does lead to one.
 */
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

const NAMESPACE = 'together';
const MARK = /\nimport '.\/together:.*';\n$/;

/** Who imports whom, as esbuild sees it: what is imported for its types alone is not. */
class Modules {
  #inputs;

  constructor({ inputs }) {
    this.#inputs = inputs;
  }

  /** The parts that are loaded by `import()`, wherever it stands. */
  get parts() {
    return [...new Set(Object.keys(this.#inputs).flatMap((path) => this.#imported(path, 'dynamic-import')))];
  }

  /** A module and all that it needs at once. */
  neededBy(path, seen = new Set()) {
    if (seen.has(path)) return seen;
    seen.add(path);
    for (const next of this.#imported(path, 'import-statement')) this.neededBy(next, seen);
    return seen;
  }

  leadsToParts(path) {
    return [...this.neededBy(path)].some((one) => this.#imported(one, 'dynamic-import').length > 0);
  }

  #imported(path, kind) {
    return this.#inputs[path].imports
      .filter((one) => one.kind === kind && one.path in this.#inputs)
      .map((one) => one.path);
  }
}

const look = async ({ esbuild, initialOptions }) => {
  const { entryPoints, platform, target, tsconfig } = initialOptions;
  const { metafile } = await esbuild.build({
    ...{ entryPoints, platform, target, tsconfig, format: 'esm', outdir: 'dist', external: ['#*'] },
    ...{ bundle: true, splitting: true, packages: 'external', metafile: true, write: false, logLevel: 'error' },
  });
  return new Modules(metafile);
};

/** Which groups each entry and each part is to need whole, by its path. */
const groupsFor = (modules, entries, doors, apart) => {
  const atOnce = doors.flatMap((door) => [...modules.neededBy(door)]);
  const shared = new Set(modules.parts.flatMap((part) => [...modules.neededBy(part)]));
  const groups = [
    atOnce.filter((path) => !modules.leadsToParts(path)),
    atOnce.filter((path) => modules.leadsToParts(path) && shared.has(path)),
  ];
  const needed = new Map();
  for (const path of [...entries, ...modules.parts].filter((one) => !apart.includes(one))) {
    const own = modules.neededBy(path);
    const wanted = groups.flatMap((group, index) => (group.some((one) => own.has(one)) ? [index] : []));
    if (wanted.length > 0) needed.set(resolve(path), wanted);
  }
  return { groups, needed };
};

/**
 * @param {readonly string[]} doors the modules that lead to what is loaded at once
 * @param {readonly string[]} apart entries that have files of their own, as they would without this
 */
export const together = (doors, apart) => ({
  name: NAMESPACE,
  setup(build) {
    // That an import of no name does nothing is what it is for.
    build.initialOptions.logOverride = { ...build.initialOptions.logOverride, 'ignored-bare-import': 'silent' };
    let found;
    build.onStart(async () => {
      const entries = Object.values(build.initialOptions.entryPoints);
      found = groupsFor(await look(build), entries, doors, apart);
    });
    build.onResolve({ filter: /^\.\/together:/ }, ({ path }) => ({
      path: path.slice('./together:'.length),
      namespace: NAMESPACE,
    }));
    build.onLoad({ filter: /./, namespace: NAMESPACE }, ({ path }) => ({
      contents: found.groups[path].map((one) => `import ${JSON.stringify(`./${one}`)};`).join('\n'),
      resolveDir: process.cwd(),
    }));
    build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const wanted = found.needed.get(path);
      if (wanted === undefined) return undefined;
      const names = wanted.map((index) => `import './together:${index}';`).join(' ');
      return { contents: `${await readFile(path, 'utf8')}\n${names}\n`, loader: 'ts', resolveDir: dirname(path) };
    });
  },
});

/** The text of a source without the line that was added to it. */
export const withoutGroups = (source) => source.replace(MARK, '');
