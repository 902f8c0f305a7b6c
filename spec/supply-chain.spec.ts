import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

interface Manifest {
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly allowScripts?: Readonly<Record<string, boolean>>;
}

interface Locked extends Manifest {
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly link?: boolean;
  readonly resolved?: string;
}

const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
const manifest = read('package.json') as Manifest;
const { packages } = read('package-lock.json') as { readonly packages: Readonly<Record<string, Locked>> };
const installed = Object.entries(packages).filter(([path]) => path !== '');

/** Where a package finds another one: beside itself, or further up. */
const found = (from: string, name: string): string | undefined => {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const path = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    if (packages[path] !== undefined) return path;
    if (at === '') return undefined;
    if (!at.includes('/node_modules/')) at = '';
    if (at === '' && packages[`node_modules/${name}`] !== undefined) return `node_modules/${name}`;
  }
};

/** Everything that is installed with this library. */
const closure = (): ReadonlySet<string> => {
  const seen = new Set<string>();
  const visit = (from: string, dependencies: Manifest['dependencies'] = {}): void => {
    for (const name of Object.keys(dependencies)) {
      const path = found(from, name);
      expect([name, path]).toEqual([name, expect.any(String)]);
      if (path === undefined || seen.has(path)) continue;
      seen.add(path);
      visit(path, packages[path]?.dependencies);
    }
  };
  visit('', manifest.dependencies);
  return seen;
};

describe('the packages', () => {
  it('are locked, each by its checksum', () => {
    expect(installed.length).toBeGreaterThan(100);
    const unlocked = installed.filter(([, { integrity, link }]) => link === true || !/^sha512-/.test(integrity ?? ''));
    expect(unlocked.map(([path]) => path)).toEqual([]);
  });

  it('come from whatever registry is set, and from no address of their own', () => {
    expect(installed.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
  });

  it('that are installed with the library run nothing when they are', () => {
    const all = [...closure()];
    expect(all.length).toBeGreaterThanOrEqual(Object.keys(manifest.dependencies ?? {}).length);
    expect(all.filter((path) => packages[path]?.hasInstallScript === true)).toEqual([]);
  });

  it('that would run something on a developer’s machine are named, and not allowed to', () => {
    const names = installed
      .filter(([, { hasInstallScript }]) => hasInstallScript === true)
      .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));
    expect(manifest.allowScripts).toEqual(Object.fromEntries(names.map((name) => [name, false])));
  });

  it('for development have one exact version each', () => {
    const loose = Object.entries(manifest.devDependencies ?? {}).filter(
      ([, version]) => !/^\d+\.\d+\.\d+$/.test(version),
    );
    expect(loose).toEqual([]);
  });
});

describe('the library', () => {
  it('runs nothing when it is installed', () => {
    const names = ['preinstall', 'install', 'postinstall', 'prepare', 'preprepare', 'postprepare'];
    expect(Object.keys(manifest.scripts ?? {}).filter((name) => names.includes(name))).toEqual([]);
  });
});
