// Which folders are mutated, and which specs look at each.
import { readdirSync } from 'node:fs';
import { join, posix, sep } from 'node:path';

/** Where the bundles are put, in the sandbox. */
export const BUNDLES = '.mutation';

/** The folders of `src/`, each with the folders of `spec/` whose files run against its mutants. */
const SPECS = {
  session: ['session'],
  protocol: ['protocol'],
  transport: ['transport'],
  bridge: ['bridge'],
};

export const FOLDERS = Object.keys(SPECS);

/** Spec files that start a published server, or have whole batches answered by one: each takes as long as many others. */
const LEFT_OUT = ['spec/bridge/formats/vendor-rules.spec.ts', 'spec/bridge/golden.spec.ts'];

/** Folders so large that the mutants of a folder inside are those of its specs alone. */
const LARGE = ['bridge'];

/** Whether a spec file is to run against the mutants of a source file. */
export const looksAt = (spec, source) => {
  const large = LARGE.some((folder) => source.startsWith(`src/${folder}/`));
  return !large || posix.dirname(spec) === posix.dirname(source).replace(/^src/, 'spec');
};

/** The spec files for a folder of `src/`, with slashes, sorted. */
export const specsOf = (folder) =>
  SPECS[folder]
    .flatMap((name) => readdirSync(join('spec', name), { recursive: true }).map((path) => `spec/${name}/${path}`))
    .map((path) => path.split(sep).join('/'))
    .filter((path) => path.endsWith('.spec.ts') && !LEFT_OUT.includes(path))
    .sort();
