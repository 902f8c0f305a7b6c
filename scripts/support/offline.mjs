// Starting a command without network, where the machine allows it.
import { spawnSync } from 'node:child_process';

// The loopback interface is up inside: several servers listen on it. `$0` and `$@` keep every argument as it is.
const wrap = (raise) => ['sh', '-c', `${raise}; exec "$0" "$@"`];

const candidates = [
  { flags: ['-n'], raise: 'ip link set lo up', loopback: true },
  { flags: ['-rn'], raise: 'ip link set lo up', loopback: true },
  { flags: ['-rn'], raise: 'ifconfig lo up', loopback: true },
  { flags: ['-rn'], raise: ':', loopback: false },
];

/**
 * Finds out once whether this machine can start a process in a network of its own. Returns `{ used, says, wrap }`;
 * `wrap(command, args)` is what to start instead (the same, where it cannot).
 */
export const findOffline = () => {
  for (const { flags, raise, loopback } of process.platform === 'linux' ? candidates : []) {
    const [shell, ...rest] = wrap(raise);
    const test = spawnSync('unshare', [...flags, shell, ...rest, 'true'], { stdio: ['ignore', 'ignore', 'pipe'] });
    const complaint = String(test.stderr ?? '');
    if (test.status !== 0 || complaint !== '') continue;
    return {
      used: true,
      says: `no network (unshare ${flags.join(' ')}, loopback ${loopback ? 'up' : 'down'})`,
      wrap: (command, args) => ({ command: 'unshare', args: [...flags, shell, ...rest, command, ...args] }),
    };
  }
  return {
    used: false,
    says: 'with network: unshare is not there or not allowed',
    wrap: (command, args) => ({ command, args }),
  };
};
