import { describe, expect, it } from '@jest/globals';
import { lineOf, nameOf, sizeOf } from '../../../src/bridge/render/names.js';

describe('a name in a result', () => {
  it('says what is known and leaves out the rest', () => {
    expect(nameOf('image', undefined, 'image/png', sizeOf(68))).toBe('[image: image/png, 68 bytes]');
    expect(nameOf('audio', undefined)).toBe('[audio]');
    expect(sizeOf(1)).toBe('1 byte');
  });

  it.each([-1, Number.NaN, Infinity, '7', undefined])('has no size where a server says %p', (size) => {
    expect(sizeOf(size)).toBeUndefined();
  });

  it("holds a server's words on one line, without control characters", () => {
    expect(lineOf('  a\r\n\tb\u0000\u001b[31mc ')).toBe('a b [31mc');
    expect(lineOf(' \n ')).toBeUndefined();
    expect(lineOf(7)).toBeUndefined();
  });

  it('is of bounded length, and ends in no half of a character', () => {
    const line = lineOf('x'.repeat(499) + '😀'.repeat(1_000_000)) ?? '';
    expect(line).toBe(`${'x'.repeat(499)}...`);
    expect(lineOf('x'.repeat(500))).toBe('x'.repeat(500));
    expect(lineOf(`😀${'x'.repeat(600)}`)).toBe(`😀${'x'.repeat(498)}...`);
  });
});
