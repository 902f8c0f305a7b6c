import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

const bytesIn = (folder) =>
  readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    if (entry.name === 'node_modules') return sum;
    return sum + (entry.isDirectory() ? bytesIn(path) : entry.isFile() ? statSync(path).size : 0);
  }, 0);

/** Where `name` is installed for a package in `folder`, as Node looks for it. */
const found = (name, folder) => {
  for (let at = folder; ; at = dirname(at)) {
    const path = join(at, 'node_modules', name);
    if (existsSync(join(path, 'package.json'))) return path;
    if (at === dirname(at)) return undefined;
  }
};

/** The folders of every package that those in `names` need, themselves included, seen from `folder`; optional ones are not. */
export const installedFor = (names, folder) => {
  const seen = new Set();
  const visit = (name, from) => {
    const path = found(name, from);
    if (path === undefined || seen.has(path)) return;
    seen.add(path);
    const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = manifestOf(path);
    for (const dependency of Object.keys(dependencies)) visit(dependency, path);
    for (const peer of Object.keys(peerDependencies)) {
      if (peerDependenciesMeta[peer]?.optional !== true) visit(peer, path);
    }
  };
  for (const name of names) visit(name, folder);
  return [...seen];
};

/** A package's manifest. */
export const manifestOf = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** The bytes of a package's own files. */
export const sizeOf = bytesIn;
