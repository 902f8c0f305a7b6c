#!/usr/bin/env node
// Looks for leaks of the built package over stdio: many calls on one connection, many connections, in both eras.
// Needs `--expose-gc`, and starts itself again with it where it is missing. See `--help`.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { census } from './support/census.mjs';
import { readCommandLine, refuse } from './support/command-line.mjs';
import { table } from './support/table.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const script = fileURLToPath(import.meta.url);

const usage = `npm run leaks -- [options]

Prints what the process holds on to before and after, and exits 1 when the heap grew by more than the limit or a count
of handles, listeners, child processes or descriptors differs.

  --calls <n>      sequential calls on one connection (default 100000)
  --cycles <n>     times to connect, call once and close (default 1000)
  --era <era>      modern or legacy alone (default: both)
  --limit <bytes>  how much the heap may grow (default 1048576)
  --client <file>  a module that exports connectStdio (default: dist/stdio.js)`;

const { values: options } = readCommandLine(
  {
    options: {
      calls: { type: 'string', default: '100000' },
      cycles: { type: 'string', default: '1000' },
      era: { type: 'string' },
      limit: { type: 'string', default: '1048576' },
      client: { type: 'string', default: join(here, '..', 'dist', 'stdio.js') },
    },
  },
  usage,
);
if (globalThis.gc === undefined) {
  const again = spawnSync(process.execPath, ['--expose-gc', script, ...process.argv.slice(2)], { stdio: 'inherit' });
  process.exit(again.status ?? 1);
}
const numberOf = (name) => {
  const value = Number(options[name]);
  if (!Number.isInteger(value) || value < 0) refuse(`--${name} must be a whole number`);
  return value;
};
const calls = numberOf('calls');
const cycles = numberOf('cycles');
const limit = numberOf('limit');
const eras = options.era === undefined ? ['modern', 'legacy'] : [options.era];
if (eras.some((era) => era !== 'modern' && era !== 'legacy')) refuse('--era must be modern or legacy');
const clientFile = resolve(options.client);
if (!existsSync(clientFile)) refuse(`${clientFile} is not there: run \`npm run build\` first`);

const { connectStdio } = await import(pathToFileURL(clientFile).href);
// A memory of its own for each connection makes each of them find out the era anew.
const root = join(dirname(clientFile), 'index.js');
const { EraCache } = existsSync(root) ? await import(pathToFileURL(root).href) : {};

/** One signal for every call: each must take its listener back. */
const shared = new AbortController();
const alarms = [];
process.on('warning', (warning) => alarms.push(`warning ${warning.name}: ${warning.message}`));
process.on('uncaughtException', (error) => alarms.push(`uncaught ${error?.stack ?? error}`));
process.on('unhandledRejection', (error) => alarms.push(`unhandled ${error?.stack ?? error}`));

/** A client of the raw server. */
const open = (era, extra) =>
  connectStdio({
    command: process.execPath,
    args: [join(here, 'support', 'raw-server.mjs'), era, 'notices'],
    clientInfo: { name: 'rx-mcp-leaks', version: '1.0.0' },
    logLevel: 'info',
    onWarn: (warning) => alarms.push(`${warning.kind}: ${warning.message}`),
    ...(EraCache === undefined ? {} : { eraCache: new EraCache() }),
    ...extra,
  });

const expectEcho = (result, n) => {
  const text = result?.content?.[0]?.text;
  if (text !== JSON.stringify({ n })) throw new Error(`call ${n} was answered with ${JSON.stringify(result)}`);
};

/** The last value of a cold Observable, by its subscription alone. */
const asPromise = (observable) =>
  new Promise((resolve, reject) => {
    let last;
    observable.subscribe({ next: (value) => (last = value), error: reject, complete: () => resolve(last) });
  });

/** The ways to call, taken in turn. */
const ways = [
  (mcp, args) => mcp.promises.callTool('echo', args, { signal: shared.signal }),
  (mcp, args) => asPromise(mcp.callTool('echo', args)),
  async (mcp, args) => {
    const last = await asPromise(mcp.callTool('echo', args, { observe: 'events' }));
    if (last?.kind !== 'result') throw new Error(`the last event of a call is ${JSON.stringify(last)}`);
    return last.result;
  },
];

const call = async (mcp, n) => expectEcho(await ways[n % ways.length](mcp, { n }), n);

const manyCalls = async (mcp, from, to) => {
  for (let n = from; n < to; n += 1) await call(mcp, n);
};

const cycle = async (era, n) => {
  const mcp = open(era, { onLog: () => undefined });
  const seen = [mcp.logs$, mcp.warnings$, mcp.state$, mcp.notifications$].map((stream$) =>
    // Left to end by itself: close() completes it.
    stream$.subscribe({ error: (error) => alarms.push(`a stream errored: ${error}`) }),
  );
  const server = await mcp.promises.server();
  if (server.era !== era) throw new Error(`connected as ${server.era}, wanted ${era}`);
  await call(mcp, n);
  await mcp.close();
  const unfinished = seen.filter((subscription) => !subscription.closed).length;
  if (unfinished > 0) throw new Error(`${unfinished} streams did not complete at close()`);
};

const rows = [];
const faults = [];
const compare = (what, before, after) => {
  const grown = after.heap.heapUsed - before.heap.heapUsed;
  const kib = (bytes) => `${(bytes / 1024).toFixed(1)} KiB`;
  const fits = grown <= limit;
  rows.push([
    what,
    'heap',
    kib(before.heap.heapUsed),
    kib(after.heap.heapUsed),
    `${kib(grown)} ${fits ? 'ok' : 'FAIL'}`,
  ]);
  if (!fits) faults.push(`${what}: the heap grew by ${grown} bytes`);
  for (const key of ['external', 'arrayBuffers']) {
    rows.push([what, key, kib(before.heap[key]), kib(after.heap[key]), kib(after.heap[key] - before.heap[key])]);
  }
  for (const [key, value] of Object.entries(before.counts)) {
    const same = after.counts[key] === value;
    rows.push([what, key, value, after.counts[key], same ? 'ok' : 'FAIL']);
    if (!same) faults.push(`${what}: ${key} went from ${value} to ${after.counts[key]}`);
  }
};

const timed = async (what, count, work) => {
  const started = performance.now();
  await work();
  const ms = performance.now() - started;
  console.log(
    `${what}: ${count} in ${(ms / 1_000).toFixed(1)} s, ${((ms / Math.max(count, 1)) * 1_000).toFixed(1)} us each`,
  );
};

for (const era of eras) {
  // Everything that loads, compiles or allocates once has done so before the first census.
  for (let n = 0; n < 100; n += 1) await cycle(era, n);
  const idle = await census(shared.signal);

  let logs = 0;
  let reports = 0;
  const mcp = open(era, { onLog: () => (logs += 1), onProgress: () => (reports += 1) });
  await manyCalls(mcp, 0, Math.min(5_000, calls));
  const connected = await census(shared.signal);
  await timed(`${era}, calls on one connection`, calls, () => manyCalls(mcp, 0, calls));
  compare(`${era}, ${calls} calls`, connected, await census(shared.signal, connected));
  const made = calls + Math.min(5_000, calls);
  // Both were there on every call, so that they count among what must not add up.
  if (logs !== made || reports !== made)
    faults.push(`${era}: ${made} calls, ${logs} logs, ${reports} progress reports`);
  await mcp.close();
  compare(`${era}, connected, ${calls} calls, closed`, idle, await census(shared.signal, idle));

  const rested = await census(shared.signal);
  await timed(`${era}, connect, call, close`, cycles, async () => {
    for (let n = 0; n < cycles; n += 1) await cycle(era, n);
  });
  compare(`${era}, ${cycles} cycles`, rested, await census(shared.signal, rested));
}

console.log(`\n${table(['what', 'measure', 'before', 'after', 'verdict'], rows)}\n`);
faults.push(...new Set(alarms));
for (const fault of faults) console.log(`FAIL ${fault}`);
console.log(faults.length === 0 ? 'no leaks' : `${faults.length} leaks or faults`);
process.exitCode = faults.length === 0 ? 0 : 1;
// Unreferenced: it fires only when something else keeps the process alive.
setTimeout(() => {
  console.log(`FAIL the process did not end by itself: ${process.getActiveResourcesInfo().join(', ')}`);
  process.exit(1);
}, 5_000).unref();
