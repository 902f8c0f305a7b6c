import { describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { convert, ofObject, written } from '../../../src/bridge/toolkit/json-schema.js';
import type { StandardSchema } from '../../../src/bridge/toolkit/standard.js';
import { OptionError } from '../../../src/index.js';

const own = (vendor: string, standard: object = {}, methods: object = {}): StandardSchema => ({
  '~standard': { version: 1, vendor, validate: (value) => ({ value }), ...standard },
  ...methods,
});

const refuse = () => {
  throw new Error('cannot be written');
};

describe('the JSON Schema of a library schema', () => {
  it('is of the side that is declared', () => {
    const schema = z.object({ n: z.number().default(1) });
    expect(convert(schema, 'input', 't.input')).not.toHaveProperty('required');
    expect(convert(schema, 'output', 't.output')).toHaveProperty('required', ['n']);
  });

  it('is of draft-07 where the library writes no 2020-12', () => {
    const input = ({ target }: { target: string }) => (target === 'draft-07' ? { $id: target } : refuse());
    expect(convert(own('own', { jsonSchema: { input, output: refuse } }), 'input', 't.input')).toEqual({
      $id: 'draft-07',
    });
  });

  it("is by the library's own method where it knows no other", () => {
    expect(convert(own('arktype', {}, { toJsonSchema: () => ({ a: 1 }) }), 'input', 't.input')).toEqual({ a: 1 });
    const toJSONSchema = ({ io }: { io: string }) => ({ io });
    expect(convert(own('zod', {}, { toJSONSchema }), 'output', 't.output')).toEqual({ io: 'output' });
  });

  it.each([
    [
      'valibot',
      {},
      'valibot makes no JSON Schema of it; give its JSON Schema as inputJsonSchema, or wrap the schema by',
    ],
    ['own', {}, 'own makes no JSON Schema of it; give its JSON Schema as inputJsonSchema'],
    ['constructor', {}, 'constructor makes no JSON Schema of it; give its JSON Schema as inputJsonSchema'],
    ['own', { jsonSchema: { input: refuse } }, 'cannot be written; give its JSON Schema as inputJsonSchema'],
    ['own', { jsonSchema: { input: () => 'text' } }, 'own makes no JSON Schema of it'],
  ])('of %s is an OptionError with the remedy, where there is none', (vendor, standard, words) => {
    expect(() => convert(own(vendor, standard), 'input', 't.input')).toThrow(words);
    expect(() => convert(own(vendor, standard), 'input', 't.input')).toThrow(OptionError);
  });
});

describe('a JSON Schema', () => {
  it('is a plain object', () => {
    expect(written({ type: 'object', title: undefined }, 't.input')).toStrictEqual({ type: 'object' });
    for (const value of [null, [], 'object', true]) expect(() => written(value, 't.input')).toThrow(OptionError);
  });

  it('of arguments is that of an object, and says so', () => {
    expect(ofObject({ properties: {} }, 't.input')).toEqual({ properties: {}, type: 'object' });
    expect(() => ofObject({ type: ['object', 'null'] }, 't.input')).toThrow(/takes \["object","null"\]/);
  });
});
