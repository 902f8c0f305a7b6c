// What the command tells of a server while it looks on: what happens, and every frame.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { publishedLine, RUN_MS, runCommand, serverLine, startCommand } from '../support/cli/command.js';

const parsed = (out: string) =>
  out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe.each(['modern', 'legacy'])('inspect, on a server of the %s era', (era) => {
  const line = serverLine('workshop-stdio.mjs', era);

  it(
    'shows each frame of handshake, lists and call, in order, and ends with --once',
    async () => {
      const args = ['inspect', '--stdio', line, '--once', '--json', '--call', 'add', 'a=1', 'b=2'];
      const { out, err, code } = await runCommand(args);
      expect({ err, code }).toEqual({ err: '', code: 0 });
      const frames = parsed(out);
      for (const frame of frames)
        expect(frame).toEqual({
          at: expect.stringMatching(/T.*Z$/),
          direction: expect.any(String),
          message: expect.objectContaining({ jsonrpc: '2.0' }),
        });
      const asked = frames.filter(({ direction }) => direction === 'out').map(({ message }) => message.method);
      expect(asked.slice(-5)).toEqual([
        'tools/list',
        'prompts/list',
        'resources/list',
        'resources/templates/list',
        'tools/call',
      ]);
      expect(asked[0]).toBe('server/discover');
      expect(frames.at(-1)).toMatchObject({ direction: 'in', message: { result: { structuredContent: { sum: 3 } } } });
    },
    RUN_MS,
  );

  it(
    'shows the same to people',
    async () => {
      const { out, code } = await runCommand(['inspect', '--stdio', line, '--once']);
      expect(code).toBe(0);
      for (const text of out.trimEnd().split('\n')) expect(text).toMatch(/^\d\d:\d\d:\d\d\.\d{3} (?:->|<-) \{.*\}$/);
    },
    RUN_MS,
  );
});

describe('inspect', () => {
  it(
    'shows what is no message, too',
    async () => {
      const { out } = await runCommand([
        ...['inspect', '--once', '--json', '--stdio'],
        `node ${process.cwd()}/spec/support/children/field-server.mjs banner`,
      ]);
      expect(parsed(out)).toContainEqual({
        at: expect.any(String),
        direction: 'in',
        invalid: expect.any(String),
        excerpt: 'Welcome to field server 1.0!',
      });
    },
    RUN_MS,
  );

  it(
    'ends where the connection does, since nobody would open it again',
    async () => {
      const { err, code } = await runCommand(['inspect', '--stdio', serverLine('bazaar-stdio.mjs'), '--call', 'burn']);
      expect(code).toBe(1);
      expect(err).toMatch(/exited with code 3/);
    },
    RUN_MS,
  );

  it(
    'ends with 1 where what it was to call fails',
    async () => {
      expect(
        (await runCommand(['inspect', '--stdio', serverLine('workshop-stdio.mjs', 'dual'), '--once', '--call', 'fail']))
          .code,
      ).toBe(1);
    },
    RUN_MS,
  );

  it.each([
    [['word'], '"word" is one argument too many'],
    [['--args', '{}'], '--args goes with --call'],
  ])('takes arguments for a call alone: %j', async (words, says) => {
    const { err, code } = await runCommand(['inspect', '--stdio', 'node', ...words]);
    expect({ err, code }).toEqual({ err: `error: ${says}\n`, code: 2 });
  });
});

describe('watch', () => {
  it(
    'tells what a server has, says and logs, a line each',
    async () => {
      const run = startCommand(['watch', '--stdio', publishedLine('mcp-server-everything', 'stdio')]);
      await run.saying('connected legacy');
      await run.saying('echo');
      run.child.kill('SIGTERM');
      const { out } = await run.ended;
      for (const line of out.trimEnd().split('\n'))
        expect(line).toMatch(
          /^\d\d:\d\d:\d\d\.\d{3} (?:state|stderr|tools|prompts|resources|templates|notification|log|warning) /,
        );
      expect(out).toMatch(/ state +idle\n/);
      expect(out).toMatch(/ tools +\d+: .*echo/);
      expect(out).toMatch(/ stderr +\S/);
    },
    RUN_MS,
  );

  it.each(['modern', 'legacy'])(
    'tells of tools that come and go, in the %s era',
    async (form) => {
      const folder = mkdtempSync(join(tmpdir(), 'rx-mcp-watch-'));
      try {
        writeFileSync(join(folder, 'first'), '');
        const run = startCommand(['watch', '--json', '--stdio', serverLine('changing-stdio.mjs', form, folder)]);
        await run.saying('"names":["first"]');
        writeFileSync(join(folder, 'second'), '');
        await run.saying('"added":["second"],"removed":[]');
        rmSync(join(folder, 'first'));
        await run.saying('"added":[],"removed":["first"]');
        run.child.kill('SIGTERM');
        const happenings = parsed((await run.ended).out);
        expect(happenings.filter(({ kind }) => kind === 'state').map(({ status }) => status)).toEqual(
          expect.arrayContaining(['connecting', 'connected']),
        );
        expect(happenings).toContainEqual(
          expect.objectContaining({ kind: 'notification', method: 'notifications/tools/list_changed' }),
        );
        expect(happenings.filter(({ kind }) => kind === 'warning')).toEqual([]);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
    RUN_MS,
  );

  it(
    'ends with 4 where the server cannot be reached',
    async () => {
      const { err, code } = await runCommand(['watch', '--url', 'http://127.0.0.1:1/mcp']);
      expect(code).toBe(4);
      expect(err).toContain('nothing listens there');
    },
    RUN_MS,
  );
});
