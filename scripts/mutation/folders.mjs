// Which folders are mutated, and which specs look at each.
import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';

/** Where the bundles are put, in the sandbox. */
export const BUNDLES = '.mutation';

/** The folders of `src/`, each with the folders of `spec/` whose files run against its mutants. */
const SPECS = {
  session: ['session'],
  protocol: ['protocol'],
  transport: ['transport', 'contract'],
  bridge: ['bridge'],
};

export const FOLDERS = Object.keys(SPECS);

/** Spec files that cannot run in a process that has run others: what each is about is the process itself. */
const LEFT_OUT = [];

/** The spec files for a folder of `src/`, with slashes, sorted. */
export const specsOf = (folder) =>
  SPECS[folder]
    .flatMap((name) => readdirSync(join('spec', name), { recursive: true }).map((path) => `spec/${name}/${path}`))
    .map((path) => path.split(sep).join('/'))
    .filter((path) => path.endsWith('.spec.ts') && !LEFT_OUT.includes(path))
    .sort();
