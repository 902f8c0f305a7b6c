import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { from, lastValueFrom, toArray } from 'rxjs';
import { splitLines } from '../../src/transport/framing/index.js';

/** A chunk that counts how many of its bytes are looked at for the end of a line. */
class CountedChunk extends Uint8Array {
  static seen = 0;

  static get [Symbol.species](): Uint8ArrayConstructor {
    return Uint8Array;
  }

  override indexOf(byte: number, start = 0): number {
    const at = super.indexOf(byte, start);
    CountedChunk.seen += (at === -1 ? this.length : at + 1) - start;
    return at;
  }
}

/** What it costs to read one line of this size in chunks of this size. */
const costOf = async (size: number, chunkSize: number): Promise<{ seen: number; copied: number; decoded: number }> => {
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < size; at += chunkSize) chunks.push(new CountedChunk(Math.min(chunkSize, size - at)).fill(97));
  chunks.push(new CountedChunk([10]));
  CountedChunk.seen = 0;
  let copied = 0;
  let decoded = 0;
  // The originals are called by what stands in for them.
  const set = Uint8Array.prototype.set;
  const decode = TextDecoder.prototype.decode;
  jest.spyOn(Uint8Array.prototype, 'set').mockImplementation(function (this: Uint8Array, source, offset) {
    copied += source.length;
    set.call(this, source, offset);
  });
  jest.spyOn(TextDecoder.prototype, 'decode').mockImplementation(function (this: TextDecoder, input, options) {
    decoded += (input as Uint8Array).byteLength;
    return decode.call(this, input, options);
  });
  const lines = await lastValueFrom(from(chunks).pipe(splitLines(), toArray()));
  jest.restoreAllMocks();
  expect(lines).toEqual(['a'.repeat(size)]);
  return { seen: CountedChunk.seen, copied, decoded };
};

describe('case 10: one long line in many chunks', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('looks at each byte once, joins the chunks once and decodes them once', async () => {
    const size = 4_194_304;
    expect(await costOf(size, 65_536)).toEqual({ seen: size + 1, copied: size, decoded: size });
  });

  it('costs exactly twice as much when the line is twice as long', async () => {
    const once = await costOf(1_048_576, 8_192);
    const twice = await costOf(2_097_152, 8_192);
    expect(twice.seen - 1).toBe(2 * (once.seen - 1));
    expect(twice.copied).toBe(2 * once.copied);
    expect(twice.decoded).toBe(2 * once.decoded);
  });

  it('copies no byte more than twice, even where the line comes in pieces of three bytes', async () => {
    const { seen, copied, decoded } = await costOf(60_000, 3);
    expect(seen).toBe(60_001);
    expect(copied).toBeLessThanOrEqual(120_000);
    expect(decoded).toBe(60_000);
  });

  it('decodes a line that lies within one chunk straight from it', async () => {
    expect(await costOf(1_000, 1_000)).toMatchObject({ decoded: 1_000 });
    const set = jest.spyOn(Uint8Array.prototype, 'set');
    const chunk = new TextEncoder().encode('one\ntwo\nthree\n');
    expect(await lastValueFrom(from([chunk]).pipe(splitLines(), toArray()))).toEqual(['one', 'two', 'three']);
    expect(set).not.toHaveBeenCalled();
  });
});
