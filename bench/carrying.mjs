// What one process carries: so many clients that do nothing, or hold a call or a live list, and what each takes. Each row is
// a fresh process; see docs/scaling.md.
//
//   npm run build && npm run bench:carrying            # all rows: a minute
//   npm run bench:carrying -- http                     # that row alone
//   npm run bench:carrying -- stdio --count 1000       # so many clients in place of what the row has
import { execFile } from 'node:child_process';
import { readdirSync, existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { attempt } from '../scripts/support/command-line.mjs';
import { markdown, short } from './support/markdown.mjs';

const rows = {
  memory: ['in memory, idle', 10_000],
  http: ['over HTTP, idle', 5_000],
  'http-call': ['over HTTP, a call under way', 5_000],
  'http-list': ['over HTTP, a live list', 1_000],
  stdio: ['over stdio, idle', 100],
};
const usage = `npm run bench:carrying -- [${Object.keys(rows).join('] [')}] [--count <n>]`;

const readArguments = () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { count: { type: 'string' }, sample: { type: 'boolean' }, help: { type: 'boolean' } },
  });
  const unknown = positionals.find((name) => !Object.hasOwn(rows, name));
  if (unknown !== undefined) throw new Error(`there is no row '${unknown}'`);
  const names = Object.keys(rows).filter((name) => positionals.length === 0 || positionals.includes(name));
  const count = values.count === undefined ? undefined : Number(values.count);
  if (count !== undefined && !(Number.isInteger(count) && count > 0))
    throw new Error('--count must be a whole number above 0');
  return { names, count, isSample: values.sample === true, wantsHelp: values.help === true };
};

/** How many descriptors this process has; where `/proc` tells it. */
const descriptors = () => (existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd').length : NaN);

const opened = {
  memory: async () => {
    const { connectInMemory } = await import('../dist/index.js');
    const { serverOf } = await import('./servers/in-memory.mjs');
    return { connect: () => connectInMemory(serverOf({ era: 'modern' })), end: () => undefined };
  },
  http: async () => {
    const { connectHttp } = await import('../dist/index.js');
    const { startServer } = await import('./servers/start-http.mjs');
    const { url, close } = await startServer('holding.mjs');
    return { connect: () => connectHttp({ url }), end: close };
  },
  stdio: async () => {
    const { connectStdio } = await import('../dist/stdio.js');
    const { stdioCommand } = await import('./servers/stdio-command.mjs');
    return { connect: () => connectStdio(stdioCommand({ era: 'modern' })), end: () => undefined };
  },
};

/** What each client goes on doing, once it has called; resolves when that is under way. */
const kept = {
  'http-call': (client, ended) => {
    ended.push(client.promises.callTool('hold').catch(() => undefined));
  },
  'http-list': (client) =>
    new Promise((resolve, reject) => {
      client.tools$.subscribe({ next: resolve, error: reject });
    }),
};

const sample = async (name, count) => {
  const { heap } = await import('./support/measure.mjs');
  const { connect, end } = await opened[name.split('-')[0]]();
  const ended = [];
  const start = async () => {
    const client = connect();
    await client.promises.callTool('echo', { text: '' });
    await kept[name]?.(client, ended);
    return client;
  };
  // What is loaded and compiled once is none of theirs.
  await (await start()).close();
  const before = { heap: await heap(), rss: process.memoryUsage().rss, descriptors: descriptors() };
  const cpu = process.cpuUsage();
  const clients = [];
  for (let n = 0; n < count; n += 1) clients.push(await start());
  const { user, system } = process.cpuUsage(cpu);
  const now = { heap: await heap(), rss: process.memoryUsage().rss, descriptors: descriptors() };
  // One that has called first and waits answers like one that has just begun.
  for (const client of [clients[0], clients[count - 1]]) await client.promises.callTool('echo', { text: '' });
  const began = performance.now();
  await Promise.all(clients.map((client) => client.close()));
  const closed = performance.now() - began;
  await Promise.all(ended);
  await end();
  const each = (what) => (now[what] - before[what]) / count;
  return {
    heap: each('heap') / 1_024,
    rss: (now.rss - before.rss) / 1_048_576,
    descriptors: each('descriptors'),
    cpu: (user + system) / count / 1_000,
    closed,
  };
};

const { names, count, isSample, wantsHelp } = attempt(readArguments, `\n\n${usage}`);
if (wantsHelp) console.log(usage);
else if (isSample) console.log(JSON.stringify(await sample(names[0], count)));
else {
  const table = [];
  for (const name of names) {
    const [title, usual] = rows[name];
    const many = count ?? usual;
    const args = ['--expose-gc', fileURLToPath(import.meta.url), name, '--sample', '--count', String(many)];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const found = JSON.parse(stdout);
    table.push([
      title,
      short(many),
      `${short(found.heap)} KB`,
      Number.isNaN(found.descriptors) ? '' : short(found.descriptors),
      `${short(found.cpu)} ms`,
      `${short(found.rss)} MB`,
      `${short(found.closed)} ms`,
    ]);
  }
  const heading = [
    'clients',
    'how many',
    'heap each',
    'descriptors each',
    'CPU to connect and call',
    'memory of all',
    'closed in',
  ];
  console.log(markdown(heading, table));
}
