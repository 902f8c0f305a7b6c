/*
 * Opens and closes many connections, of each kind given, and prints what this process holds before and after:
 * `cycles.ts <count> <kind>`.
 */
import { readFileSync, readdirSync } from 'node:fs';
import type { StdioParameters, StdioTransport } from '../../../src/transport/stdio/index.js';
import { stdioConnector } from '../../../src/transport/stdio/index.js';

const [count = '0', kind = ''] = process.argv.slice(2);

const kinds: Record<string, StdioParameters> = {
  closed: { command: 'cat' },
  unsubscribed: { command: 'cat' },
  died: { command: 'false' },
  failed: { command: 'no-such-program-anywhere' },
};

/** One life, to its end. */
const cycle = (): Promise<void> =>
  new Promise((resolve) => {
    const life = stdioConnector(kinds[kind] as StdioParameters)().subscribe({
      next: (transport) => {
        const end = (): void => {
          life.unsubscribe();
          void transport.close().then(resolve);
        };
        transport.send({ jsonrpc: '2.0', id: 1, method: 'x-test/cycle' }).subscribe({ error: () => undefined });
        transport.stderr$?.subscribe({ error: () => undefined });
        transport.inbound$.subscribe({
          next: () => (kind === 'unsubscribed' ? end() : void (transport as StdioTransport).close().then(resolve)),
          error: end,
        });
      },
      // A start that failed has ended already.
      error: () => setImmediate(resolve),
    });
  });

/** What only Linux tells; elsewhere it is the same before and after. */
const onLinux = <T>(look: () => T): T | string => (process.platform === 'linux' ? look() : '');

const held = (): Record<string, unknown> => ({
  listeners: Object.fromEntries(process.eventNames().map((name) => [String(name), process.listenerCount(name)])),
  resources: process.getActiveResourcesInfo().sort(),
  descriptors: onLinux(() => readdirSync('/proc/self/fd').length),
  children: onLinux(() => readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim()),
});

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * What is held when nothing of it has changed for many turns: what is closed is gone a few turns later, and what was to
 * be done at the last moment of this process after a second.
 */
const settled = async (): Promise<string> => {
  while (process.listenerCount('SIGINT') > 0) await turn();
  let last = '';
  for (let same = 0; same < 500; same += 1) {
    await turn();
    const now = JSON.stringify(held());
    if (now !== last) same = 0;
    last = now;
  }
  return last;
};

for (let warm = 0; warm < 20; warm += 1) await cycle();
const before = await settled();
for (let done = 0; done < Number(count); done += 1) await cycle();
console.log(`{"before":${before},"after":${await settled()}}`);
