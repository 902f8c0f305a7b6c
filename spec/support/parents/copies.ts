/*
 * A process with two copies of the transport, as one that loads the package as ESM and as CommonJS has. Each copy holds
 * its own server open: `copies.ts <parameters as JSON> <esm or cjs, the copy that starts first>`. Its first line on stdout
 * names the processes behind them; then it waits, or does as it is told on stdin.
 */
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { firstValueFrom } from 'rxjs';
import type { StdioParameters, StdioTransport } from '../../../src/transport/stdio/index.js';
import { stdioConnector } from '../../../src/transport/stdio/index.js';

type Copy = typeof stdioConnector;

const other = createRequire(import.meta.url)('../../../src/transport/stdio/index.ts') as { stdioConnector: Copy };
if (other.stdioConnector === stdioConnector) throw new Error('there is one copy only');

const [given = '{}', first] = process.argv.slice(2);

/** Starts a server that tells when it is ready. */
const start = (copy: Copy): Promise<StdioTransport> =>
  new Promise((resolve, reject) => {
    copy(JSON.parse(given) as StdioParameters)().subscribe({
      next: (transport) => {
        void firstValueFrom(transport.inbound$).then(() => resolve(transport as StdioTransport), reject);
      },
      error: reject,
    });
  });

const order = first === 'cjs' ? [other.stdioConnector, stdioConnector] : [stdioConnector, other.stdioConnector];
const transports: StdioTransport[] = [];
for (const copy of order) transports.push(await start(copy));

const actions: Record<string, () => void> = {
  'close-first': () => void transports[0]?.close().then(() => console.log('closed')),
  close: () => void Promise.all(transports.map((each) => each.close())).then(() => console.log('closed')),
  once: () => {
    process.once('SIGINT', () => setImmediate(() => console.log('handled')));
    console.log('done: once');
  },
};

createInterface({ input: process.stdin }).on('line', (line) => actions[line]?.());
console.log(JSON.stringify(transports.map(({ pid }) => pid)));
