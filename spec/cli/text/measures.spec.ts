import { describe, expect, it } from '@jest/globals';
import { base64Bytes, clockText, countText, durationText, sizeText } from '../../../src/cli/text/measures.js';

describe('measures for people', () => {
  it.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [1_023, '1023 bytes'],
    [1_536, '1.5 KiB'],
    [3_145_728, '3.0 MiB'],
  ])('has %i bytes as %s', (bytes, text) => {
    expect(sizeText(bytes)).toBe(text);
  });

  it.each([
    [0.4, '0 ms'],
    [1_234, '1234 ms'],
    [12_340, '12.3 s'],
  ])('has %d ms as %s', (ms, text) => {
    expect(durationText(ms)).toBe(text);
  });

  it.each(['', 'a', 'ab', 'abc', 'abcd'])('knows the bytes behind base64: %j', (text) => {
    expect(base64Bytes(Buffer.from(text).toString('base64'))).toBe(text.length);
  });

  it('counts', () => {
    expect([countText(0, 'tool'), countText(1, 'tool'), countText(2, 'tool')]).toEqual([
      '0 tools',
      '1 tool',
      '2 tools',
    ]);
  });

  it('tells the time', () => {
    expect(clockText(new Date(2_026, 0, 2, 3, 4, 5, 6).getTime())).toBe('03:04:05.006');
  });
});
