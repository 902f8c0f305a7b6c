import { describe, expect, it } from '@jest/globals';
import { LineBuffer } from '../../../src/transport/framing/line-buffer.js';

const piece = (length: number, fill = 97): Uint8Array => new Uint8Array(length).fill(fill);

describe('LineBuffer', () => {
  it('gives the pieces of a line joined, and is empty afterwards', () => {
    const buffer = new LineBuffer(100);
    expect(buffer.isEmpty).toBe(true);
    buffer.push(piece(2, 1));
    buffer.push(piece(1, 2));
    expect(buffer.isEmpty).toBe(false);
    expect(buffer.take()).toEqual({ bytes: new Uint8Array([1, 1, 2]) });
    expect(buffer.isEmpty).toBe(true);
    expect(buffer.take()).toEqual({ bytes: new Uint8Array(0) });
  });

  it('keeps the order of more pieces than it keeps apart', () => {
    const buffer = new LineBuffer(10_000);
    const expected = Array.from({ length: 5_000 }, (_, index) => index % 251);
    for (const byte of expected) buffer.push(new Uint8Array([byte]));
    expect(buffer.take()).toEqual({ bytes: new Uint8Array(expected) });
  });

  it('keeps both ends of a line that passes the limit after many pieces', () => {
    const buffer = new LineBuffer(70_000);
    const all = Array.from({ length: 80_000 }, (_, index) => index % 251);
    for (const byte of all) buffer.push(new Uint8Array([byte]));
    expect(buffer.take()).toEqual({
      total: 80_000,
      head: new Uint8Array(all.slice(0, 65_536)),
      tail: new Uint8Array(all.slice(-65_537)),
    });
    buffer.push(piece(1));
    expect(buffer.take()).toEqual({ bytes: piece(1) });
  });
});
