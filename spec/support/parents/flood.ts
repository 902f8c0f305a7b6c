/*
 * Makes one call during which the server floods its stderr, and prints what that has left in memory while the connection
 * lives: `flood.ts <listen or ignore> <parameters as JSON>`.
 */
import { firstValueFrom } from 'rxjs';
import type { StdioParameters } from '../../../src/transport/stdio/index.js';
import { stdioConnector } from '../../../src/transport/stdio/index.js';

const [how, given = '{}'] = process.argv.slice(2);

const held = (): number => {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};

stdioConnector(JSON.parse(given) as StdioParameters)().subscribe({
  next: (transport) => {
    let characters = 0;
    if (how === 'listen') {
      transport.stderr$?.subscribe({ next: (line) => (characters += line.length), error: () => undefined });
    }
    void (async () => {
      const before = held();
      const answer = firstValueFrom(transport.inbound$);
      transport.send({ jsonrpc: '2.0', id: 1, method: 'x-test/flood' }).subscribe({ error: () => undefined });
      const received = await answer;
      const grown = held() - before;
      console.log(JSON.stringify({ received, grown, characters, alive: transport.alive }));
      await transport.close();
      process.exit(0);
    })();
  },
  error: (reason: unknown) => console.error(reason),
});
