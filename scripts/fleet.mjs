#!/usr/bin/env node
// Meets a fleet of published servers: installs each into a scratch folder, connects, lists, closes, and looks for
// processes left behind. See `--help`.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { attempt, readCommandLine, refuse } from './support/command-line.mjs';
import { install } from './support/fleet-install.mjs';
import { findOffline } from './support/offline.mjs';
import { keyOf, marked, processes } from './support/processes.mjs';
import { table } from './support/table.mjs';

const here = dirname(fileURLToPath(import.meta.url));

const usage = `npm run fleet -- <file> [options]

<file> is a JSON array; each entry is
  { "id", "package", "start": { "command", "args"?, "env"?, "cwd"? }, "era", "version", "tools", "prompts"?, "resources"? }
where $PKG in "start" becomes the folder the package is installed in and $WORK an empty folder, and the rest is what was
recorded of that server. "version" is what it answers to initialize; it is compared where the era is legacy.

  --cache <dir>      keep the installed packages here (default: a fresh folder under the temporary one, removed at the end)
  --only <id,id>     these entries alone
  --concurrency <n>  how many at once (default 2)
  --timeout <s>      how long one call may take (default 60); an install has ten minutes
  --need <n>         exit 0 when at least this many pass (default: all)
  --seed <dir>       what is in <dir>/<id> is copied into that entry's $WORK first (a configuration it cannot start without)
  --install-only     install, start nothing
  --client <file>    a module that exports connectStdio (default: dist/stdio.js)
  --network          let the servers have network even where they could be started without
  --report <file>    write everything that was seen as JSON`;

/** What an entry gets for closing and ending, on top of its calls. */
const closeAllowanceMs = 10_000;

/** How long what left its server's group may live on. */
const detachedGraceMs = 10_000;

const readOptions = () => {
  const { values, positionals } = readCommandLine(
    {
      allowPositionals: true,
      options: {
        cache: { type: 'string' },
        only: { type: 'string' },
        concurrency: { type: 'string', default: '2' },
        timeout: { type: 'string', default: '60' },
        need: { type: 'string' },
        seed: { type: 'string' },
        'install-only': { type: 'boolean', default: false },
        client: { type: 'string', default: join(here, '..', 'dist', 'stdio.js') },
        network: { type: 'boolean', default: false },
        report: { type: 'string' },
      },
    },
    usage,
  );
  if (positionals.length !== 1) refuse(`exactly one file is needed\n\n${usage}`);
  const number = (name, least) => {
    const value = Number(values[name]);
    if (!Number.isFinite(value) || value < least) refuse(`--${name} must be a number of at least ${least}`);
    return value;
  };
  return {
    ...values,
    file: resolve(positionals[0]),
    client: resolve(values.client),
    concurrency: number('concurrency', 1),
    timeoutMs: number('timeout', 1) * 1_000,
    need: values.need === undefined ? undefined : number('need', 0),
  };
};

const readFleet = (file, only) => {
  const fleet = attempt(() => JSON.parse(readFileSync(file, 'utf8')));
  if (!Array.isArray(fleet) || fleet.length === 0) refuse(`${file} is no JSON array of entries`);
  for (const entry of fleet) {
    // The id names a folder.
    if (!/^[\w.-]+$/.test(entry.id ?? '') || typeof entry.start?.command !== 'string') {
      refuse(`an entry without a plain id or a start.command: ${JSON.stringify(entry).slice(0, 200)}`);
    }
  }
  if (only === undefined) return fleet;
  const wanted = only.split(',');
  const unknown = wanted.filter((id) => !fleet.some((entry) => entry.id === id));
  if (unknown.length > 0) refuse(`--only names no entry of the file: ${unknown.join(', ')}`);
  return fleet.filter((entry) => wanted.includes(entry.id));
};

const substitute = (value, places) => {
  if (typeof value === 'string') return value.replaceAll('$PKG', places.pkg).replaceAll('$WORK', places.work);
  if (Array.isArray(value)) return value.map((item) => substitute(item, places));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, substitute(item, places)]));
};

/** npm marks what a package names under `bin` alone as executable; an entry may start another file of it. */
const makeExecutable = (command, pkg) => {
  if (!command.startsWith(`${pkg}/`)) return;
  try {
    accessSync(command, constants.X_OK);
  } catch {
    if (existsSync(command)) chmodSync(command, 0o755);
  }
};

/** Runs the entry's own process. Resolves to its report, or to `{ crash }`; it is stopped when it takes too long. */
const runEntry = (order, limitMs) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [join(here, 'support', 'fleet-entry.mjs')], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let out = '';
    let err = '';
    let reported;
    let stopped;
    const stop = (why) => {
      stopped = why;
      child.kill('SIGKILL');
    };
    let timer = setTimeout(() => stop(`not done after ${limitMs} ms`), limitMs);
    child.stdout.on('data', (chunk) => {
      out += chunk;
      if (reported !== undefined || !out.includes('\n')) return;
      reported = performance.now();
      clearTimeout(timer);
      timer = setTimeout(() => stop('did not end by itself after close()'), 5_000);
    });
    child.stderr.on('data', (chunk) => (err += chunk));
    child.stdin.on('error', () => undefined); // it crashed before it read the order; its exit says so
    child.on('error', (error) => {
      clearTimeout(timer);
      resolve({ crash: String(error) });
    });
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      const crash =
        stopped ?? (code === 0 ? undefined : `ended with ${signal ?? code}: ${err.trim().split('\n').slice(-1)[0]}`);
      const lingerMs = reported === undefined ? undefined : Math.round(performance.now() - reported);
      try {
        resolve({ ...JSON.parse(out.split('\n')[0]), crash, lingerMs });
      } catch {
        resolve({ crash: crash ?? `said nothing: ${err.trim().slice(0, 300)}` });
      }
    });
    child.stdin.end(JSON.stringify(order));
  });

const kill = ({ pid }) => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // ended meanwhile
  }
};

/**
 * Sorts what the entry's own process saw alive after close(). Of the server's group nothing may be. What left the
 * group on purpose, an update check for instance, is out of any client's reach: it has some time to end by itself.
 */
const settleRemains = async (trace, seen) => {
  const reported = seen.left ?? [];
  const left = reported.filter(({ detached }) => !detached);
  left.forEach(kill);
  const started = performance.now();
  let alive = marked(trace);
  while (alive.length > 0 && performance.now() - started < detachedGraceMs) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    alive = marked(trace);
  }
  alive.forEach(kill);
  seen.left = [...left, ...alive.filter(({ pid }) => !left.some((other) => other.pid === pid))];
  if (reported.length > left.length && alive.length === 0) {
    seen.detached = `${reported.length - left.length} processes that left the group ended by themselves within ${Math.ceil((performance.now() - started) / 1_000)} s`;
  }
};

const countOf = (got, recorded) =>
  got === undefined ? '-' : got === recorded || recorded === undefined ? String(got) : `${got}/${recorded}`;

const judge = (entry, seen) => {
  const faults = [];
  const notes = [];
  if (seen.serverError !== undefined) faults.push(`server(): ${seen.serverError}`);
  if (seen.toolsError !== undefined) faults.push(`listTools(): ${seen.toolsError}`);
  if (seen.promptsError !== undefined) notes.push(`listPrompts(): ${seen.promptsError}`);
  if (seen.resourcesError !== undefined) notes.push(`listResources(): ${seen.resourcesError}`);
  if (seen.era !== undefined && seen.era !== entry.era) faults.push(`era ${seen.era}, recorded ${entry.era}`);
  // What was recorded is the answer to initialize, which a modern connection never sends.
  if (seen.version !== undefined && seen.era === 'legacy' && entry.era === 'legacy' && seen.version !== entry.version) {
    faults.push(`version ${seen.version}, recorded ${entry.version}`);
  }
  if (seen.tools !== undefined && seen.tools !== entry.tools)
    faults.push(`${seen.tools} tools, recorded ${entry.tools}`);
  if (seen.prompts !== undefined && entry.prompts !== undefined && seen.prompts !== entry.prompts) {
    notes.push(`${seen.prompts} prompts, recorded ${entry.prompts}`);
  }
  if (seen.resources !== undefined && entry.resources !== undefined && seen.resources !== entry.resources) {
    notes.push(`${seen.resources} resources, recorded ${entry.resources}`);
  }
  if (seen.closeError !== undefined) faults.push(`close(): ${seen.closeError}`);
  for (const left of seen.left ?? []) faults.push(`left over: ${left.pid} ${left.command.slice(0, 80)}`);
  for (const alarm of seen.alarms ?? []) faults.push(alarm);
  if (seen.crash !== undefined) faults.push(seen.crash);
  if (seen.detached !== undefined) notes.push(seen.detached);
  if (seen.retried) notes.push(faults.length === 0 ? 'needed its install scripts' : 'with its install scripts as well');
  const warnings = Object.entries(seen.warnings ?? {}).map(([kind, count]) => `${count} x ${kind}`);
  if (warnings.length > 0) notes.push(`warnings: ${warnings.join(', ')}`);
  return { pass: faults.length === 0, reason: [...faults, ...notes].join('; ').replace(/\s+/g, ' ') };
};

const options = readOptions();
const fleet = readFleet(options.file, options.only);
if (!options['install-only'] && !existsSync(options.client)) {
  refuse(`${options.client} is not there: run \`npm run build\` first`);
}
const cache = options.cache === undefined ? mkdtempSync(join(tmpdir(), 'rx-mcp-fleet-')) : resolve(options.cache);
const offline = options.network
  ? { says: 'with network, as asked', wrap: (command, args) => ({ command, args }) }
  : findOffline();
const run = randomUUID();

const start = async (entry, folder) => {
  const places = { pkg: join(folder, 'pkg'), work: join(folder, 'work') };
  const home = join(folder, 'home');
  for (const place of [places.work, home]) {
    rmSync(place, { recursive: true, force: true, maxRetries: 3 });
    mkdirSync(place, { recursive: true });
  }
  const seed = options.seed === undefined ? undefined : join(resolve(options.seed), entry.id);
  if (seed !== undefined && existsSync(seed)) cpSync(seed, places.work, { recursive: true });
  const { command, args = [], env = {}, cwd } = substitute(entry.start, places);
  makeExecutable(command, places.pkg);
  const marker = `${entry.id}.${run}`;
  const trace = { marker: `RX_MCP_FLEET=${marker}`, folder, known: (processes() ?? []).map(keyOf) };
  const seen = await runEntry(
    {
      client: options.client,
      timeoutMs: options.timeoutMs,
      trace,
      parameters: {
        ...offline.wrap(command, args),
        cwd: cwd ?? places.work,
        // A home of its own: what a server keeps or finds there would make one run differ from the next.
        env: { HOME: home, USERPROFILE: home, ...env, RX_MCP_FLEET: marker },
        clientInfo: { name: 'rx-mcp-fleet', version: '1.0.0' },
        requestTimeoutMs: options.timeoutMs,
      },
    },
    options.timeoutMs * 4 + closeAllowanceMs,
  );
  if (processes() !== undefined) await settleRemains(trace, seen);
  return seen;
};

const meet = async (entry) => {
  const folder = join(cache, entry.id);
  mkdirSync(folder, { recursive: true });
  const installed = entry.package === undefined ? { ok: true } : await install({ name: entry.package, folder });
  if (!installed.ok) return { stage: 'install', pass: false, reason: `install: ${installed.reason}` };
  if (options['install-only']) return { stage: 'install', pass: true, reason: `installed in ${installed.ms} ms` };
  let seen = await start(entry, folder);
  if (seen.serverError !== undefined && installed.scripts === false) {
    const again = await install({ name: entry.package, folder, scripts: true });
    if (again.ok) seen = { ...(await start(entry, folder)), retried: true };
  }
  return { stage: 'run', ...seen, ...judge(entry, seen) };
};

console.log(`${fleet.length} servers; ${offline.says}; packages in ${cache}`);
if (processes() === undefined) console.log('no /proc here: processes left over are not looked for');
const results = new Map();
const queue = [...fleet];
const work = async () => {
  for (let entry = queue.shift(); entry !== undefined; entry = queue.shift()) {
    const result = await meet(entry).catch((error) => ({ pass: false, reason: `this script failed: ${error}` }));
    results.set(entry.id, result);
    console.log(
      `[${results.size}/${fleet.length}] ${entry.id}: ${result.pass ? 'pass' : `FAIL ${result.reason.slice(0, 160)}`}`,
    );
  }
};
await Promise.all(Array.from({ length: options.concurrency }, work));

const rows = fleet.map((entry) => {
  const seen = results.get(entry.id);
  return [
    entry.id,
    seen.era ?? '-',
    seen.version ?? '-',
    seen.tools === undefined ? `-/${entry.tools}` : `${seen.tools}/${entry.tools}`,
    countOf(seen.prompts, entry.prompts),
    countOf(seen.resources, entry.resources),
    seen.ms ?? '-',
    seen.closeMs ?? '-',
    seen.left === undefined ? '-' : seen.left.length,
    seen.pass ? 'pass' : 'FAIL',
    seen.reason,
  ];
});
const heading = [
  'id',
  'era',
  'version',
  'tools',
  'prompts',
  'resources',
  'ms',
  'close ms',
  'left',
  'verdict',
  'reason',
];
console.log(`\n${table(heading, rows)}\n`);
if (options.report !== undefined)
  writeFileSync(options.report, `${JSON.stringify(Object.fromEntries(results), undefined, 2)}\n`);
if (options.cache === undefined) rmSync(cache, { recursive: true, force: true, maxRetries: 3 });
const passed = rows.filter((row) => row[9] === 'pass').length;
console.log(`${passed} passed, ${rows.length - passed} failed`);
process.exitCode = passed >= Math.min(options.need ?? rows.length, rows.length) ? 0 : 1;
