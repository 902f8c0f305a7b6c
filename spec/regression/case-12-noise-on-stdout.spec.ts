import { describe, expect, it } from '@jest/globals';
import { firstValueFrom, take, toArray } from 'rxjs';
import { open, peer } from '../support/child-processes.js';

describe('case 12: what is no message on stdout', () => {
  it('is one invalid message a line, between the messages, and the connection lives', async () => {
    const texts = [
      'Listening on stdio…\n\n  \r\n',
      '{"jsonrpc":"2.0","method":"x-test/one"}\r\n',
      '[12:00:01] INFO ready\n{"level":"info","msg":"a log line"}\n42\n"text"\nnull\n[]\n',
      '{"jsonrpc":"2.0","id":1,"result":{}}\n{"jsonrpc":"2.0","id":2,"result"\n',
      '\u001b[32m✓\u001b[0m done\n{"jsonrpc":"2.0","method":"x-test/two"}\n',
    ];
    const { transport, messages$ } = await open(peer('say', ...texts));
    expect(await firstValueFrom(messages$.pipe(take(12), toArray()))).toEqual([
      { invalid: 'not JSON', excerpt: 'Listening on stdio…' },
      { jsonrpc: '2.0', method: 'x-test/one' },
      { invalid: 'not JSON', excerpt: '[12:00:01] INFO ready' },
      { invalid: expect.any(String), excerpt: '{"level":"info","msg":"a log line"}' },
      { invalid: expect.any(String), excerpt: '42' },
      { invalid: expect.any(String), excerpt: 'text' },
      { invalid: expect.any(String), excerpt: 'null' },
      { invalid: expect.any(String), excerpt: '[]' },
      { jsonrpc: '2.0', id: 1, result: {} },
      { invalid: 'not JSON', excerpt: '{"jsonrpc":"2.0","id":2,"result"' },
      { invalid: 'not JSON', excerpt: '\u001b[32m✓\u001b[0m done' },
      { jsonrpc: '2.0', method: 'x-test/two' },
    ]);
    expect(transport.alive).toBe(true);
    await transport.close();
  });
});
