// The example of processes that share what they know, run as its readers run it, on a real Redis where one is installed.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { EXAMPLE_MS, runExample } from '../support/examples.js';

const isInstalled = spawnSync('redis-server', ['--version']).status === 0;

(isInstalled ? describe : describe.skip)('examples/shared-state', () => {
  it(
    'has processes that come later ask for nothing that another one was told',
    async () => {
      expect(await runExample('shared-state/main.ts')).toEqual({
        code: 0,
        err: '',
        out: [
          'one process: hello',
          '  asked for: a token 1, tools/list 1, tools/call 1',
          '3 more at once: hello, hello, hello',
          '  asked for: a token 0, tools/list 0, tools/call 3',
        ],
      });
    },
    2 * EXAMPLE_MS,
  );
});

it(
  'examples/shared-state says that no Redis answers, without the password for it, and ends',
  async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    expect(await runExample('shared-state/main.ts', `redis://:hidden@127.0.0.1:${port}`)).toEqual({
      code: 1,
      err: `No Redis answers at 127.0.0.1:${port}. Start one there, or leave the URL out.\n`,
      out: [''],
    });
  },
  EXAMPLE_MS,
);
