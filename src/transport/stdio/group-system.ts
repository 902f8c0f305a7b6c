import { spawnSync } from 'node:child_process';
import spawn from 'cross-spawn';
import { livingMembers } from './linux-members.js';

/** How a system ends a process together with the ones it started. */
export interface GroupSystem {
  /** True where the ones it started can still be reached after the process itself has ended. */
  readonly outlivesLeader: boolean;
  /** Sends a signal to all of them. False where there was nobody to send it to. Never throws. */
  signal(leader: number, signal: NodeJS.Signals): boolean;
  /** Ends all of them before it returns. Never throws. */
  killNow(leader: number): void;
  /** A question for one group, to be asked as often as needed: does one of them live? Never throws. */
  watch(leader: number): () => boolean;
}

const kill = (pid: number, signal: NodeJS.Signals | 0): boolean => {
  try {
    return process.kill(pid, signal);
  } catch {
    // ESRCH: nobody is there. EPERM: somebody is, whom this process may not signal and need not wait for.
    return false;
  }
};

const inProc = (leader: number): (() => boolean) => {
  const isLiving = livingMembers(leader);
  return () => {
    try {
      return isLiving();
    } catch {
      // No /proc: the signal's own answer has to do.
      return true;
    }
  };
};

/** Process groups: the child leads one of its own, and what it starts is in it unless it leaves. */
export const posixGroups: GroupSystem = {
  outlivesLeader: true,
  signal: (leader, signal) => kill(-leader, signal),
  killNow: (leader) => {
    kill(-leader, 'SIGKILL');
  },
  watch: (leader) => {
    const isLiving = process.platform === 'linux' ? inProc(leader) : () => true;
    return () => kill(-leader, 0) && isLiving();
  },
};

const TASKKILL = (leader: number): string[] => ['/pid', String(leader), '/T', '/F'];

/** The tree below a process, found by its own id: it cannot be found any more once that process has ended. */
export const windowsTrees: GroupSystem = {
  outlivesLeader: false,
  signal: (leader) => {
    const killer = spawn('taskkill', TASKKILL(leader), { stdio: 'ignore', windowsHide: true });
    killer.on('error', () => undefined);
    return true;
  },
  killNow: (leader) => {
    spawnSync('taskkill', TASKKILL(leader), { stdio: 'ignore', windowsHide: true });
  },
  watch: () => () => false,
};

/** The one of the platform this runs on. */
export const groupSystem = (): GroupSystem => (process.platform === 'win32' ? windowsTrees : posixGroups);
