/*
 * Writes to servers that flee at once, and prints how each message ended and what nobody caught:
 * `burst.ts <count> <parameters as JSON>`.
 */
import type { StdioParameters } from '../../../src/transport/stdio/index.js';
import { stdioConnector } from '../../../src/transport/stdio/index.js';

const [count = '0', given = '{}'] = process.argv.slice(2);
const uncaught: string[] = [];
process.on('uncaughtException', (error) => uncaught.push(String(error)));
process.on('unhandledRejection', (reason) => uncaught.push(String(reason)));

const request = (id: number) =>
  ({
    jsonrpc: '2.0',
    id,
    method: 'x-test/handshake',
    params: { text: 'x'.repeat(id % 2 === 0 ? 10 : 300_000) },
  }) as const;

const endOf = (source: { subscribe(observer: object): unknown }): Promise<string> =>
  new Promise((resolve) => {
    source.subscribe({ complete: () => resolve('complete'), error: (reason: Error) => resolve(reason.name) });
  });

const once = (): Promise<string[]> =>
  new Promise((resolve) => {
    stdioConnector(JSON.parse(given) as StdioParameters)().subscribe({
      next: (transport) => {
        const first = [1, 2, 3].map((id) => endOf(transport.send(request(id))));
        void endOf(transport.inbound$).then(async (wire) => {
          const late = endOf(transport.send(request(4)));
          await transport.close();
          const ends = await Promise.all(first);
          resolve([wire, await late, ends.every((end) => ['complete', wire].includes(end)) ? 'ended' : ends.join()]);
        });
      },
      error: (reason: Error) => resolve([reason.name]),
    });
  });

const ends = new Set<string>();
for (let done = 0; done < Number(count); done += 1) ends.add((await once()).join(' '));
await new Promise((resolve) => setImmediate(resolve));
console.log(JSON.stringify({ ends: [...ends], uncaught }));
