// A raw server for specs about the opening of a connection: `opening.mjs <log file> <JSON>`. The JSON has, for
// `discover` and `initialize`, what becomes of each: a list with one entry for each start of the server, the last of
// which holds for all later starts. It writes its starts, and the requests it reads, to the log file.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [file, given = '{}'] = process.argv.slice(2);
const script = JSON.parse(given);

const starts = existsSync(file)
  ? readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.includes('"pid"')).length
  : 0;
const log = (entry) => appendFileSync(file, `${JSON.stringify(entry)}\n`);
log({ pid: process.pid });

const RESULTS = {
  'server/discover': { supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, resultType: 'complete' },
  initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'raw', version: '1' } },
  'tools/list': { tools: [{ name: 'add', inputSchema: { type: 'object' } }] },
};

const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

const behaviours = {
  answer: ({ id, method }) => say({ id, result: RESULTS[method] }),
  refuse: ({ id, method }) => say({ id, error: { code: -32601, message: `Method not found: ${method}` } }),
  die: ({ method }) => {
    process.stderr.write(`fatal: expected initialize, got ${method} (start ${starts + 1})\n`, () => process.exit(3));
  },
  silence: () => undefined,
};

const behaviourOf = (method) => {
  const list = script[{ 'server/discover': 'discover', initialize: 'initialize' }[method]] ?? ['answer'];
  return behaviours[list[Math.min(starts, list.length - 1)]];
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  log({ start: starts + 1, method: message.method });
  if (message.id !== undefined) behaviourOf(message.method)(message);
});
