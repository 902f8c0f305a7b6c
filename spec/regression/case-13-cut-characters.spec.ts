import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { from, lastValueFrom, toArray } from 'rxjs';
import { splitLines, toInbound } from '../../src/transport/framing/index.js';

const framed = (messages: readonly unknown[]): Uint8Array =>
  new TextEncoder().encode(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));

const received = (chunks: readonly Uint8Array[]): Promise<unknown> =>
  lastValueFrom(from(chunks).pipe(splitLines(), toInbound(), toArray()));

describe('case 13: a character of several bytes that a chunk cuts', () => {
  const messages = ['ä', '€', '日本語', '👩‍👩‍👧‍👦', '\u0000\u2028'].map((text, id) => ({
    jsonrpc: '2.0',
    id,
    result: { text },
  }));

  it('arrives whole at every position of the cut', async () => {
    const whole = framed(messages);
    for (let place = 0; place <= whole.length; place += 1) {
      expect(await received([whole.subarray(0, place), whole.subarray(place)])).toEqual(messages);
    }
  });

  it('arrives whole when every byte is a chunk of its own', async () => {
    const whole = framed(messages);
    expect(await received([...whole].map((byte) => new Uint8Array([byte])))).toEqual(messages);
  });

  it('arrives whole in any message and any chunks', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ text: fc.string({ unit: 'binary' }), more: fc.jsonValue() })),
        fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
        async (results, sizes) => {
          const sent = results.map((result, id) => ({ jsonrpc: '2.0', id, result }));
          const whole = framed(sent);
          const chunks: Uint8Array[] = [];
          for (let at = 0; at < whole.length;) {
            const size = sizes.next().value as number;
            chunks.push(whole.subarray(at, at + size));
            at += size;
          }
          expect(await received(chunks)).toEqual(JSON.parse(JSON.stringify(sent)));
        },
      ),
      { numRuns: 200 },
    );
  });
});
