import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { headerValue } from '../../../src/transport/http/header-value.js';

const decoded = (value: string): string => {
  const marked = /^=\?base64\?(.*)\?=$/.exec(value);
  return marked === null ? value : Buffer.from(marked[1] ?? '', 'base64').toString('utf8');
};

describe('a mirrored value in a header', () => {
  it.each([
    ['a plain word', 'us-west1', 'us-west1'],
    ['a space inside', 'two words', 'two words'],
    ['a tab inside', 'two\twords', 'two\twords'],
    ['an address', 'file:///a/b?c=d#e', 'file:///a/b?c=d#e'],
    ['nothing', '', ''],
    ['characters beyond ASCII', 'Hello, 世界', '=?base64?SGVsbG8sIOS4lueVjA==?='],
    ['spaces around', ' padded ', '=?base64?IHBhZGRlZCA=?='],
    ['a single space', ' ', '=?base64?IA==?='],
    ['a line break', 'line1\nline2', '=?base64?bGluZTEKbGluZTI=?='],
    ['a line break at the end alone', 'line1\n', '=?base64?bGluZTEK?='],
    ['a return and a header of its own', 'a\r\nX-Evil: 1', '=?base64?YQ0KWC1FdmlsOiAx?='],
    ['DEL', '\x7f', '=?base64?fw==?='],
    ['the marks themselves', '=?base64?literal?=', '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?='],
    ['the marks around nothing', '=?base64??=', '=?base64?PT9iYXNlNjQ/Pz0=?='],
    ['the first mark alone', '=?base64?literal', '=?base64?literal'],
    ['the marks behind something else', 'a=?base64?literal?=', 'a=?base64?literal?='],
    ['the marks before something else', '=?base64?literal?=a', '=?base64?literal?=a'],
  ])('of %s: %j', (_what, value, expected) => {
    expect(headerValue(value)).toBe(expected);
  });

  it('is always one that a header can carry, and can always be told back', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (value) => {
        const header = headerValue(value);
        expect(header).toMatch(/^[\x20-\x7e\t]*$/);
        expect(header.trim()).toBe(header);
        expect(decoded(header)).toBe(value);
      }),
    );
  });
});
