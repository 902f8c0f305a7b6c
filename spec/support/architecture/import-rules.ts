import { isBuiltin } from 'node:module';
import { importsOf, targetOf } from './source-files.js';
import type { Import, SourceText } from './source-files.js';

/** A message climbs these folders; a file imports its own folder and what stands before it. */
const ORDER = [
  ...['errors', 'rx', 'jsonrpc', 'transport', 'session', 'protocol', 'client'],
  ...['bridge', 'registry', 'config', 'cli'],
];

/** Folders beside the ladder: what each may import, and who may import it. */
const BESIDE: Readonly<Record<string, { readonly after: string; readonly importedBy: readonly string[] }>> = {
  auth: { after: 'transport', importedBy: ['config', 'cli'] },
  testing: { after: 'bridge', importedBy: ['cli'] },
};

const folderOf = (path: string): string => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '');
const subfolderOf = (path: string): string => path.split('/').slice(1, -1)[0] ?? '';

/** The engine of Node, in its parts. */
const ENGINE: ReadonlySet<string> = new Set(
  ['undici-engine', 'undici-exchange', 'encoded-body', 'guarded-lookup'].map((name) => `transport/http/${name}.ts`),
);

/** Files that run in Node alone. */
export const isNodeOnly = (path: string): boolean =>
  /^(transport\/stdio|config|cli)\//.test(path) ||
  path === 'bridge/stdio.ts' ||
  ENGINE.has(path) ||
  /(^|\/)node(\.ts$|\/)/.test(path);

const mayImportFolder = (from: string, to: string): boolean => {
  if (from === to || from === '') return true;
  const beside = BESIDE[to];
  if (beside !== undefined) return beside.importedBy.includes(from);
  const highest = BESIDE[from] === undefined ? ORDER.indexOf(from) : ORDER.indexOf(BESIDE[from].after) + 1;
  const wanted = ORDER.indexOf(to);
  return wanted >= 0 && highest >= 0 && wanted < highest;
};

const relativeImports = (file: SourceText): readonly string[] =>
  importsOf(file)
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ specifier }) => targetOf(file.path, specifier));

/** Imports that go up the ladder, to a folder that is not on it, or out of `src/`. */
export const wrongDirections = (files: readonly SourceText[]): readonly string[] =>
  files.flatMap((file) =>
    relativeImports(file)
      .filter((target) => !mayImportFolder(folderOf(file.path), folderOf(target)))
      .map((target) => `${file.path} imports ${target}`),
  );

/** Imports between two kinds of transport: each knows the seam, the framing and itself. */
export const mixedTransports = (files: readonly SourceText[]): readonly string[] =>
  files
    .filter(({ path }) => folderOf(path) === 'transport' && subfolderOf(path) !== '')
    .flatMap((file) =>
      relativeImports(file)
        .filter((target) => folderOf(target) === 'transport')
        .filter((target) => !['', 'framing', subfolderOf(file.path)].includes(subfolderOf(target)))
        .map((target) => `${file.path} imports ${target}`),
    );

/** Files that should load in a browser and import one that does not. */
export const nodeInBrowserSafe = (files: readonly SourceText[]): readonly string[] =>
  files
    .filter(({ path }) => !isNodeOnly(path))
    .flatMap((file) =>
      relativeImports(file)
        .filter((target) => isNodeOnly(target))
        .map((target) => `${file.path} imports ${target}`),
    );

const mayImportPackage = (path: string, { specifier, dynamic, typeOnly }: Import): boolean => {
  if (specifier === 'rxjs') return true;
  if (specifier === 'rxjs/testing') return folderOf(path) === 'testing';
  if (specifier === 'zod/mini') return ['protocol', 'config'].includes(folderOf(path));
  if (specifier === '@cfworker/json-schema') {
    if (path === 'testing/parts-at-hand.ts') return true;
    return ['protocol', 'bridge'].includes(folderOf(path)) && (dynamic || typeOnly);
  }
  if (specifier === '#http-engine') return path.startsWith('transport/http/') && dynamic;
  if (specifier === 'oauth4webapi') return folderOf(path) === 'auth' && (dynamic || typeOnly);
  if (specifier === 'minisearch') return folderOf(path) === 'registry' && (dynamic || typeOnly);
  if (specifier === 'eventsource-parser') return path.startsWith('transport/http/');
  if (specifier === 'undici') return /^transport\/http\/undici-/.test(path);
  if (specifier.startsWith('@noble/hashes/')) return folderOf(path) === 'client';
  if (specifier === 'cross-spawn') return isNodeOnly(path);
  if (specifier === 'commander') return folderOf(path) === 'cli';
  if (specifier === 'cli-progress') return path === 'cli/bar.ts';
  return specifier.startsWith('node:') && isBuiltin(specifier) && isNodeOnly(path);
};

/** Packages and built-in modules where they may not be used. */
export const strayPackages = (files: readonly SourceText[]): readonly string[] =>
  files.flatMap((file) =>
    importsOf(file)
      .filter(({ specifier }) => !specifier.startsWith('.'))
      .filter((wanted) => !mayImportPackage(file.path, wanted))
      .map(({ specifier, dynamic }) => `${file.path} imports ${specifier}${dynamic ? ' by import()' : ''}`),
  );
