// A raw peer for the specs of the stdio transport: `peer.mjs <behaviour> [arguments]`.
// What it has to tell it tells as notifications whose method begins with `x-test/`.
import { spawn } from 'node:child_process';
import { closeSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [behaviour, ...given] = process.argv.slice(2);

const write = (fd, text) => {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(fd, rest));
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
};
const tell = (method, params) =>
  write(1, `${JSON.stringify({ jsonrpc: '2.0', method: `x-test/${method}`, params })}\n`);
const stay = () => setInterval(() => undefined, 1_000_000);
const onLine = (next) => createInterface({ input: process.stdin }).on('line', next);
const answer = (line, result) => {
  const { id } = JSON.parse(line);
  if (id !== undefined) write(1, `${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
};

const behaviours = {
  // Sends every line back; ends with its stdin.
  echo: () => process.stdin.pipe(process.stdout),

  // Answers every request with what was sent and a fact about this process.
  facts: () => onLine((line) => answer(line, { cwd: process.cwd(), env: process.env, argv: given, pid: process.pid })),

  // Writes these texts as they are to stdout, then waits for the end of its stdin.
  say: () => {
    for (const text of given) write(1, text);
    process.stdin.resume();
  },

  // On the first line: writes a text to stderr and another to stdout, and ends with a code.
  quit: () => {
    const [code, stderr = '', stdout = ''] = given;
    onLine(() => {
      write(1, stdout);
      write(2, stderr);
      process.exit(Number(code));
    });
  },

  // Ends at once, reading nothing.
  flee: () => process.exit(Number(given[0])),

  // Ends by a signal of its own on the first line.
  'kill-self': () => onLine(() => process.kill(process.pid, given[0])),

  // Outlives the end of its stdin and SIGTERM.
  deaf: () => {
    process.on('SIGTERM', () => write(2, 'got SIGTERM\n'));
    process.stdin.on('end', () => write(2, 'stdin ended\n')).resume();
    stay();
    tell('ready', { pid: process.pid });
  },

  // Outlives the end of its stdin, ends on SIGTERM.
  polite: () => {
    process.on('SIGTERM', () => {
      write(2, 'got SIGTERM\n');
      process.exit(0);
    });
    process.stdin.on('end', () => write(2, 'stdin ended\n')).resume();
    stay();
    tell('ready', { pid: process.pid });
  },

  // Writes its id to a file when its stdin ends, and outlives that.
  'pid-file': () => {
    process.stdin
      .on('end', () => {
        writeFileSync(`${given[0]}.part`, String(process.pid));
        renameSync(`${given[0]}.part`, given[0]);
      })
      .resume();
    stay();
    tell('ready', { pid: process.pid });
  },

  // Closes its stdout on the first line and lives.
  'close-stdout': () => {
    onLine(() => closeSync(1));
    stay();
    tell('ready', { pid: process.pid });
  },

  // Closes its stdin and lives.
  'close-stdin': () => {
    closeSync(0);
    stay();
    tell('ready', { pid: process.pid });
  },

  // Starts children, as npx does, and tells their ids; each sits on the pipes it inherits. `leave` ends this one at once,
  // `stay` never, `with-stdin` at the end of its stdin.
  parent: () => {
    const [when, child, count = '1', detached = ''] = given;
    const pids = Array.from({ length: Number(count) }, () => {
      const options = { stdio: ['ignore', 'inherit', 'inherit'], detached: detached === 'detached' };
      return spawn(process.execPath, [process.argv[1], child], options).pid;
    });
    tell('family', { pids });
    if (when === 'stay') stay();
    if (when === 'stay') process.stdin.resume();
    if (when === 'with-stdin') process.stdin.on('end', () => process.exit(0)).resume();
    if (when === 'leave') onLine(() => process.exit(3));
  },

  // Lives on, whatever happens to its parent or its pipes.
  squat: () => {
    process.on('SIGTERM', () => undefined);
    stay();
  },

  // Lives on until SIGTERM.
  child: () => stay(),

  // Writes so many MiB to stderr on every line, then answers it. With `one-line` there is no line break in them.
  'flood-stderr': () => {
    const [mebibytes, how] = given;
    const line = how === 'one-line' ? 'x'.repeat(1_024) : `${'x'.repeat(1_023)}\n`;
    onLine((received) => {
      for (let count = 0; count < Number(mebibytes); count += 1) write(2, line.repeat(1_024));
      answer(received, { written: Number(mebibytes) });
    });
  },

  // Answers a request with a text of so many bytes; `last` puts the id at the end, as many servers do.
  big: () => {
    const [order] = given;
    onLine((received) => {
      const { id, params } = JSON.parse(received);
      const result = { text: 'é'.repeat(params.size / 2) };
      const body = order === 'last' ? { result, jsonrpc: '2.0', id } : { jsonrpc: '2.0', id, result };
      write(1, `${JSON.stringify(body)}\n`);
    });
  },
};

behaviours[behaviour]();
