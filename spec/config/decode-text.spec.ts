import { describe, expect, it } from '@jest/globals';
import { decodeText } from '../../src/config/decode-text.js';

const TEXT = '{"käse":"漢🙂"}';

describe('decodeText', () => {
  it.each([
    ['UTF-8', Buffer.from(TEXT)],
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${TEXT}`)],
    ['UTF-16 of little end', Buffer.from(`\uFEFF${TEXT}`, 'utf16le')],
    ['UTF-16 of big end', Buffer.from(`\uFEFF${TEXT}`, 'utf16le').swap16()],
  ])('reads %s', (_encoding, bytes) => {
    expect(decodeText(bytes)).toBe(TEXT);
  });

  it('reads what is nothing of that as far as it can be', () => {
    expect(decodeText(Uint8Array.of(0x61, 0xff, 0x62))).toBe('a\uFFFDb');
    expect(decodeText(new Uint8Array())).toBe('');
  });
});
