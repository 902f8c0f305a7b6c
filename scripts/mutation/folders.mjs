// Which folders are mutated, and which specs look at each.
import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';

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

/** Spec files that start a published server, and would take longer than all others together. */
const LEFT_OUT = ['spec/bridge/formats/vendor-rules.spec.ts'];

/** The spec files for a folder of `src/`, with slashes, sorted. */
export const specsOf = (folder) =>
  SPECS[folder]
    .flatMap((name) => readdirSync(join('spec', name), { recursive: true }).map((path) => `spec/${name}/${path}`))
    .map((path) => path.split(sep).join('/'))
    .filter((path) => path.endsWith('.spec.ts') && !LEFT_OUT.includes(path))
    .sort();
