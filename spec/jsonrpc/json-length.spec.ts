import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { jsonLength } from '../../src/jsonrpc/json-length.js';

describe('jsonLength', () => {
  it('is the length of the text, whatever the value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(jsonLength(value)).toBe(JSON.stringify(value).length);
      }),
    );
  });

  it('is the length of any text, quotes, control characters and lone surrogates included', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(jsonLength({ [text]: text })).toBe(JSON.stringify({ [text]: text }).length);
      }),
    );
    expect(jsonLength('"\\\n\u0001\ud800')).toBe(JSON.stringify('"\\\n\u0001\ud800').length);
  });

  it('counts no member that is undefined, and an item that is as null', () => {
    const value = { a: undefined, b: [undefined, 1], c: {}, d: [], e: -0, f: Number.NaN };
    expect(jsonLength(value)).toBe(JSON.stringify(value).length);
  });

  it.each([199, 200, 201, 401, 100_000])('is that of a value of any depth: %i levels', (levels) => {
    const text = `${'[{"a":'.repeat(levels)}0${'}]'.repeat(levels)}`;
    expect(jsonLength(JSON.parse(text))).toBe(text.length);
  });
});
