import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatOf, LLM_FORMATS } from '../../../src/bridge/formats/index.js';
import type { LlmFormat } from '../../../src/bridge/provider.js';
import { type DeclarationChange, normalise, Report } from '../../../src/bridge/schemas/index.js';

interface Made {
  readonly schema: unknown;
  /** `action path: reason`, the paths without the first step. */
  readonly changes: readonly string[];
}

const made = (schema: unknown, format: LlmFormat = 'openai'): Made => {
  const report = new Report('t');
  const result = normalise(schema, formatOf(format).schemas, report);
  const told = ({ action, path, reason }: DeclarationChange): string =>
    `${action} ${path.replace('/inputSchema', '')}: ${reason}`;
  return { schema: result, changes: report.changes.map(told) };
};

const object = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more });

const OPEN = { type: 'object', properties: {} };

describe('an input schema that every API takes', () => {
  it.each(LLM_FORMATS)('stays as it is, keys in their order, with nothing to tell: %s', (format) => {
    const schema = {
      additionalProperties: false,
      required: ['b'],
      properties: {
        b: { description: 'B', type: 'string', enum: ['x', 'y'] },
        a: { type: 'array', items: { type: 'number' } },
      },
      type: 'object',
    };
    expect(JSON.stringify(made(schema, format).schema)).toBe(JSON.stringify(schema));
    expect(made(schema, format).changes).toEqual([]);
  });

  it('is a copy: the schema of the server is neither touched nor shared', () => {
    const schema = object({ a: { type: 'string', default: { x: [1] } }, b: { type: 'array', items: [{}] } });
    const before = JSON.stringify(schema);
    const result = made(schema).schema as { properties: { a: { default: { x: number[] } } } };
    result.properties.a.default.x.push(2);
    expect(JSON.stringify(schema)).toBe(before);
  });

  it('may be frozen through and through', () => {
    const schema = Object.freeze(object(Object.freeze({ a: Object.freeze({ type: 'ARRAY' }) })));
    expect(made(schema).schema).toEqual(object({ a: { type: 'array', items: {} } }));
  });
});

describe('an input schema that is of no use', () => {
  it.each<[string, unknown, string]>([
    ['absent', undefined, 'there is none'],
    ['null', null, 'it is no object'],
    ['a text', 'object', 'it is no object'],
    ['a list', [], 'it is no object'],
    ['a function', () => ({}), 'it is no object'],
    ['of another type', { type: 'string', minLength: 1 }, 'it describes no object'],
    ['of other types', { type: ['string', 'null'] }, 'it describes no object'],
    [
      'too large',
      object({ a: { enum: Array.from({ length: 20_001 }, (_, n) => n) } }),
      'it has more than 20000 values',
    ],
    [
      'full of schemas',
      object(Object.fromEntries(Array.from({ length: 5_001 }, (_, n) => [n, {}]))),
      'it has more than 5000 subschemas',
    ],
  ])('is replaced by one that takes any object: %s', (_what, schema, reason) => {
    for (const format of LLM_FORMATS) {
      expect(made(schema, format)).toEqual({ schema: OPEN, changes: [`replaced : ${reason}`] });
    }
  });

  it('is replaced also where reading it throws', () => {
    const schema = {
      type: 'object',
      get properties(): unknown {
        throw new Error('not today');
      },
    };
    expect(made(schema)).toEqual({ schema: OPEN, changes: ['replaced : not today'] });
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(made(proxy).schema).toEqual(OPEN);
  });
});

describe('the root of an input schema', () => {
  it('is an object with properties', () => {
    expect(made({})).toEqual({ schema: OPEN, changes: ['changed /type: the root is an object'] });
    expect(made({ type: 'object' })).toEqual({ schema: OPEN, changes: [] });
    expect(made({ ...OPEN, required: [] })).toEqual({ schema: { ...OPEN, required: [] }, changes: [] });
    expect(made({ type: ['object', 'null'], title: 'T' }).schema).toEqual({ ...OPEN, title: 'T' });
  });

  it('has what any of its alternatives has, and requires what all of them do', () => {
    const schema = object(
      { id: { type: 'string' } },
      {
        oneOf: [
          object({ kind: { const: 'a' }, x: {} }, { required: ['kind', 'x'] }),
          object({ kind: { const: 'b' }, y: {} }, { required: ['kind'] }),
          { type: 'null' },
        ],
        required: ['id'],
      },
    );
    for (const format of ['openai', 'openai-responses', 'anthropic', 'ai-sdk'] as const) {
      expect(made(schema, format)).toEqual({
        schema: object(
          { id: { type: 'string' }, kind: { anyOf: [{ const: 'a' }, { const: 'b' }] }, x: {}, y: {} },
          { required: ['id', 'kind'] },
        ),
        changes: ['changed /oneOf: its alternatives are one object, which takes what any of them takes'],
      });
    }
  });

  it('has what its alternatives have in common, where each refers to it', () => {
    const $defs = {
      Base: object({ id: {} }, { required: ['id'] }),
      A: { allOf: [{ $ref: '#/$defs/Base' }, object({ a: {} })] },
      B: { allOf: [{ $ref: '#/$defs/Base' }, object({ b: {} }, { required: ['b'] })] },
    };
    const schema = { type: 'object', anyOf: [{ $ref: '#/$defs/A' }, { $ref: '#/$defs/B' }], $defs };
    expect(made(schema, 'ai-sdk').schema).toEqual(object({ id: {}, a: {}, b: {} }, { required: ['id'] }));
  });

  it('asks for none of its properties where one of several had to be there', () => {
    const schema = object({ a: {}, b: {} }, { anyOf: [{ required: ['a'] }, { required: ['b'] }] });
    expect(made(schema).schema).toEqual(object({ a: {}, b: {} }));
  });

  it('has what all that it is composed of has', () => {
    const schema = {
      allOf: [{ $ref: '#/$defs/A' }, object({ b: { title: 'B' } }, { required: ['b'] })],
      properties: { b: { type: 'number' } },
      $defs: { A: object({ a: {} }, { required: ['a'] }) },
    };
    expect(made(schema).schema).toMatchObject(
      object({ a: {}, b: { type: 'number', title: 'B' } }, { required: ['a', 'b'] }),
    );
  });

  it('is what it refers to', () => {
    const schema = {
      $ref: '#/definitions/A',
      definitions: { A: object({ a: { $ref: '#/definitions/B' } }), B: { type: 'string' } },
    };
    expect(made(schema).schema).toMatchObject(object({ a: { $ref: '#/definitions/B' } }));
    expect(made(schema, 'ai-sdk').schema).toEqual(object({ a: { type: 'string' } }));
  });

  it('is no choice of values, and excludes none', () => {
    const schema = { ...OPEN, enum: [{}], const: {}, not: { required: ['a'] } };
    expect(made(schema)).toEqual({
      schema: OPEN,
      changes: ['enum', 'const', 'not'].map((keyword) => `dropped /${keyword}: APIs take none at the root`),
    });
  });

  it('is an object for Gemini, too, of whatever other types it may be', () => {
    expect(made({ title: 'T', type: ['object', 'string'], properties: { a: {} } }, 'gemini')).toEqual({
      schema: object({ a: {} }, { title: 'T' }),
      changes: ['changed /type: the root is an object'],
    });
    expect(JSON.stringify(made({ title: 'T' }).schema)).toBe('{"type":"object","title":"T","properties":{}}');
  });

  it('has, for Anthropic, only arguments whose names it takes', () => {
    const schema = object({ 'filter[x]': {}, a: object({ 'b c': {} }) }, { required: ['filter[x]', 'a'] });
    expect(made(schema).schema).toEqual(schema);
    expect(made(schema, 'anthropic')).toEqual({
      schema: object({ a: object({ 'b c': {} }) }, { required: ['a'] }),
      changes: ['dropped /properties/filter[x]: the name of an argument fits /^[a-zA-Z0-9_.-]{1,64}$/'],
    });
    expect(made(object({ 'a b': {} }, { required: ['a b'] }), 'anthropic').schema).toEqual(OPEN);
  });
});

describe('a reference in an input schema', () => {
  const tree = object(
    { root: { $ref: '#/$defs/Node' } },
    { $defs: { Node: object({ kids: { type: 'array', items: { $ref: '#/$defs/Node' } } }) } },
  );

  it('stays where an API follows it, also one that leads back', () => {
    for (const format of ['openai', 'openai-responses', 'anthropic'] as const) {
      expect(made(tree, format)).toEqual({ schema: tree, changes: [] });
    }
  });

  it('gives way to what it refers to elsewhere, once around', () => {
    for (const format of ['gemini', 'ai-sdk'] as const) {
      const { schema, changes } = made(tree, format);
      expect(schema).toEqual(object({ root: object({ kids: { type: 'array', items: { type: 'object' } } }) }));
      expect(changes).toContain('replaced /properties/root/properties/kids/items/$ref: it leads back to itself');
    }
  });

  it('gives way inside of dependencies, too', () => {
    const refers = { $ref: '#/$defs/A' };
    const inner = { dependencies: { a: refers }, dependentSchemas: { a: refers }, additionalItems: refers };
    const schema = object({ b: inner }, { ...inner, $defs: { A: { title: 'A' } } });
    const { schema: result } = made(schema, 'ai-sdk');
    const found = { title: 'A' };
    const expected = { dependencies: { a: found }, dependentSchemas: { a: found }, additionalItems: found };
    expect(result).toEqual(object({ b: expected }, expected));
    expect(JSON.stringify(made(schema, 'gemini').schema)).not.toContain('$ref');
    expect(made(schema)).toEqual({ schema, changes: [] });
  });

  it('gives way everywhere where it leads into the middle of the schema', () => {
    const schema = object({
      a: { type: 'array', items: [{ title: 'First' }] },
      b: { $ref: '#/properties/a/items/0' },
      c: { $ref: '#' },
    });
    expect(made(schema).schema).toMatchObject({ properties: { b: { title: 'First' }, c: { type: 'object' } } });
  });

  it('finds names that are escaped, and does not mistake what an object inherits for a name', () => {
    const defs = { 'a/b~ü': { title: 'Found' } };
    const schema = object(
      { a: { $ref: '#/$defs/a~1b~0%C3%BC' }, b: { $ref: '#/$defs/toString' }, c: { $ref: '#/$defs/%' } },
      { $defs: defs },
    );
    expect(made(schema, 'ai-sdk').schema).toEqual(object({ a: { title: 'Found' }, b: {}, c: {} }));
  });

  it.each<[unknown]>([['#/$defs/None'], ['https://example.com/a.json'], ['#anchor'], [5]])(
    'to nothing is dropped: %j',
    (ref) => {
      for (const format of LLM_FORMATS) {
        const { schema, changes } = made(object({ a: { $ref: ref, title: 'A' } }), format);
        expect(schema).toEqual(object({ a: { title: 'A' } }));
        expect(changes).toEqual(['dropped /properties/a/$ref: it refers to nothing in the schema']);
      }
    },
  );

  it('that only leads back is no reference', () => {
    const schema = object(
      { a: { $ref: '#/$defs/A' } },
      { $defs: { A: { $ref: '#/$defs/B' }, B: { $ref: '#/$defs/A' } } },
    );
    expect(made(schema, 'ai-sdk').schema).toEqual(object({ a: {} }));
    expect(JSON.stringify(made(schema).schema)).not.toContain('$ref');
  });

  it('is followed less deep where there would be no end of it', () => {
    const names = Array.from({ length: 12 }, (_, index) => `T${index}`);
    const all = Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }]));
    const schema = object(all, { $defs: Object.fromEntries(names.map((name) => [name, object(all)])) });
    const { schema: result, changes } = made(schema, 'gemini');
    expect(Object.keys((result as { properties: object }).properties)).toEqual(names);
    expect(changes.some((change) => change.endsWith('there are too many references inside references'))).toBe(true);
    expect(JSON.stringify(result).length).toBeLessThan(20_000);
    expect(made(schema).schema).toEqual(schema);
  });
});

describe('a keyword in an input schema', () => {
  it.each<[string, object, object]>([
    ['a type in capitals', { type: 'STRING' }, { type: 'string' }],
    ['a type that JSON Schema does not know', { type: 'any' }, {}],
    ['a list of one type', { type: ['string', 'any'] }, { type: 'string' }],
    ['a dialect', { $schema: 'http://json-schema.org/draft-07/schema#', $id: 'x' }, {}],
    [
      'a tuple',
      { type: 'array', items: [{ type: 'string' }] },
      { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'string' } },
    ],
    [
      'an open tuple',
      { items: [{}], additionalItems: { type: 'null' } },
      { prefixItems: [{}], items: { type: 'null' } },
    ],
    [
      'a closed tuple',
      { type: 'array', prefixItems: [{}, { type: 'null' }], items: false },
      { type: 'array', prefixItems: [{}, { type: 'null' }], items: { anyOf: [{}, { type: 'null' }] } },
    ],
    ['an array of anything', { type: ['array', 'null'] }, { type: ['array', 'null'], items: {} }],
    ['an exclusive bound of draft 4', { minimum: 1, exclusiveMinimum: true }, { exclusiveMinimum: 1 }],
    ['an inclusive bound of draft 4', { maximum: 1, exclusiveMaximum: false }, { maximum: 1 }],
    ['required of draft 3', { type: 'string', required: true }, { type: 'string' }],
    ['required twice', { required: ['a', 'a', 5] }, { required: ['a'] }],
    ['an empty choice', { enum: [] }, {}],
    ['a title that is no text', { title: 5, description: null }, {}],
    ['a count below zero', { minLength: -1, maxItems: 1.5, minItems: 0 }, { minItems: 0 }],
    ['a multiple of nothing', { multipleOf: 0 }, {}],
    ['a pattern that is none', { pattern: '(' }, {}],
    ['a pattern of names that is none', { patternProperties: { '(': {}, a: {} } }, { patternProperties: { a: {} } }],
    ['names that depend on nothing that is a list', { dependentRequired: ['a'] }, {}],
    [
      'names that depend on what is no list of names',
      { dependentRequired: { a: 'b', b: ['c', 'c', 5], c: {}, d: [] } },
      { dependentRequired: { a: ['b'], b: ['c'], d: [] } },
    ],
    ['dependencies that are none', { dependencies: 'a' }, {}],
    [
      'dependencies of older drafts',
      { dependencies: { a: 'b', b: ['c', 'c', 5], c: { type: 'STRING' }, d: 5, e: true, f: false } },
      { dependencies: { a: ['b'], b: ['c'], c: { type: 'string' }, e: {} } },
    ],
    ['a flag that is no flag', { uniqueItems: 'yes' }, {}],
    ['alternatives that are none', { anyOf: [], oneOf: {}, allOf: [5] }, {}],
    [
      'schemas that are true or false',
      { anyOf: [true, false, {}], additionalProperties: false },
      { anyOf: [{}, {}], additionalProperties: false },
    ],
    [
      'properties that are no schemas',
      { properties: { a: 5, b: true, c: false, d: {} } },
      { properties: { b: {}, d: {} } },
    ],
    ['an exclusion of what nobody knows', { not: { $id: 'a' } }, {}],
    ['definitions inside', { $defs: { A: {} } }, {}],
    ['what JSON cannot write', { default: 1n, examples: [undefined, () => 1, NaN] }, { examples: [null, null, null] }],
    ['half a character', { description: 'a\ud83d' }, { description: 'a\ufffd' }],
    [
      'what JSON Schema does not know',
      { 'x-mcp-header': 'A', nullable: true },
      { 'x-mcp-header': 'A', nullable: true },
    ],
  ])('becomes what it can be: %s', (_what, inner, expected) => {
    const { schema, changes } = made(object({ a: inner }));
    expect(schema).toEqual(object({ a: expected }));
    expect(changes.length > 0).toBe(!isDeepStrictEqual(inner, expected));
  });

  it('is, as a pattern, one that OpenAI reads', () => {
    const ahead = ['\\1(a)', '(a\\1)', '(?:\\1)(a)', '(a)(\\2)', '\\\\\\1(a)'];
    const patterns = [...ahead, '^\\p{L}+$', '(?<year>\\d+)', '\\u{1f600}', '(?<=a)b', '\\cA', '[^]'];
    for (const pattern of patterns) expect(made(object({ a: { pattern } })).schema).toEqual(object({ a: {} }));
    const behind = ['(a)\\1', '((a)\\2)\\1', '(?:(a))\\1', '[(](a)\\1', '\\\\1(a)', '\\(\\)(a)|\\1\\0'];
    for (const pattern of [...behind, '^[a-z]+$', '\\\\p', '(?:a|b)(?=c)(?!d)']) {
      expect(made(object({ a: { pattern } })).schema).toEqual(object({ a: { pattern } }));
    }
    expect(made(object({ a: { pattern: '^\\p{L}+$' } }), 'anthropic').changes).toEqual([]);
  });

  it('is, as a pattern of names, one that the format takes', () => {
    const schema = object({}, { patternProperties: { '^\\p{L}+$': { title: 'L' }, '^x-': { title: 'X' } } });
    const kept = object({}, { patternProperties: { '^x-': { title: 'X' } } });
    for (const format of ['openai', 'openai-responses', 'ai-sdk'] as const) {
      expect(made(schema, format)).toEqual({
        schema: kept,
        changes: ['dropped /patternProperties/^\\p{L}+$: it is no pattern that the API takes'],
      });
    }
    expect(made(schema, 'anthropic')).toEqual({ schema, changes: [] });
  });

  it('is, under a name that something depends on, a list of names or a schema, and stays if it is', () => {
    const schema = object(
      { a: {}, b: {} },
      { dependentRequired: { a: ['b'] }, dependencies: { a: ['b'], b: { title: 'B' } }, dependentSchemas: { a: {} } },
    );
    for (const format of ['openai', 'anthropic', 'ai-sdk'] as const) {
      expect(made(schema, format)).toEqual({ schema, changes: [] });
    }
    expect(made(object({}, { dependencies: { a: 'b', c: 5 } })).changes).toEqual([
      'changed /dependencies/a: JSON Schema has something else there',
      'dropped /dependencies/c: JSON Schema has something else there',
    ]);
  });

  it('is taken for what it is: a property called like a keyword is a property', () => {
    const properties = {
      type: { type: 'string' },
      $ref: { type: 'string' },
      items: {},
      enum: {},
      required: {},
      $defs: {},
    };
    expect(made(object(properties))).toEqual({ schema: object(properties), changes: [] });
    const dangerous = JSON.parse('{"__proto__":{"type":"string"},"constructor":{}}') as object;
    const { properties: kept } = made(object(dangerous)).schema as { properties: object };
    expect(Object.keys(kept)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(kept)).toBe(Object.prototype);
  });
});

describe('what is told of a keyword', () => {
  const MISFIT = 'JSON Schema has something else there';

  it.each<readonly [object, readonly string[]]>([
    [
      { not: { $id: 'a' } },
      ['dropped /not/$id: it says nothing about the arguments', 'dropped /not: nothing would be left'],
    ],
    [{ title: 5 }, [`dropped /title: ${MISFIT}`]],
    [{ type: 'STRING' }, [`changed /type: ${MISFIT}`]],
    [{ items: 5 }, [`dropped /items: ${MISFIT}`]],
    [{ items: true }, ['changed /items: a schema is an object']],
    [{ items: false }, ['dropped /items: a schema that takes nothing is no schema to an API']],
    [{ anyOf: [5, {}] }, [`dropped /anyOf/0: ${MISFIT}`]],
    [{ anyOf: [] }, [`dropped /anyOf: ${MISFIT}`]],
    [{ oneOf: 'abc' }, [`dropped /oneOf: ${MISFIT}`]],
    [{ properties: 'abc' }, [`dropped /properties: ${MISFIT}`]],
    [{ patternProperties: [{}] }, [`dropped /patternProperties: ${MISFIT}`]],
    [{ dependencies: [['b']] }, [`dropped /dependencies: ${MISFIT}`]],
    [{ $defs: { A: {} } }, ['dropped /$defs: what it defines stands where it is used']],
    [{ type: 'array' }, ['changed /items: the schema of an array says what is in it']],
  ])('is what became of it, and why: %j', (inner, expected) => {
    const told = expected.map((change) => change.replace(' /', ' /properties/a/'));
    expect(made(object({ a: inner })).changes).toEqual(told);
  });

  it.each<readonly [object]>([
    [{ contains: {}, propertyNames: {}, if: {} }],
    [{ not: { type: 'null' } }],
    [{ properties: { '(': {}, '[': {} } }],
    [{ allOf: [{ title: 'A' }, { type: 'string' }] }],
    [{ additionalProperties: true, additionalItems: false }],
    [{ anyOf: [{ type: ['array', 'null'], items: { title: 'T' } }] }],
  ])('is nothing where it stays as it is: %j', (inner) => {
    expect(made(object({ a: inner }))).toEqual({ schema: object({ a: inner }), changes: [] });
  });

  it('leaves nothing of what is dropped, not even its name', () => {
    const { schema } = made(object({ a: { dependencies: { a: ['b'], c: 5 }, title: 5 } }));
    expect(schema).toStrictEqual(object({ a: { dependencies: { a: ['b'] } } }));
  });

  it('is that a definition is a schema, be it one that takes nothing', () => {
    const refers = { a: { $ref: '#/$defs/A' } };
    expect(made(object(refers, { $defs: { A: false, B: true, C: 5 } }))).toEqual({
      schema: object(refers, { $defs: { A: {}, B: {} } }),
      changes: ['changed /$defs/B: a schema is an object', `dropped /$defs/C: ${MISFIT}`],
    });
  });
});

describe('an input schema without end', () => {
  it('is cut where it is more than 64 schemas deep', () => {
    const listed = (depth: number): object => (depth === 0 ? { type: 'string' } : { items: listed(depth - 1) });
    expect(made(object({ a: listed(63) }))).toEqual({ schema: object({ a: listed(63) }), changes: [] });
    expect(made(object({ a: listed(64) })).changes).toEqual([
      `replaced /properties/a${'/items'.repeat(64)}: it is nested more than 64 schemas deep`,
    ]);
  });

  it('is cut where it contains itself', () => {
    const schema = object({}) as { properties: Record<string, unknown> };
    schema.properties['self'] = schema;
    expect(made(schema)).toEqual({
      schema: object({ self: {} }),
      changes: ['replaced /properties/self: it contains itself'],
    });
  });

  it('may use one object in several places', () => {
    const shared = { type: 'string' };
    expect(made(object({ a: shared, b: shared }))).toEqual({ schema: object({ a: shared, b: shared }), changes: [] });
  });

  it('is cut where it is too deep', () => {
    let schema: unknown = { type: 'string' };
    for (let level = 0; level < 50_000; level += 1) schema = object({ x: schema });
    for (const format of LLM_FORMATS) {
      const { schema: result, changes } = made(schema, format);
      expect(JSON.stringify(result).length).toBeLessThan(5_000);
      expect(changes.length).toBeGreaterThan(0);
    }
    let composed: unknown = OPEN;
    for (let level = 0; level < 50_000; level += 1) composed = { allOf: [composed] };
    for (const format of LLM_FORMATS) expect(made(composed, format).schema).toMatchObject({ type: 'object' });
  });
});

describe('an input schema for Gemini', () => {
  it.each<[string, object, object]>([
    ['a constant', { const: 'x' }, { type: 'string', enum: ['x'] }],
    [
      'one of several',
      { oneOf: [{ type: 'string' }, { type: 'null' }] },
      { anyOf: [{ type: 'string' }, { type: 'null' }] },
    ],
    ['nullable', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
    ['a type and null', { type: ['string', 'null'] }, { type: ['string', 'null'] }],
    [
      'several types',
      { type: ['string', 'array'], items: {}, title: 'T' },
      { title: 'T', anyOf: [{ type: 'string' }, { type: 'array', items: {} }] },
    ],
    [
      'exclusive bounds',
      { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 9 },
      { type: 'integer', minimum: 1, maximum: 8 },
    ],
    ['exclusive bounds of a fraction', { type: 'number', exclusiveMinimum: 0 }, { type: 'number', minimum: 0 }],
    ['a choice with null', { type: 'string', enum: ['a', null] }, { type: ['string', 'null'], enum: ['a'] }],
    ['a choice of flags', { enum: [true, false] }, { type: 'boolean' }],
    ['a choice of different things', { enum: ['a', true] }, {}],
    ['a choice of numbers', { enum: [1, 2] }, { type: 'number', enum: [1, 2] }],
    [
      'merged schemas',
      { allOf: [{ type: 'string' }, { title: 'T' }], description: 'D' },
      { description: 'D', type: 'string', title: 'T' },
    ],
    [
      'what is required but not described',
      object({ a: {} }, { required: ['a', 'b'] }),
      object({ a: {} }, { required: ['a'] }),
    ],
    ['required alone', { anyOf: [{ required: ['a'] }, { type: 'string' }] }, {}],
    [
      'what Gemini does not know',
      { type: 'string', minLength: 1, pattern: 'a', default: 'a', not: {} },
      { type: 'string' },
    ],
  ])('says it in the words of its documentation: %s', (_what, inner, expected) => {
    expect(made(object({ a: inner }), 'gemini').schema).toEqual(object({ a: expected }));
  });
});

describe('any value as an input schema', () => {
  const keyword = fc.constantFrom(
    ...['type', 'properties', 'items', 'anyOf', 'oneOf', 'allOf', 'not', '$ref', '$defs', 'enum', 'const', 'required'],
    ...['minimum', 'exclusiveMinimum', 'pattern', 'additionalProperties', 'prefixItems', 'nullable', '__proto__'],
    ...['patternProperties', 'dependentRequired', 'dependencies', 'dependentSchemas'],
  );
  const { schema: anything } = fc.letrec((tie) => ({
    schema: fc.oneof(
      { maxDepth: 5 },
      fc.constantFrom<unknown>(
        null,
        true,
        false,
        0,
        -1,
        '',
        'object',
        'string',
        '#',
        '#/$defs/a',
        '#/properties/a',
        '(',
        '\ud800',
      ),
      fc.array(tie('schema'), { maxLength: 3 }),
      fc
        .array(fc.tuple(fc.oneof(keyword, fc.constantFrom('a', 'b c')), tie('schema')), { maxLength: 5 })
        .map((entries) => Object.fromEntries(entries)),
    ),
  }));

  it.each(LLM_FORMATS)('comes out as an object that stays the same when it is made legal again: %s', (format) => {
    fc.assert(
      fc.property(anything, (schema) => {
        const before = JSON.stringify(schema);
        const { schema: once, changes } = made(schema, format);
        expect(once).toMatchObject({ type: 'object' });
        expect(JSON.stringify(schema)).toBe(before);
        expect(JSON.stringify(made(schema, format).schema)).toBe(JSON.stringify(once));
        expect(made(once, format).schema).toEqual(once);
        // Only `properties` is added without a word.
        if (changes.length === 0) expect(once).toEqual({ properties: {}, ...(JSON.parse(before) as object) });
      }),
      { numRuns: 300 },
    );
  });
});
