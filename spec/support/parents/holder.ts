/*
 * A process that holds connections open, for the specs about its own end: `holder.ts <what then> <parameters as JSON>…`.
 * Its first line on stdout names the processes behind its connections; then it waits, or does as it is told on stdin.
 */
import { createInterface } from 'node:readline';
import type { StdioParameters } from '../../../src/transport/stdio/index.js';
import { isNotification } from '../../../src/jsonrpc/index.js';
import { stdioConnector } from '../../../src/transport/stdio/index.js';
import type { StdioTransport } from '../../../src/transport/stdio/index.js';

const [given = '[]'] = process.argv.slice(2);
const servers = JSON.parse(given) as StdioParameters[];

/** The processes of one connection: what it tells first says whether there are more than the server itself. */
const pidsOf = (parameters: StdioParameters): Promise<number[]> =>
  new Promise((resolve, reject) => {
    stdioConnector(parameters)().subscribe({
      next: (transport) => {
        const { pid } = transport as StdioTransport;
        transport.inbound$.subscribe({
          next: (message) => {
            if (!isNotification(message)) return;
            resolve([pid, ...((message.params?.['pids'] as number[] | undefined) ?? [])]);
          },
          error: reject,
        });
      },
      error: reject,
    });
  });

const actions: Record<string, () => void> = {
  exit: () => process.exit(5),
  throw: () => {
    setImmediate(() => {
      throw new Error('uncaught');
    });
  },
  'handle-sigint': () => {
    process.on('SIGINT', () => console.log('handled'));
    console.log('ready');
  },
};

createInterface({ input: process.stdin }).on('line', (line) => actions[line]?.());
console.log(JSON.stringify((await Promise.all(servers.map(pidsOf))).flat()));
