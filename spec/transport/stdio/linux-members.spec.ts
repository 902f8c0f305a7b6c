import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { livingMembers } from '../../../src/transport/stdio/linux-members.js';

const onLinux = process.platform === 'linux' ? it : it.skip;

describe('livingMembers', () => {
  onLinux('sees members that outlive the leader, and does not see those that nobody has collected', async () => {
    const leader = spawn('sh', ['-c', 'sleep 1000 & echo started'], {
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await once(leader.stdout, 'data');
    if (leader.exitCode === null) await once(leader, 'exit');
    const isLiving = livingMembers(leader.pid as number);
    expect(isLiving()).toBe(true);
    expect(isLiving()).toBe(true);
    process.kill(-(leader.pid as number), 'SIGKILL');
    await once(leader, 'close');
    // The pipe may close a moment before the process counts as ended.
    while (isLiving()) await new Promise((resolve) => setImmediate(resolve));
  });

  onLinux('says no for a group that does not exist', () => {
    expect(livingMembers(2 ** 30)()).toBe(false);
  });
});
