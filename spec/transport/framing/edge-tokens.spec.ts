import { describe, expect, it } from '@jest/globals';
import {
  endOfString,
  endOfValue,
  skipSpace,
  skipSpaceBack,
  startOfString,
  startOfValue,
} from '../../../src/transport/framing/edge-tokens.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** What a scan from the last byte finds. */
const back = (scan: (window: Uint8Array, at: number) => number, text: string): number => {
  const window = bytes(text);
  return scan(window, window.length - 1);
};

describe('white space', () => {
  it.each([' ', '\t', '\r', '\n'])('is %j, from either end', (space) => {
    expect(skipSpace(bytes(`a${space}${space}b`), 1)).toBe(3);
    expect(skipSpaceBack(bytes(`a${space}${space}b`), 2)).toBe(0);
  });

  it.each(['\v', '\f', '\0', '\u00a0', '!', 'a'])('is not %j', (other) => {
    expect(skipSpace(bytes(other), 0)).toBe(0);
    expect(back(skipSpaceBack, other)).toBe(bytes(other).length - 1);
  });

  it('may be all there is: the index is then one beyond', () => {
    expect(skipSpace(bytes('  '), 0)).toBe(2);
    expect(skipSpaceBack(bytes('  '), 1)).toBe(-1);
    expect(skipSpaceBack(bytes(''), -1)).toBe(-1);
  });
});

describe('the end of a text', () => {
  it.each([
    ['""', 2],
    ['"ab",', 4],
    ['"a\\"b"', 6],
    ['"a\\\\"b"', 5],
    ['"é"', 4],
  ])('stands behind its closing quote: %s', (text, end) => {
    expect(endOfString(bytes(text), 0)).toBe(end);
  });

  it.each(['"', '"ab', '"ab\\', '"ab\\"'])('is out of the window: %s', (text) => {
    expect(endOfString(bytes(text), 0)).toBe(-1);
  });
});

describe('the start of a text', () => {
  it.each([
    ['x""', 1],
    ['x"ab"', 1],
    ['x,"a\\"b"', 2],
    ['x,"a\\\\"', 2],
    ['x,"a\\\\\\"b"', 2],
    ['"a":"b"', 4],
  ])('is the quote that no backslash escapes: %s', (text, start) => {
    expect(back(startOfString, text)).toBe(start);
  });

  it.each(['"', 'ab"', 'x\\"ab"'])('is out of the window: %s', (text) => {
    expect(back(startOfString, text)).toBe(-1);
  });

  it.each(['"ab"', '\\"ab"', '\\\\"ab"', '\\\\\\"ab"'])(
    'is unknown where the window begins with it, or with the backslashes before it: %s',
    (text) => {
      expect(back(startOfString, text)).toBe(-1);
    },
  );
});

describe('the end of a value', () => {
  it.each([
    ['"a",', 3],
    ['12,', 2],
    ['-1.5e+10]', 8],
    ['null}', 4],
    ['{}', 2],
    ['[]]', 2],
    ['{"a":[1,{"b":2}]}}', 17],
    ['{"}":1}', 7],
    ['["]","\\"]"]', 11],
  ])('is found by its kind: %s', (text, end) => {
    expect(endOfValue(bytes(text), 0)).toBe(end);
    expect(endOfValue(bytes(`:${text}`), 1)).toBe(end + 1);
  });

  it.each(['"a', '12', 'null', '{', '[1', '{"a', '{"a":[1]', '[[]', ''])('is out of the window: %s', (text) => {
    expect(endOfValue(bytes(text), 0)).toBe(-1);
  });

  it.each(['0', '9', 'A', 'Z', 'a', 'z', '+', '-', '.'])(
    'comes behind %s, of which words and numbers are made',
    (one) => {
      expect(endOfValue(bytes(`${one},`), 0)).toBe(1);
    },
  );

  it.each(['/', ':', '@', '`', ',', '}', ']', ' ', 'é'])('is nowhere where %s stands instead of a value', (other) => {
    expect(endOfValue(bytes(`${other},`), 0)).toBe(-1);
  });
});

describe('the start of a value', () => {
  it.each([
    [':"a"', 1],
    [':12', 1],
    [':-1.5e+10', 1],
    [',null', 1],
    ['{}', 0],
    [':[]', 1],
    [':{"a":[1,{"b":2}]}', 1],
    [':{"{":1}', 1],
    [':["[","\\"["]', 1],
    ['[[],[]', 4],
  ])('is found by its kind: %s', (text, start) => {
    expect(back(startOfValue, text)).toBe(start);
  });

  it.each(['a"', '12', 'null', '}', '1]', 'a":1}', '[1]}', '[]]', '"a"]'])('is out of the window: %s', (text) => {
    expect(back(startOfValue, text)).toBe(-1);
  });

  it.each([':', ',', '{', '[', '/', ' '])('is nowhere where %s stands instead of a value', (other) => {
    expect(back(startOfValue, `,${other}`)).toBe(-1);
  });
});
