import { describe, expect, it } from '@jest/globals';
import { helpLine, kindText, propertiesOf, readSchema, signatureText } from '../../../src/cli/input/schema.js';

describe('readSchema', () => {
  it.each([
    [{ type: 'string' }, ['string']],
    [{ type: ['string', 'null'] }, ['string', 'null']],
    [{ anyOf: [{ type: 'number' }, { type: 'null' }] }, ['number', 'null']],
    [{ oneOf: [{ const: 'a' }, { const: 1 }] }, ['string', 'number']],
    [{ enum: ['a', 1, null] }, ['string', 'number', 'null']],
    [{ anyOf: [{ type: 'number' }, {}] }, []],
    [{}, []],
    [true, []],
    [null, []],
  ])('finds the types of %j', (schema, types) => {
    expect(readSchema(schema).types).toEqual(types);
  });

  it('follows a reference inside of its document, and is not led in circles', () => {
    const root = { $defs: { 'a/b': { type: 'integer', description: 'there' }, loop: { $ref: '#/$defs/loop' } } };
    expect(readSchema({ $ref: '#/$defs/a~1b' }, root)).toMatchObject({ types: ['integer'], description: 'there' });
    expect(readSchema({ $ref: '#/$defs/loop' }, root).types).toEqual([]);
    expect(readSchema({ $ref: 'https://example.com' }, root).types).toEqual([]);
  });
});

describe('what is told of an argument', () => {
  it.each([
    [{ type: 'integer' }, 'integer'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ type: 'array', items: { type: 'string' } }, 'string[]'],
    [{ type: 'array' }, 'array'],
    [{ type: 'string', enum: ['a', 'b'] }, '"a" | "b"'],
    [{ type: 'string', enum: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] }, 'string'],
    [{}, 'any'],
  ])('is the kind of %j', (schema, kind) => {
    expect(kindText(schema)).toBe(kind);
  });

  it('is a line of help', () => {
    const schema = { type: 'integer', description: 'how many', default: 3 };
    expect(helpLine('count', schema, false, schema)).toBe('count (integer, default 3): how many');
    expect(helpLine('id', { type: 'string', title: 'Id' }, true, {})).toBe('id (string, required): Id');
  });

  it('is one line for all of a tool', () => {
    const properties = { a: { type: 'number' }, b: { type: 'string' } };
    expect(signatureText({ type: 'object', properties, required: ['a'] })).toBe('a: number, b?: string');
    expect(signatureText({ type: 'object' })).toBe('');
    expect(signatureText(null)).toBe('');
  });
});

describe('propertiesOf', () => {
  it('is nothing where a schema is odd', () => {
    expect(propertiesOf({ properties: [], required: 'a' })).toEqual({ properties: {}, required: [] });
    expect(propertiesOf({ required: ['a', 1] })).toEqual({ properties: {}, required: ['a'] });
  });
});
