import { describe, expect, it } from '@jest/globals';
import { geminiRules } from '../../../src/bridge/formats/gemini-schema.js';
import { Report } from '../../../src/bridge/schemas/index.js';

type Side = 'before' | 'after';

const made = (side: Side, schema: object): { readonly schema: object | undefined; readonly changes: string[] } => {
  const report = new Report('t');
  const result = geminiRules[side]?.({ ...schema }, '/s', report);
  return { schema: result, changes: report.changes.map(({ action, path, reason }) => `${action} ${path}: ${reason}`) };
};

const KNOWN = {
  ...{ type: 'object', format: 'f', title: 'T', description: 'D', enum: ['a'], anyOf: [{}], minimum: 1, maximum: 2 },
  ...{ items: {}, prefixItems: [{}], minItems: 1, maxItems: 2 },
  ...{ properties: {}, additionalProperties: false, required: ['a'], propertyOrdering: ['a'] },
};

const APART = 'changed /s/type: each of its types has a schema of its own';

describe('a schema for Gemini, before its subschemas are made legal', () => {
  it('keeps the keywords that Gemini knows, in their order, and loses all others', () => {
    expect(made('before', KNOWN)).toEqual({ schema: KNOWN, changes: [] });
    expect(made('before', { pattern: 'a', type: 'string', $ref: '#', minLength: 1 })).toEqual({
      schema: { type: 'string' },
      changes: ['pattern', '$ref', 'minLength'].map((keyword) => `dropped /s/${keyword}: Gemini does not know it`),
    });
  });

  it.each<readonly [string, object, object, readonly string[]]>([
    ['a constant', { const: null }, { enum: [null] }, ['changed /s/const: an enum of one says the same']],
    [
      'a constant of several',
      { const: 1, enum: [1, 2] },
      { enum: [1, 2] },
      ['changed /s/const: an enum of one says the same'],
    ],
    ['one of several', { oneOf: [{}] }, { anyOf: [{}] }, ['changed /s/oneOf: Gemini takes it for anyOf']],
    [
      'one of several beside others',
      { oneOf: [{}], anyOf: [{ type: 'null' }] },
      { anyOf: [{ type: 'null' }] },
      ['dropped /s/oneOf: Gemini does not know it'],
    ],
    [
      'what may be null',
      { type: 'string', nullable: true },
      { type: ['string', 'null'] },
      ['changed /s/nullable: a list of types says it in JSON Schema'],
    ],
    [
      'what may not',
      { type: 'string', nullable: false },
      { type: 'string' },
      ['dropped /s/nullable: Gemini does not know it'],
    ],
    ['null of any type', { nullable: true }, {}, ['dropped /s/nullable: Gemini does not know it']],
    [
      'an exclusive minimum',
      { type: 'integer', exclusiveMinimum: 1 },
      { type: 'integer', minimum: 2 },
      ['changed /s/exclusiveMinimum: minimum is what Gemini knows'],
    ],
    [
      'an exclusive maximum',
      { type: 'integer', exclusiveMaximum: 1 },
      { type: 'integer', maximum: 0 },
      ['changed /s/exclusiveMaximum: maximum is what Gemini knows'],
    ],
    [
      'a bound that is no whole number',
      { type: 'integer', exclusiveMaximum: 1.5 },
      { type: 'integer', maximum: 1.5 },
      ['changed /s/exclusiveMaximum: maximum is what Gemini knows'],
    ],
    [
      'two bounds',
      { minimum: 0, exclusiveMinimum: 1 },
      { minimum: 0 },
      ['dropped /s/exclusiveMinimum: Gemini does not know it'],
    ],
    ['a bound that is none', { exclusiveMinimum: '1' }, {}, ['dropped /s/exclusiveMinimum: Gemini does not know it']],
  ])('says otherwise what Gemini does not know: %s', (_what, schema, expected, changes) => {
    const found = made('before', schema);
    expect(found.schema).toStrictEqual(expected);
    expect(found.changes).toEqual(changes);
  });

  it('has a schema for each of several types, with what is about values of that type', () => {
    const about = {
      array: { items: {}, prefixItems: [{}], minItems: 1, maxItems: 2 },
      object: { properties: {}, additionalProperties: false, required: ['a'], propertyOrdering: ['a'] },
      number: { minimum: 1, maximum: 2 },
      integer: { minimum: 1, maximum: 2 },
      string: { format: 'f' },
      boolean: {},
    };
    const types = Object.keys(about);
    const all = { ...about.array, ...about.object, ...about.number, ...about.string };
    expect(made('before', { title: 'T', enum: ['a'], type: types, ...all })).toEqual({
      schema: { title: 'T', enum: ['a'], anyOf: Object.entries(about).map(([type, own]) => ({ type, ...own })) },
      changes: [APART],
    });
  });

  it('may be of one type and null, and has its types together beside other alternatives', () => {
    for (const schema of [
      { type: ['string', 'null'], format: 'f' },
      { type: ['string', 'number'], anyOf: [{}] },
    ]) {
      expect(made('before', schema)).toEqual({ schema, changes: [] });
    }
    expect(made('before', { type: ['string', 'number', 'null'] })).toEqual({
      schema: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }] },
      changes: [APART],
    });
  });
});

describe('a schema for Gemini, after its subschemas were made legal', () => {
  const ENUM = 'changed /s/enum: Gemini takes texts and numbers there';

  it.each<readonly [object, object, readonly string[]]>([
    [{ enum: ['a', 'b'] }, { type: 'string', enum: ['a', 'b'] }, []],
    [{ enum: [1] }, { type: 'number', enum: [1] }, []],
    [{ enum: ['a', 1] }, { enum: ['a', 1] }, []],
    [{ type: 'string', enum: ['a'] }, { type: 'string', enum: ['a'] }, []],
    [{ anyOf: [{ type: 'string' }], enum: ['a'] }, { anyOf: [{ type: 'string' }], enum: ['a'] }, []],
    [{ enum: [true] }, { type: 'boolean' }, [ENUM]],
    [{ enum: [{}] }, {}, [ENUM]],
    [{ enum: [null] }, {}, [ENUM]],
    [{ enum: ['a', true] }, {}, [ENUM]],
    [{ type: 'string', enum: ['a', {}] }, { type: 'string' }, [ENUM]],
    [{ enum: ['a', null] }, { type: ['string', 'null'], enum: ['a'] }, [ENUM]],
    [{ type: ['string', 'null'], enum: ['a', null] }, { type: ['string', 'null'], enum: ['a'] }, [ENUM]],
  ])('has a choice of texts and numbers, with their type: %j', (schema, expected, changes) => {
    const found = made('after', schema);
    expect(found.schema).toStrictEqual(expected);
    expect(found.changes).toEqual(changes);
  });

  it('asks for the properties it describes', () => {
    const told = ['changed /s/required: Gemini asks for no property that is not described'];
    const described = { properties: { a: {} }, required: ['a'] };
    expect(made('after', described)).toEqual({ schema: described, changes: [] });
    expect(made('after', { ...described, required: ['a', 'b'] })).toEqual({ schema: described, changes: told });
    expect(made('after', { properties: { a: {} }, required: ['b'] })).toEqual({
      schema: { properties: { a: {} } },
      changes: told,
    });
    for (const bare of [{ required: ['a'] }, { required: [] }]) {
      expect(made('after', bare)).toEqual({ schema: {}, changes: told });
    }
  });

  it('has alternatives each of which says something', () => {
    const telling = { title: 'T', anyOf: [{ type: 'string' }] };
    expect(made('after', telling)).toEqual({ schema: telling, changes: [] });
    for (const idle of [{}, true, 5]) {
      expect(made('after', { title: 'T', anyOf: [{ type: 'string' }, idle] })).toEqual({
        schema: { title: 'T' },
        changes: ['dropped /s/anyOf: one of its alternatives says nothing to Gemini'],
      });
    }
  });
});

describe('the rules for Gemini', () => {
  it('leave no references and compositions', () => {
    expect([geminiRules.refs, geminiRules.mergeAllOf]).toEqual(['inline', true]);
  });
});
