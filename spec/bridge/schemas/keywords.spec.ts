import { describe, expect, it } from '@jest/globals';
import { dependedOn, fitting, type Holds, holdsOf, isSchema, typesIn } from '../../../src/bridge/schemas/keywords.js';

const KEYWORDS: readonly (readonly [Holds, string])[] = [
  ['schema', 'items contains propertyNames not if then else contentSchema'],
  ['open-schema', 'additionalProperties additionalItems unevaluatedItems unevaluatedProperties'],
  ['schemas', 'allOf anyOf oneOf prefixItems'],
  ['named-schemas', 'properties patternProperties dependentSchemas $defs definitions'],
  ['dependencies', 'dependencies'],
  ['text', 'title description $comment format contentEncoding contentMediaType'],
  ['number', 'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf'],
  ['count', 'minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains'],
  ['flag', 'deprecated readOnly writeOnly uniqueItems'],
  ['names', 'required'],
  ['dependent-names', 'dependentRequired'],
  ['values', 'enum examples'],
  ['type', 'type'],
  ['pattern', 'pattern'],
  ['nothing', '$schema $id $anchor $dynamicAnchor $dynamicRef $recursiveRef $recursiveAnchor $vocabulary'],
  ['data', '$ref const default x-mcp-header nullable toString __proto__'],
];

const under = (keyword: string, value: unknown): unknown => fitting(keyword, holdsOf(keyword), value, { refs: 'keep' });

describe('a keyword of JSON Schema', () => {
  it.each(KEYWORDS)('holds what its kind does: %s', (holds, keywords) => {
    for (const keyword of keywords.split(' ')) expect([keyword, holdsOf(keyword)]).toEqual([keyword, holds]);
  });

  it.each<readonly [string, unknown]>([
    ['title', ''],
    ['minimum', -1.5],
    ['multipleOf', 0.01],
    ['minLength', 0],
    ['maxItems', 7],
    ['uniqueItems', false],
    ['required', []],
    ['required', ['a', 'b']],
    ['dependentRequired', { a: ['b'], c: [] }],
    ['enum', [null]],
    ['type', 'object'],
    ['type', ['string', 'null']],
    ['pattern', '^a$'],
    ['const', undefined],
    ['default', { x: 1 }],
  ])('keeps what may stand under it: %s %j', (keyword, value) => {
    expect(under(keyword, value)).toStrictEqual(value);
  });

  it.each<readonly [string, unknown]>([
    ['title', 5],
    ['minimum', '1'],
    ['multipleOf', 0],
    ['multipleOf', -1],
    ['multipleOf', '1'],
    ['minLength', -1],
    ['minLength', 1.5],
    ['minLength', '1'],
    ['uniqueItems', 1],
    ['required', 'a'],
    ['required', { a: true }],
    ['dependentRequired', ['a']],
    ['dependentRequired', 'a'],
    ['enum', []],
    ['enum', 'a'],
    ['enum', { length: 1 }],
    ['type', 'any'],
    ['type', 5],
    ['type', []],
    ['type', undefined],
    ['pattern', '('],
    ['pattern', 5],
    ['$id', 'x'],
  ])('has nothing under it in place of what may not stand there: %s %j', (keyword, value) => {
    expect(under(keyword, value)).toBeUndefined();
  });

  it('holds what was nearly right as it should have been', () => {
    expect(under('required', ['a', 5, 'a', 'b'])).toEqual(['a', 'b']);
    expect(under('type', ['STRING', 5, 'string', 'any', 'Null'])).toEqual(['string', 'null']);
    expect(under('type', ['STRING', 'any'])).toBe('string');
    expect(under('type', 'STRING')).toBe('string');
    expect(under('dependentRequired', { a: 'b', b: ['c', 5, 'c'], c: 5 })).toStrictEqual({ a: ['b'], b: ['c'] });
  });

  it('holds a pattern that its rules take', () => {
    const rules = { refs: 'keep', takesPattern: (pattern: string) => pattern !== 'b' } as const;
    expect(fitting('pattern', 'pattern', 'a', rules)).toBe('a');
    expect(fitting('pattern', 'pattern', 'b', rules)).toBeUndefined();
    // Unicode is meant, as JSON Schema has it.
    expect([under('pattern', '\\p{L}'), under('pattern', '\\-')]).toEqual(['\\p{L}', undefined]);
  });
});

describe('the types that a value names', () => {
  it('are those of JSON Schema, each once', () => {
    const all = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];
    expect(typesIn(all)).toEqual(all);
    for (const type of all) expect(typesIn(type.toUpperCase())).toEqual([type]);
    expect(typesIn(['string', 'String', 'any', 5, null])).toEqual(['string']);
    for (const value of ['any', 5, null, undefined, {}, []]) expect(typesIn(value)).toEqual([]);
  });
});

describe('what something depends on', () => {
  it('is a list of names, or one name', () => {
    expect(dependedOn(['a', 5, 'a'])).toEqual(['a']);
    expect(dependedOn('a')).toEqual(['a']);
    for (const value of [5, {}, null, undefined]) expect(dependedOn(value)).toBeUndefined();
  });
});

describe('a schema', () => {
  it('is an object, or true or false', () => {
    for (const value of [{}, true, false]) expect(isSchema(value)).toBe(true);
    for (const value of [null, [], 'a', 5, undefined]) expect(isSchema(value)).toBe(false);
  });
});
