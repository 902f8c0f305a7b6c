#!/usr/bin/env node
// Puts the built client to the test of the official conformance suite: every scenario at every wire version, with the
// era left on auto. See `--help`.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readCommandLine, refuse } from './support/command-line.mjs';
import { rowsOf } from './support/conformance-rows.mjs';
import { openSuite } from './support/conformance-suite.mjs';
import { table } from './support/table.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const usage = `npm run conformance -- [options]

Needs \`npm run build\` first, and the npm registry the first time: the suite, and a Node that it runs on where this one is
too old, are kept under node_modules/.cache/rx-mcp-conformance.

A scenario passes when the suite is content, every check that is expected succeeded, none failed or warned, and the client
met the era of the wire and ended by itself, with exit code 0. A scenario of the suite that is neither run nor excluded fails.

  --only <text,text>      the scenarios whose name contains one of these
  --versions <v,v>        these wire versions alone
  --verbose               print what the suite and the client said`;

const having = (checks, status) => checks.filter((check) => check.status === status);

/** What is wrong with how a scenario went; nothing if it passed. */
const faultsOf = ({ era, least, refuses }, { exit, clientExit, checks, met }) => {
  const faults = [...having(checks, 'FAILURE'), ...having(checks, 'WARNING')].map(
    ({ id, status, errorMessage, description }) => `${id} ${status}: ${errorMessage ?? description}`,
  );
  const succeeded = having(checks, 'SUCCESS').length;
  if (succeeded < least) faults.push(`${succeeded} checks succeeded, expected ${least}`);
  if (exit !== 0) faults.push(exit === undefined ? 'the suite did not end' : `the suite ended with ${exit}`);
  if (clientExit === 'timeout') faults.push('the client did not end');
  else if (clientExit !== '0') faults.push(`the client ended with ${clientExit}`);
  if (met === undefined) faults.push('the client did not come to its end');
  else if (refuses) {
    if (met.refused === undefined) faults.push('the client was not refused');
  } else if (met.era !== era) faults.push(`the client took the ${era} server for a ${met.era} one`);
  return faults;
};

const { values: options } = readCommandLine(
  {
    options: {
      only: { type: 'string' },
      versions: { type: 'string' },
      verbose: { type: 'boolean', default: false },
    },
  },
  usage,
  `\n\n${usage}`,
);
if (!existsSync(join(root, 'dist', 'index.js'))) refuse('the package is not built: run `npm run build` first');

const cache = join(root, 'node_modules', '.cache', 'rx-mcp-conformance');
const client = join(root, 'spec', 'conformance', 'client.mjs');
const orRefuse = (work) => work.catch((error) => refuse(error.message));

const suite = await orRefuse(openSuite(cache, client));
const { rows: all, excluded } = await orRefuse(suite.list().then(rowsOf));
const names = options.only?.split(',');
const versions = options.versions?.split(',');
const rows = all.filter(
  ({ name, version }) => (names?.some((text) => name.includes(text)) ?? true) && (versions?.includes(version) ?? true),
);
if (rows.length === 0) refuse('no scenario matches --only and --versions');
console.log(`${suite.name}: ${rows.length} of ${all.length} runs of scenario and wire version`);
for (const [reason, count] of excluded) console.log(`not run: ${count} scenarios (${reason})`);

const results = [];
for (const row of rows) {
  const started = performance.now();
  const seen = row.fault === undefined ? await suite.scenario(row.name, row.version, row.extension) : { checks: [] };
  const faults = row.fault === undefined ? faultsOf(row, seen) : [row.fault];
  const ms = Math.round(performance.now() - started);
  results.push({ ...row, ...seen, faults, ms });
  console.log(
    `[${results.length}/${rows.length}] ${row.name} ${row.version}: ${faults.length === 0 ? 'pass' : 'FAIL'}`,
  );
  for (const fault of faults) console.log(`    ${fault}`);
  if (options.verbose) console.log([...(seen.met?.warnings ?? []), seen.text].join('\n'));
  else if (faults.length > 0 && seen.stderr) console.log(seen.stderr.trim().split('\n').slice(0, 20).join('\n'));
}

const heading = ['scenario', 'version', 'era', 'success', 'failure', 'warning', 'skipped', 'ms', 'verdict'];
const cells = results.map(({ name, version, met, checks, ms, faults }) => [
  name,
  version,
  met?.era ?? '-',
  ...['SUCCESS', 'FAILURE', 'WARNING', 'SKIPPED'].map((status) => having(checks, status).length),
  ms,
  faults.length === 0 ? 'pass' : 'FAIL',
]);
console.log(`\n${table(heading, cells)}\n`);
const failed = results.filter(({ faults }) => faults.length > 0).length;
console.log(`${results.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
