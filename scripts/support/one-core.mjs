import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename, isAbsolute, resolve } from 'node:path';
import { rollup } from 'rollup';

/** A built file with the map that leads to its sources, so that what is made of it leads there as well. */
const withMaps = {
  name: 'with-maps',
  load: async (id) => ({
    code: (await readFile(id, 'utf8')).replace(/^\/\/# sourceMappingURL=.*$/m, ''),
    map: JSON.parse(await readFile(`${id}.map`, 'utf8')),
  }),
};

/** The files that are loaded with one of them, itself among them. */
const loadedWith = (id, infoOf, seen = new Set()) => {
  if (seen.has(id)) return seen;
  seen.add(id);
  for (const next of infoOf(id)?.importedIds ?? []) loadedWith(next, infoOf, seen);
  return seen;
};

/**
 * Joins the built files that every client loads into one, `core.js`. esbuild writes one for each set of entries that share
 * some code, a dozen and more, and so does whoever bundles them: each is a request, and small files compress badly. Done with
 * the ES modules alone, which are what is bundled.
 * @param {string} folder what was built
 * @param {readonly string[]} entries the names of all its entries
 * @param {readonly string[]} clients those that make a client: what all of them load is joined
 * @param {readonly string[]} also those whose files are joined with it as well
 */
export const oneCore = async (folder, entries, clients, also) => {
  const place = (name) => resolve(folder, `${name}.js`);
  const bundle = await rollup({
    input: Object.fromEntries(entries.map((name) => [name, place(name)])),
    external: (id) => !/^[./]/.test(id),
    treeshake: { moduleSideEffects: false },
    plugins: [withMaps],
    onwarn: ({ message }) => {
      throw new Error(message);
    },
  });
  const before = [];
  let core;
  const coreOf = ({ getModuleIds, getModuleInfo }) => {
    const loadedBy = (name) => loadedWith(place(name), getModuleInfo);
    before.push(...[...getModuleIds()].filter((id) => isAbsolute(id)));
    const shared = clients.map(loadedBy).reduce((all, some) => new Set([...all].filter((id) => some.has(id))));
    return also.map(loadedBy).reduce((all, some) => new Set([...all, ...some]), shared);
  };
  const { output } = await bundle.write({
    dir: folder,
    format: 'esm',
    sourcemap: true,
    hoistTransitiveImports: false,
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    manualChunks: (id, files) => ((core ??= coreOf(files)).has(id) ? 'core' : undefined),
  });
  await bundle.close();
  // They end with the name of their map, as those that esbuild writes.
  for (const { type, code, fileName } of output)
    if (type === 'chunk') await writeFile(resolve(folder, fileName), code.trimEnd());
  const kept = new Set(output.map(({ fileName }) => fileName));
  const left = before.map((file) => basename(file)).filter((name) => !kept.has(name));
  await Promise.all(left.flatMap((name) => [rm(resolve(folder, name)), rm(resolve(folder, `${name}.map`))]));
};
