// The command, interrupted: at a terminal by Ctrl-C, elsewhere by signals. Whatever it has started is gone then.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { allGone, isRunning } from '../support/child-processes.js';
import {
  describeAtTerminal,
  type Run,
  RUN_MS,
  serverLine,
  startAtTerminal,
  startCommand,
} from '../support/cli/command.js';
import { serve } from '../support/http/loopback.js';
import { until } from '../support/http/turns.js';
import { webHandler } from '../support/http/web.js';
import { createOfficialHttp } from '../support/servers/official-http.mjs';
import { createAncestorHttp } from '../support/servers/sdk-1-http.mjs';

/** Windows has no signals that a process could handle. */
const describeWithSignals = process.platform === 'win32' ? describe.skip : describe;

let folder: string;
let journal: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rx-mcp-interrupt-'));
  journal = join(folder, 'journal');
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const lines = (): readonly string[] => readFileSync(journal, 'utf8').trimEnd().split('\n');

/** The processes of the server that was started last. */
const pids = (): readonly number[] => {
  const [line = ''] = lines()
    .filter((one) => one.startsWith('pids '))
    .slice(-1);
  return line.split(' ').slice(1).map(Number);
};

const waiting = (...habit: readonly string[]): readonly string[] => [
  'call',
  '--stdio',
  serverLine('slow-stdio.mjs', journal, ...habit),
  'wait',
];

/** A call that the server has begun: it reports once. */
const begun = async (run: Run): Promise<readonly number[]> => {
  await run.saying('waiting');
  const started = pids();
  expect(started.map(isRunning)).toEqual([true, true]);
  return started;
};

describeAtTerminal('Ctrl-C while a tool runs', () => {
  it(
    'has the server told, ends with 130, and leaves no process',
    async () => {
      const run = startAtTerminal(waiting());
      const started = await begun(run);
      run.type('\u0003');
      const { out, code } = await run.ended;
      expect(code).toBe(130);
      expect(out).toMatch(/cancelled\r\n$/);
      // The cursor, which the bar has hidden, is there again.
      expect(out.lastIndexOf('\u001b[?25h')).toBeGreaterThan(out.lastIndexOf('\u001b[?25l'));
      expect(lines().slice(-2)).toEqual(['started', 'cancelled']);
      await allGone(...started);
    },
    RUN_MS,
  );

  it(
    'ends at once when it comes again, and leaves no process either',
    async () => {
      const run = startAtTerminal(waiting('stubborn'));
      const started = await begun(run);
      run.type('\u0003');
      // The server is told of the first; it does not end, and the second does not wait for it.
      while (!lines().includes('cancelled')) await new Promise((resolve) => setImmediate(resolve));
      run.type('\u0003');
      expect((await run.ended).code).toBe(130);
      await allGone(...started);
    },
    RUN_MS,
  );
});

describeWithSignals.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s without a terminal', (signal, exitCode) => {
  it(
    'has the server told, ends with the code that belongs to it, and leaves no process',
    async () => {
      const run = startCommand([...waiting(), '--verbose']);
      const started = await begun(run);
      run.child.kill(signal);
      const { out, err, code } = await run.ended;
      expect({ out, code }).toEqual({ out: '', code: exitCode });
      expect(err).toMatch(/cancelled\n$/);
      expect(lines().slice(-2)).toEqual(['started', 'cancelled']);
      await allGone(...started);
    },
    RUN_MS,
  );

  it.each(['watch', 'inspect'])(
    'ends %s, which has nothing to cancel, as well',
    async (name) => {
      const run = startCommand([name, '--stdio', serverLine('slow-stdio.mjs', journal), '--json']);
      await run.saying(name === 'watch' ? '"tools"' : '"tools":[');
      const started = pids();
      run.child.kill(signal);
      const { out, err, code } = await run.ended;
      expect({ err, code }).toEqual({ err: '', code: exitCode });
      for (const line of out.trimEnd().split('\n')) expect(JSON.parse(line)).toHaveProperty('at');
      await allGone(...started);
    },
    RUN_MS,
  );
});

describeWithSignals('a signal while a tool of a server behind a URL runs', () => {
  it(
    'hangs up on a modern server',
    async () => {
      const journal: string[] = [];
      const { url } = await serve(webHandler(createOfficialHttp('modern', journal).fetch));
      const run = startCommand(['call', '--url', url, '--verbose', 'wait', 'id=it']);
      await run.saying('progress 1');
      run.child.kill('SIGINT');
      expect(await run.ended).toMatchObject({ out: '', code: 130 });
      await until(() => journal.includes('it aborted'));
    },
    RUN_MS,
  );

  it(
    'gives a legacy server notice, and ends the session',
    async () => {
      const journal: string[] = [];
      const { url } = await serve(webHandler(createAncestorHttp({ journal }).fetch));
      const run = startCommand(['call', '--url', url, '--verbose', 'count', 'to=0']);
      await until(() => journal.includes('started'));
      run.child.kill('SIGINT');
      expect(await run.ended).toMatchObject({ out: '', code: 130 });
      await until(() => journal.includes('aborted') && journal.includes('session ended'));
    },
    RUN_MS,
  );
});
