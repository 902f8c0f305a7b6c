import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { groupSystem, posixGroups, windowsTrees } from '../../../src/transport/stdio/group-system.js';

const onPosix = process.platform === 'win32' ? describe.skip : describe;

/** Nobody's number: none is as large. */
const NOBODY = 2 ** 30;

onPosix('process groups', () => {
  it('are how this platform ends a process with what it started, after its own end, too', () => {
    expect(groupSystem()).toBe(posixGroups);
    expect(posixGroups.outlivesLeader).toBe(true);
  });

  it('get a signal as a whole, and live until nobody in them does', async () => {
    const leader = spawn('sh', ['-c', 'sleep 1000 & echo started; wait'], {
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const pid = leader.pid as number;
    await once(leader.stdout, 'data');
    const isLiving = posixGroups.watch(pid);
    expect(isLiving()).toBe(true);
    expect(posixGroups.signal(pid, 'SIGTERM')).toBe(true);
    // Both hold the pipe: it closes when neither lives.
    await once(leader, 'close');
    expect(leader.signalCode).toBe('SIGTERM');
    while (isLiving()) await new Promise((resolve) => setImmediate(resolve));
  });

  it('are killed at once', async () => {
    const leader = spawn('sh', ['-c', 'trap "" TERM; sleep 1000 & echo started; wait'], {
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await once(leader.stdout, 'data');
    posixGroups.killNow(leader.pid as number);
    await once(leader, 'close');
    expect(leader.signalCode).toBe('SIGKILL');
  });

  it('that nobody is in take no signal, do not live, and are no error', () => {
    expect(posixGroups.signal(NOBODY, 'SIGTERM')).toBe(false);
    expect(posixGroups.watch(NOBODY)()).toBe(false);
    posixGroups.killNow(NOBODY);
  });
});

// Where there is no program that ends them, as here.
onPosix('the trees of Windows', () => {
  it('are out of reach once their process has ended, and nothing is asked after', () => {
    expect(windowsTrees.outlivesLeader).toBe(false);
    expect(windowsTrees.watch(42)()).toBe(false);
  });

  it('are let be where there is nothing to end them with, which is told to nobody', async () => {
    windowsTrees.killNow(NOBODY);
    expect(windowsTrees.signal(NOBODY, 'SIGTERM')).toBe(true);
    // The failure comes in a turn of its own.
    await once(spawn('no-such-program-anywhere'), 'error');
  });
});
