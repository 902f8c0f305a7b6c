import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { jsonText, oneLine, textOf } from '../../../src/cli/text/clean.js';
import { CONTROL } from '../../support/cli/command.js';

describe('oneLine', () => {
  it('is one line', () => {
    expect(oneLine(' a\r\n\tb \n\n c ')).toBe('a b c');
  });
});

describe('textOf', () => {
  it('is nothing for what is no text', () => {
    expect([textOf('a'), textOf(1), textOf(null), textOf(undefined)]).toEqual(['a', '', '', '']);
  });
});

describe('jsonText', () => {
  it('says the same without a character that a terminal acts on', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const json = jsonText({ text });
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify({ text })));
        expect(json).not.toMatch(CONTROL);
        expect(json).not.toMatch(/[\n\u2028\u2029\u202a-\u202e\u2066-\u2069]/);
      }),
    );
  });

  it('has something for what has no JSON', () => {
    expect(jsonText(undefined)).toBe('null');
  });

  it('is indented where that is wanted', () => {
    expect(jsonText({ a: 1 }, 2)).toBe('{\n  "a": 1\n}');
  });
});
