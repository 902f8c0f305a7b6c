import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The versions that this repository itself is developed with, by name. */
export const versionsOf = (root, names) => {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return Object.fromEntries(
    names.map((name) => {
      if (devDependencies[name] === undefined) throw new Error(`${name} is not in devDependencies`);
      return [name, devDependencies[name]];
    }),
  );
};
