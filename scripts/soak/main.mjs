#!/usr/bin/env node
// Runs the library for long, and looks whether anything grows. See `--help`.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { readCommandLine, refuse } from '../support/command-line.mjs';
import { calls } from './calls.mjs';
import { kills } from './kills.mjs';
import { Ledger } from './ledger.mjs';
import { library } from './library.mjs';
import { servers } from './servers.mjs';
import { subscriptions } from './subscriptions.mjs';

const usage = `npm run soak -- [options]

Prints, part by part, what the process holds before and after, and exits 1 when the heap grew by more than the limit,
or a count of handles, listeners, child processes or descriptors did.

  --calls <n>    calls in each era, on one connection (default 500000)
  --servers <n>  servers started and stopped (default 1000)
  --kills <n>    times to kill -9 a server (default 200)
  --hours <n>    hours of virtual time of subscriptions in each era, at least 3 (default 24)
  --limit <n>    how many bytes the heap may grow by in each part (default 1048576)
  --source       the source, run by tsx, in place of what is built
0 leaves a part out.`;

const PARTS = { calls, servers, kills, hours: subscriptions };

const { values } = readCommandLine(
  {
    options: {
      calls: { type: 'string', default: '500000' },
      servers: { type: 'string', default: '1000' },
      kills: { type: 'string', default: '200' },
      hours: { type: 'string', default: '24' },
      limit: { type: 'string', default: '1048576' },
      source: { type: 'boolean', default: false },
    },
  },
  usage,
);
const numberOf = (name) => {
  const value = Number(values[name]);
  if (!Number.isInteger(value) || value < 0) refuse(`--${name} must be a whole number`);
  return value;
};
const counts = Object.fromEntries(Object.keys(PARTS).map((name) => [name, numberOf(name)]));
if (counts.hours > 0 && counts.hours < 3) refuse('--hours must be at least 3');
const ledger = new Ledger(numberOf('limit'), console.log);

if (globalThis.gc === undefined) {
  const args = [...process.execArgv, '--expose-gc', fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  process.exit(spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1);
}
process.on('warning', ({ name, message }) => ledger.fault(`warning ${name}: ${message}`));
process.on('uncaughtException', (error) => ledger.fault(`uncaught ${error?.stack ?? error}`));
process.on('unhandledRejection', (reason) => ledger.fault(`unhandled ${reason?.stack ?? reason}`));

const loaded = await library(values.source ? 'source' : 'built');
/** One signal for every call: each must take its listener back. */
const { signal } = new AbortController();
for (const [name, part] of Object.entries(PARTS)) {
  if (counts[name] === 0) continue;
  const began = performance.now();
  try {
    await part(loaded, { count: counts[name], signal, ledger });
  } catch (error) {
    ledger.fault(`${name}: ${error?.stack ?? error}`);
  }
  console.log(`${name}: ${counts[name]} in ${((performance.now() - began) / 1_000).toFixed(1)} s`);
}

console.log(`${ledger}`);
process.exitCode = ledger.faults.length === 0 ? 0 : 1;
// Unreferenced: it fires only when something else keeps the process alive.
setTimeout(() => {
  console.log(`FAIL the process did not end by itself: ${process.getActiveResourcesInfo().join(', ')}`);
  process.exit(1);
}, 5_000).unref();
