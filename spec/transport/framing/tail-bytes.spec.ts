import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { TailBytes } from '../../../src/transport/framing/index.js';

describe('TailBytes', () => {
  it('gives the last bytes of whatever flowed through, in order', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.array(fc.uint8Array({ maxLength: 20 })), (capacity, chunks) => {
        const tail = new TailBytes(capacity);
        for (const chunk of chunks) tail.push(chunk);
        const all = chunks.flatMap((chunk) => [...chunk]);
        expect([...tail.toBytes()]).toEqual(all.slice(-capacity));
        expect(tail.total).toBe(all.length);
      }),
    );
  });

  it('keeps a copy: changing a chunk afterwards changes nothing', () => {
    const tail = new TailBytes(4);
    const chunk = new Uint8Array([1, 2, 3]);
    tail.push(chunk);
    chunk.fill(9);
    const taken = tail.toBytes();
    tail.push(new Uint8Array([7]));
    expect([...taken]).toEqual([1, 2, 3]);
  });
});
