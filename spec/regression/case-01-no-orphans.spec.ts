import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { firstValueFrom, map } from 'rxjs';
import { isNotification } from '../../src/jsonrpc/index.js';
import type { StdioParameters } from '../../src/transport/stdio/index.js';
import { allGone, appears, failureOf, isRunning, open, peer, peerLine, request } from '../support/child-processes.js';
import { hold, holdByCopies, startParent } from '../support/parent-processes.js';
import type { Holder } from '../support/parent-processes.js';

jest.setTimeout(60_000);

/** A launcher as npx is one: a node process that waits for the server it started. */
const launcher = (when: string, child: string, count = '1'): StdioParameters => peer('parent', when, child, count);

/** A launcher as a shell is one. What it runs in the background shares its pipes and its group. */
const shell = (script: string): StdioParameters => ({ command: 'sh', args: ['-c', script] });

describe('case 1: close() and the processes a server has started', () => {
  it.each([
    ['a launcher that ends with its stdin and leaves children that would go on', launcher('with-stdin', 'child', '3')],
    ['a launcher that never ends by itself', launcher('stay', 'child', '2')],
    ['a launcher whose children ignore SIGTERM', launcher('stay', 'squat', '2')],
    ['a launcher that ends with its stdin and leaves children that ignore SIGTERM', launcher('with-stdin', 'squat')],
  ])('ends all of %s', async (_what, parameters) => {
    const { transport, told } = await open({ ...parameters, killGraceMs: 100 });
    const { pids } = await told<{ pids: number[] }>('family');
    expect(pids.map(isRunning)).toEqual(pids.map(() => true));
    await transport.close();
    expect([transport.pid, ...pids].map(isRunning)).toEqual([false, ...pids.map(() => false)]);
  });

  it('ends what a shell has put into the background', async () => {
    const script = `${peerLine('squat')} & echo '{"jsonrpc":"2.0","method":"x-test/pid","params":{"pid":'$!'}}'; cat`;
    const { transport, messages$ } = await open({ ...shell(script), killGraceMs: 100 });
    const pid = await firstValueFrom(
      messages$.pipe(map((message) => (isNotification(message) ? (message.params?.['pid'] as number) : 0))),
    );
    expect(isRunning(pid)).toBe(true);
    await transport.close();
    expect([transport.pid, pid].map(isRunning)).toEqual([false, false]);
  });

  it('ends all of it when the subscription ends', async () => {
    const { transport, life, told } = await open({ ...launcher('stay', 'squat'), killGraceMs: 50 });
    const { pids } = await told<{ pids: number[] }>('family');
    life.unsubscribe();
    await allGone(transport.pid, ...pids);
  });

  it('ends what a server that died has left behind', async () => {
    const { messages$, transport, told } = await open({ ...launcher('leave', 'squat', '2'), killGraceMs: 50 });
    const { pids } = await told<{ pids: number[] }>('family');
    transport.send(request(1)).subscribe({ error: () => undefined });
    await failureOf(messages$);
    await allGone(transport.pid, ...pids);
    await transport.close();
  });
});

describe('case 1: the end of this process', () => {
  const servers = [launcher('stay', 'squat', '2'), launcher('with-stdin', 'child'), peer('deaf')];

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'by %s ends every server first, and is still one by that signal',
    async (signal) => {
      const parent = await hold(servers);
      expect(parent.pids).toHaveLength(6);
      expect(parent.pids.map(isRunning)).toEqual(parent.pids.map(() => true));
      parent.process.kill(signal);
      expect(await parent.ended).toMatchObject({ code: null, signal });
      await allGone(...parent.pids);
    },
  );

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'by %s is not lost where its last server has just ended',
    async (signal) => {
      const parent = startParent('told-to-end', signal);
      expect(await parent.line()).toBe('told');
      expect(await parent.ended).toMatchObject({ code: null, signal, stderr: '' });
    },
  );

  it('by process.exit() ends every server, and keeps its code', async () => {
    const parent = await hold(servers);
    parent.process.stdin.write('exit\n');
    expect(await parent.ended).toMatchObject({ code: 5, signal: null });
    await allGone(...parent.pids);
  });

  it('by an uncaught exception ends every server, and is still reported', async () => {
    const parent = await hold(servers);
    parent.process.stdin.write('throw\n');
    expect(await parent.ended).toMatchObject({
      code: 1,
      signal: null,
      stderr: expect.stringContaining('Error: uncaught'),
    });
    await allGone(...parent.pids);
  });

  it('ends every server even where the application throws in a listener of its exit', async () => {
    const parent = await hold(servers, 'throw-at-exit');
    parent.process.stdin.write('exit\n');
    expect(await parent.ended).toMatchObject({ code: 5, stderr: expect.stringContaining('Error: uncaught') });
    await allGone(...parent.pids);
  });

  it('by SIGKILL lets each server see the end of its stdin', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rx-mcp-killed-'));
    const file = join(folder, 'pid');
    const parent = await hold([launcher('with-stdin', 'child'), peer('pid-file', file)]);
    try {
      parent.process.kill('SIGKILL');
      expect(await parent.ended).toMatchObject({ signal: 'SIGKILL' });
      // The launcher, which ends with its stdin, and the witness, which tells and stays.
      await allGone(...parent.pids.slice(0, 1));
      await appears(file);
    } finally {
      for (const pid of parent.pids.filter(isRunning)) process.kill(pid, 'SIGKILL');
      rmSync(folder, { recursive: true });
    }
  });
});

describe('case 1: a signal that the application listens to', () => {
  // None of them ends with its stdin, so that a parent that died would not hide behind a clean close.
  const servers = [launcher('stay', 'squat'), peer('deaf')].map((each) => ({ ...each, killGraceMs: 50 }));

  /** Whatever was done with the signal, it was not the hook that ended anything. */
  const expectToGoOn = async (parent: Holder): Promise<void> => {
    parent.process.kill('SIGINT');
    expect(await parent.line()).toBe('handled');
    expect(parent.pids.map(isRunning)).toEqual(parent.pids.map(() => true));
    parent.process.stdin.end('close\n');
    expect(await parent.line()).toBe('closed');
    expect(await parent.ended).toEqual({ code: 0, signal: null, stderr: '' });
    await allGone(...parent.pids);
  };

  const ways = ['on', 'once', 'take-one', 'prepend-once'];

  it.each(ways)('before the first server (%s) is left to it', async (way) => {
    await expectToGoOn(await hold(servers, way));
  });

  it.each(ways)('after the first server (%s) is left to it', async (way) => {
    const parent = await hold(servers);
    parent.process.stdin.write(`${way}\n`);
    expect(await parent.line()).toBe(`done: ${way}`);
    await expectToGoOn(parent);
  });

  it.each(['once', 'take-one', 'prepend-once'])('only once (%s) ends this process when it comes again', async (way) => {
    const parent = await hold(servers, way);
    parent.process.kill('SIGINT');
    expect(await parent.line()).toBe('handled');
    parent.process.kill('SIGINT');
    expect(await parent.ended).toMatchObject({ code: null, signal: 'SIGINT' });
    await allGone(...parent.pids);
  });

  it('no longer ends this process when it comes', async () => {
    const parent = await hold(servers);
    parent.process.stdin.write('on-and-off\n');
    expect(await parent.line()).toBe('done: on-and-off');
    parent.process.kill('SIGINT');
    expect(await parent.ended).toMatchObject({ code: null, signal: 'SIGINT' });
    await allGone(...parent.pids);
  });

  it('does not stand for another one that it does not listen to', async () => {
    const parent = await hold(servers, 'once');
    parent.process.kill('SIGTERM');
    expect(await parent.ended).toMatchObject({ code: null, signal: 'SIGTERM' });
    await allGone(...parent.pids);
  });
});

describe('case 1: two copies of this module in one process', () => {
  const server = { ...peer('deaf'), killGraceMs: 50 };

  it.each(['esm', 'cjs'] as const)('each end their servers when a signal ends it (%s first)', async (first) => {
    const parent = await holdByCopies(server, first);
    expect(parent.pids.map(isRunning)).toEqual([true, true]);
    parent.process.kill('SIGINT');
    expect(await parent.ended).toMatchObject({ code: null, signal: 'SIGINT' });
    await allGone(...parent.pids);
  });

  it.each(['esm', 'cjs'] as const)('leave a signal to the application (%s first)', async (first) => {
    const parent = await holdByCopies(server, first);
    parent.process.stdin.write('once\n');
    expect(await parent.line()).toBe('done: once');
    parent.process.kill('SIGINT');
    expect(await parent.line()).toBe('handled');
    expect(parent.pids.map(isRunning)).toEqual([true, true]);
    parent.process.stdin.end('close\n');
    expect(await parent.line()).toBe('closed');
    expect(await parent.ended).toEqual({ code: 0, signal: null, stderr: '' });
  });

  it('do not need each other: the one that is left ends its server', async () => {
    const parent = await holdByCopies(server, 'esm');
    parent.process.stdin.write('close-first\n');
    expect(await parent.line()).toBe('closed');
    expect(parent.pids.map(isRunning)).toEqual([false, true]);
    parent.process.kill('SIGINT');
    expect(await parent.ended).toMatchObject({ code: null, signal: 'SIGINT' });
    await allGone(...parent.pids);
  });
});
