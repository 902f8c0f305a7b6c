/**
 * A plugin for esbuild: writes the licences of all packages that went into a bundle into one file beside it, as they ask
 * for. A package without a licence fails the build.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const PACKAGE = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;

const licenceOf = (folder) => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  if (file === undefined) throw new Error(`${name} has no file with its licence`);
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
};

/**
 * @param {string} target the file that is written
 * @param {string} bundle what its first line says contains the packages
 */
export const licences = (target, bundle) => ({
  name: 'licences',
  setup(build) {
    build.initialOptions.metafile = true;
    build.onEnd(({ metafile }) => {
      const folders = Object.keys(metafile?.inputs ?? {}).flatMap((input) => PACKAGE.exec(input)?.[1] ?? []);
      const texts = [...new Set(folders)].sort().map(licenceOf);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, `${bundle} contains these packages.\n\n${texts.join(`\n${'-'.repeat(80)}\n\n`)}`);
    });
  },
});
