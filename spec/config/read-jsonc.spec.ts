import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readJsonc } from '../../src/config/read-jsonc.js';

/** Pieces of JSON, and what looks like it: joined, they are now and then what a reader takes by mistake. */
const PIECES = [
  ...`{ } [ ] " : , {} [] ,] ,} "a" "a": "b":1 true null tru x '`.split(' '),
  ...['0', '1', '-', '.', '1.5', 'e', 'E+', '\\', '\\u00e9', '\\ud800', '\ud800', '\udc00', '/', '//', '/*', '*/'],
  ...[' ', '\t', '\n', '\r', '\v', '\f', '\0', '\x01', '\x1f', '\x7f', '\xa0', '\u2028', '\uFEFF'],
];

/** What `JSON.parse` makes of a text; `undefined` where it refuses it. */
const parsed = (text: string): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
};

describe('readJsonc', () => {
  it('reads whatever JSON can say as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(readJsonc(text)).toEqual({ value: JSON.parse(text), repeated: [] });
      }),
    );
  });

  it('takes what JSON.parse takes, and beyond it a byte order mark, comments and a comma after the last member alone', () => {
    const pieces = fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((some) => some.join(''));
    const damaged = fc
      .tuple(fc.json(), fc.constantFrom('', ...PIECES), fc.nat(), fc.nat(2))
      .map(([text, piece, at, gone]) => {
        const cut = at % text.length;
        return text.slice(0, cut) + piece + text.slice(cut + gone);
      });
    fc.assert(
      fc.property(fc.oneof(pieces, damaged, fc.string({ unit: 'binary' })), (text) => {
        const json = parsed(text);
        const read = readJsonc(text);
        if (json !== undefined) expect(read).toHaveProperty('value', json.value);
        else if (!/^\uFEFF|\/|,\s*[\]}]/.test(text)) expect(read).toHaveProperty('fault');
      }),
      { numRuns: 5_000 },
    );
  });

  it.each(['"\ud800"', '"\\udc00"', '"\x7f\u2028"', '-0', '1e400', '12345678901234567890', '"\\u0000\\/"'])(
    'reads %j as JSON.parse does',
    (text) => {
      expect(readJsonc(text)).toEqual({ value: JSON.parse(text), repeated: [] });
    },
  );

  it.each(['"\0"', '"\t"', '"\x1f"', '"\\x41"', '"\\u12"', '"\\u{41}"', '"a\\\nb"'])(
    'refuses the text %j, as JSON.parse does',
    (text) => {
      expect(parsed(text)).toBeUndefined();
      expect(readJsonc(text)).toMatchObject({ fault: expect.stringMatching(/escape/), line: 1, column: 1 });
    },
  );

  it('passes over comments, commas after the last member and a byte order mark', () => {
    const text = `\uFEFF// the servers
      { /* all
      of them */ "url": "http://x//y", // a comment
        "list": [1, 2,], "none": [], "no": {},
      } // end`;
    expect(readJsonc(text)).toEqual({
      value: { url: 'http://x//y', list: [1, 2], none: [], no: {} },
      repeated: [],
    });
  });

  it('says which keys an object has twice, and takes the last', () => {
    expect(readJsonc('{ "a": [{ "b/c": 1, "b/c": 2 }] }')).toEqual({
      value: { a: [{ 'b/c': 2 }] },
      repeated: ['/a/0/b~1c'],
    });
  });

  it('takes __proto__ as a key like any other', () => {
    const read = readJsonc('{ "__proto__": { "command": "x" } }');
    const value = 'value' in read ? (read.value as object) : {};
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.keys(value)).toEqual(['__proto__']);
  });

  it.each([
    ['', /empty/, 1, 1],
    ['// nothing', /empty/, 1, 11],
    ['{\n  "a": 1\n  "b": 2\n}', /comma or } is missing/, 3, 3],
    ['{\r\n  "a" 1\r\n}', /colon/, 2, 7],
    ['{ a: 1 }', /key in double quotes/, 1, 3],
    ["{ 'a': 1 }", /key in double quotes/, 1, 3],
    ["[ 'a' ]", /double quotes/, 1, 3],
    ['[\n  ghp_secret\n]', /value is missing/, 2, 3],
    ['[1,,2]', /value is missing/, 1, 4],
    ['[01]', /comma or ] is missing/, 1, 3],
    ['[\n1., 2]', /a comma or \] is missing/, 2, 2],
    ['[1e]', /a comma or \] is missing/, 1, 3],
    ['[-]', /value is missing/, 1, 2],
    ['[,]', /value is missing/, 1, 2],
    ['{ "a":, }', /value is missing/, 1, 7],
    ['{,}', /key in double quotes/, 1, 2],
    ['{ "a": {}, 1: 2 }', /key in double quotes/, 1, 12],
    ['{ "a": [[]] [', /comma or } is missing/, 1, 13],
    ['1 /', /more text/, 1, 3],
    ['{ "a": ', /a value is missing here/, 1, 8],
    ['/* a\r\n * b */ /* c\r*/ x', /value is missing/, 3, 4],
    ['{ "a": "open }', /not closed/, 1, 8],
    ['{ "a": "C:\\x" }', /escape/, 1, 8],
    ['{ "a": [1, 2', /this \[ is not closed/, 1, 8],
    ['/* open', /comment is not closed/, 1, 1],
    ['{} {}', /more text/, 1, 4],
    ['\uFEFF{', /this { is not closed/, 1, 1],
    ['['.repeat(300), /nested/, 1, 202],
  ])('says where and why it cannot read %j', (text, fault, line, column) => {
    expect(readJsonc(text)).toEqual({ fault: expect.stringMatching(fault), line, column });
  });

  it('reads values 200 below the outermost, and refuses deeper ones before they exhaust the stack', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    expect(readJsonc(nested(201))).toEqual({ value: JSON.parse(nested(201)), repeated: [] });
    const fault = expect.stringMatching(/nested/);
    for (const text of [nested(202), '['.repeat(100_000), nested(100_000)]) {
      expect(readJsonc(text)).toEqual({ fault, line: 1, column: 202 });
    }
    expect(readJsonc('{"a":'.repeat(100_000))).toEqual({ fault, line: 1, column: 1006 });
  });

  it('never quotes the text, which may hold secrets', () => {
    const secret = 'hunter2hunter2';
    for (const text of [
      `{ "a": ${secret} }`,
      `{ "a": "${secret}\\q" }`,
      `{ "a": "${secret}`,
      `{} ${secret}`,
      `{ ${secret}: 1 }`,
      `/* ${secret}`,
    ]) {
      expect(JSON.stringify(readJsonc(text))).not.toContain(secret);
    }
  });

  it('ends at any text, and throws nothing', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: fc.constantFrom(...'{}[]",:/*\\ \n1-ae'), maxLength: 40 }),
          fc.string({ unit: 'binary' }),
        ),
        (text) => {
          const read = readJsonc(text);
          expect('fault' in read || 'value' in read).toBe(true);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
