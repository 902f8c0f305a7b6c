// Mutation testing of one folder of `src/`: `npm run mutation -- <folder> [path ...]`, by hand. With paths (files or globs
// within the folder, each perhaps with `:line-line`), only what they name is mutated. With `--none` no mutant is active in
// any run: all must then live, or the runner finds faults where there are none.
import { mkdirSync, writeFileSync } from 'node:fs';
import { Stryker } from '@stryker-mutator/core';
import { FOLDERS } from './folders.mjs';
import { summary } from './summary.mjs';

const [folder, ...rest] = process.argv.slice(2);
const paths = rest.filter((word) => word !== '--none');
if (rest.includes('--none')) process.env['RX_MCP_NO_MUTANT'] = '1';
if (!FOLDERS.includes(folder)) {
  process.stderr.write(`npm run mutation -- <folder> [path ...], where <folder> is one of ${FOLDERS.join(', ')}\n`);
  process.exit(2);
}

const began = performance.now();
const results = await new Stryker({
  mutate: paths.length > 0 ? paths : [`src/${folder}/**/*.ts`, '!src/**/index.ts', '!src/**/*.d.ts'],
  testRunner: 'bundled',
  plugins: [new URL('./runner.mjs', import.meta.url).href],
  buildCommand: `node scripts/mutation/bundles.mjs ${folder}`,
  coverageAnalysis: 'perTest',
  checkers: [],
  concurrency: 2,
  // The runner knows sooner that a mutant does not come back.
  timeoutMS: 600_000,
  reporters: ['progress-append-only'],
  tempDirName: `.stryker-tmp/${folder}`,
  ignorePatterns: ['/dist', '/api', '/coverage', '/bench', '/docs', '/.stryker-tmp', '/reports'],
  allowEmpty: true,
  allowConsoleColors: false,
}).runMutationTest();

mkdirSync('reports/mutation', { recursive: true });
const text = summary(results, Math.round((performance.now() - began) / 1000));
writeFileSync(`reports/mutation/${folder}${rest.length > 0 ? '.part' : ''}.md`, text.survivors);
process.stdout.write(text.table);
