import { describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { isStandardSchema, sentencesOf } from '../../../src/bridge/toolkit/standard.js';

describe('a schema of a library', () => {
  it('may be an object or a function', () => {
    const standard = { version: 1, vendor: 'own', validate: () => ({ value: 1 }) };
    expect(isStandardSchema(z.string())).toBe(true);
    expect(isStandardSchema(Object.assign(() => 1, { '~standard': standard }))).toBe(true);
  });

  it.each([undefined, null, 'text', {}, { '~standard': {} }, { '~standard': null }, { type: 'object' }])(
    'is not %j',
    (value) => {
      expect(isStandardSchema(value)).toBe(false);
    },
  );

  it('says what is wrong where, of many issues the first ten', () => {
    expect(
      sentencesOf([
        { message: 'all of it' },
        { message: 'a', path: ['list', 0, { key: 'name' }] },
        { message: 'b', path: [Symbol('s')] },
      ]),
    ).toEqual(['all of it', 'list.0.name: a', 'Symbol(s): b']);
    expect(sentencesOf(Array.from({ length: 12 }, () => ({ message: 'x' }))).at(-1)).toBe('and 2 more');
    expect(sentencesOf([null as never])).toEqual(['null']);
  });
});
