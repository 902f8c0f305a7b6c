/*
 * A process that holds connections open, for the specs about its own end:
 * `holder.ts <array of parameters as JSON> [an action before the first server starts]`.
 * Its first line on stdout names the processes behind its connections; then it waits, or does as it is told on stdin.
 */
import { createInterface } from 'node:readline';
import { fromEvent, take } from 'rxjs';
import type { StdioParameters } from '../../../src/transport/stdio/index.js';
import { isNotification } from '../../../src/jsonrpc/index.js';
import { stdioConnector } from '../../../src/transport/stdio/index.js';
import type { StdioTransport } from '../../../src/transport/stdio/index.js';

const [given = '[]', early = ''] = process.argv.slice(2);
const servers = JSON.parse(given) as StdioParameters[];
const transports: StdioTransport[] = [];

/** The processes of one connection: what it tells first says whether there are more than the server itself. */
const pidsOf = (parameters: StdioParameters): Promise<number[]> =>
  new Promise((resolve, reject) => {
    stdioConnector(parameters)().subscribe({
      next: (opened) => {
        const transport = opened as StdioTransport;
        transports.push(transport);
        transport.inbound$.subscribe({
          next: (message) => {
            if (!isNotification(message)) return;
            resolve([transport.pid, ...((message.params?.['pids'] as number[] | undefined) ?? [])]);
          },
          error: reject,
        });
      },
      error: reject,
    });
  });

// Told only when all listeners of the signal have had their turn.
const handled = (): void => void setImmediate(() => console.log('handled'));

const actions: Record<string, () => void> = {
  exit: () => process.exit(5),
  throw: () => {
    setImmediate(() => {
      throw new Error('uncaught');
    });
  },
  'throw-at-exit': () => {
    process.on('exit', () => {
      throw new Error('uncaught');
    });
  },
  close: () => {
    void Promise.all(transports.map((transport) => transport.close())).then(() => console.log('closed'));
  },
  // How an application can listen to SIGINT.
  on: () => void process.on('SIGINT', handled),
  once: () => void process.once('SIGINT', handled),
  'take-one': () => void fromEvent(process, 'SIGINT').pipe(take(1)).subscribe({ next: handled, error: console.error }),
  'prepend-once': () => void process.prependOnceListener('SIGINT', handled),
  'on-and-off': () => {
    process.on('SIGINT', handled);
    process.off('SIGINT', handled);
  },
};

actions[early]?.();
createInterface({ input: process.stdin }).on('line', (line) => {
  actions[line]?.();
  if (line !== 'close') console.log(`done: ${line}`);
});
console.log(JSON.stringify((await Promise.all(servers.map(pidsOf))).flat()));
