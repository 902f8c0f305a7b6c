import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, jest } from '@jest/globals';
import { firstValueFrom, Subject, take, toArray } from 'rxjs';
import { MessageTooLargeError } from '../../src/errors/index.js';
import { splitLines } from '../../src/transport/framing/index.js';
import { open, peer, request } from '../support/child-processes.js';

jest.setTimeout(30_000);

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

describe('case 11: a message that is too large', () => {
  it('is none at eleven megabytes', async () => {
    const { transport, messages$ } = await open(peer('big', 'first'));
    const answer = firstValueFrom(messages$);
    transport.send(request(1, { size: 11_534_336 })).subscribe({ error: () => undefined });
    expect(await answer).toEqual({ jsonrpc: '2.0', id: 1, result: { text: 'é'.repeat(5_767_168) } });
    await transport.close();
  });

  it.each(['first', 'last'])(
    'fails the call it answers, whose id stands %s, and the connection lives',
    async (order) => {
      const { transport, messages$ } = await open({ ...peer('big', order), maxMessageBytes: 1_000_000 });
      const both = firstValueFrom(messages$.pipe(take(2), toArray()));
      transport.send(request(7, { size: 3_000_000 })).subscribe({ error: () => undefined });
      transport.send(request(8, { size: 10 })).subscribe({ error: () => undefined });
      const [large, next] = await both;
      // The rest of the answer is {"jsonrpc":"2.0","id":7,"result":{"text":""}} in one order or another.
      const bytes = 3_000_045;
      expect(large).toMatchObject({
        invalid: `a message of ${bytes} bytes is larger than maxMessageBytes (1000000)`,
        id: 7,
        error: { name: 'MessageTooLargeError', bytes, limit: 1_000_000 },
      });
      expect((large as { error: unknown }).error).toBeInstanceOf(MessageTooLargeError);
      expect(next).toEqual({ jsonrpc: '2.0', id: 8, result: { text: 'ééééé' } });
      expect(transport.alive).toBe(true);
      await transport.close();
    },
  );

  it('is not kept while it is skipped', async () => {
    const chunks = new Subject<Uint8Array>();
    let lines = 0;
    chunks.pipe(splitLines({ maxBytes: 1_048_576 })).subscribe(() => (lines += 1));
    // Buffers are given back a turn after the collection that finds them.
    const settled = async (): Promise<number> => {
      for (let count = 0; count < 3; count += 1) {
        collect();
        await new Promise((resolve) => setImmediate(resolve));
      }
      return process.memoryUsage().arrayBuffers;
    };
    const before = await settled();
    for (let count = 0; count < 2_000; count += 1) chunks.next(new Uint8Array(65_536).fill(97));
    expect((await settled()) - before).toBeLessThan(2_097_152);
    chunks.next(new Uint8Array([10]));
    expect(lines).toBe(1);
  });
});
