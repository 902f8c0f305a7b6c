import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readJsonc } from '../../src/config/read-jsonc.js';

describe('readJsonc', () => {
  it('reads whatever JSON can say as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(readJsonc(text)).toEqual({ value: JSON.parse(text), repeated: [] });
      }),
    );
  });

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

  it('never quotes the text, which may hold secrets', () => {
    const secret = 'hunter2hunter2';
    for (const text of [`{ "a": ${secret} }`, `{ "a": "${secret}\\q" }`, `{ "a": "${secret}`, `{} ${secret}`]) {
      expect(JSON.stringify(readJsonc(text))).not.toContain(secret);
    }
  });

  it('ends at any text, and throws nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]",:/*\\ \n1-ae'), maxLength: 40 }), (text) => {
        const read = readJsonc(text);
        expect('fault' in read || 'value' in read).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
