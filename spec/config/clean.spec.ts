import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { clean } from '../../src/config/clean.js';
import { CONTROL } from '../support/cli/command.js';

const ESC = '\u001b';

describe('clean', () => {
  it.each([
    ['a colour', `${ESC}[31mred${ESC}[0m`, 'red'],
    ['a sequence with parameters of its own', `a${ESC}[?25lb${ESC}[>4;2mc`, 'abc'],
    ['the title of a window, ended by a bell', `a${ESC}]0;owned\u0007b`, 'ab'],
    ['a link, ended by a string terminator', `${ESC}]8;;http://evil${ESC}\\text${ESC}]8;;${ESC}\\`, 'text'],
    ['a title that never ends', `a${ESC}]0;owned`, 'a'],
    ['a device control string', `a${ESC}P1$r0m${ESC}\\b`, 'ab'],
    ['a sequence of one letter', `a${ESC}cb`, 'ab'],
    ['a character set', `a${ESC}(0b`, 'ab'],
    ['the same as C1 characters', 'a\u009b31mb\u009d0;owned\u009cc', 'abc'],
    ['a bell, a backspace, DEL and NUL', 'a\u0007\bb\u007f\u0000', 'ab'],
    ['what turns text around', 'a\u202eb\u2066c', 'abc'],
    ['an escape that ends the text', `a${ESC}`, 'a'],
  ])('takes out %s', (_what, text, rest) => {
    expect(clean(text)).toBe(rest);
  });

  it('keeps tabs, the ends of lines, and every script', () => {
    expect(clean('a\tb\nc ü 漢字 עברית 🙂')).toBe('a\tb\nc ü 漢字 עברית 🙂');
  });

  it('takes a carriage return for the end of a line, so that none is written over', () => {
    expect(clean('harmless\rfake\r\nnext')).toBe('harmless\nfake\nnext');
  });

  it('leaves no control character, whatever it is given', () => {
    const pieces = fc.constantFrom(
      ESC,
      '[',
      ']',
      '0',
      ';',
      'm',
      '\u0007',
      '\u009b',
      '\u009c',
      '\\',
      'P',
      '\r',
      '\u202e',
      'a',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(pieces).map((all) => all.join('')),
        ),
        (text) => {
          expect(clean(text)).not.toMatch(CONTROL);
          expect(clean(clean(text))).toBe(clean(text));
        },
      ),
    );
  });

  it.each([
    [
      'a quotation mark in UTF-8, read as Latin-1',
      'a \u00e2\u0080\u009cb\u00e2\u0080\u009d c\nd',
      'a \u00e2b\u00e2 c\nd',
    ],
    ['two quotations in one line', '\u009ca\u009d and \u00e2\u0080\u009cb\u009d.', 'a and \u00e2b.'],
    ['a picture in UTF-8, read as Latin-1', '\u00f0\u009f\u0098\u0080 fine\nmore', '\u00f0 fine\nmore'],
    ['a string of C1 characters that goes over the end of its line', 'a\u009db\nc\u009cd', 'ab\ncd'],
  ])('loses no text behind %s', (_what, text, rest) => {
    expect(clean(text)).toBe(rest);
  });

  it.each([
    ['OSC', `${ESC}]`.repeat(200_000)],
    ['OSC as C1 characters', `${'\u009d'.repeat(200_000)}${ESC}[m`],
    ['CSI', `${ESC}[`.repeat(200_000)],
    ['other sequences', `${ESC} `.repeat(200_000)],
  ])('takes time that grows with the length alone: %s', (_what, text) => {
    expect(clean(text)).not.toMatch(CONTROL);
  });
});
