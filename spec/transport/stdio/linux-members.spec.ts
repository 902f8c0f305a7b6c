import { spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

  onLinux('is not misled by what a process is called', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rx-mcp-name-'));
    const program = join(folder, 'a) Z 1 (b');
    copyFileSync('/bin/sh', program);
    const child = spawn(program, ['-c', 'echo started; read line'], {
      detached: true,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    try {
      await once(child.stdout, 'data');
      expect(livingMembers(child.pid as number)()).toBe(true);
    } finally {
      child.stdin.end();
      await once(child, 'close');
      rmSync(folder, { recursive: true });
    }
    expect(livingMembers(child.pid as number)()).toBe(false);
  });
});
