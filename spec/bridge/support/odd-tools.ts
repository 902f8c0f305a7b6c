import type { Tool } from '../../../src/protocol/schemas/index.js';

const named = (name: string, inputSchema?: unknown, more: object = {}): unknown => ({ name, inputSchema, ...more });

const nested = (depth: number): unknown => {
  let schema: unknown = { type: 'string' };
  for (let level = 0; level < depth; level += 1) schema = { type: 'object', properties: { x: schema } };
  return schema;
};

const endless: { type: string; properties: Record<string, unknown> } = { type: 'object', properties: {} };
endless.properties['self'] = endless;

/** Definitions each of which refers to every one: to follow them all is n! schemas. */
const mutual = (count: number): unknown => {
  const names = Array.from({ length: count }, (_, index) => `T${index}`);
  const properties = Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }]));
  return {
    type: 'object',
    properties,
    $defs: Object.fromEntries(names.map((name) => [name, { type: 'object', properties }])),
  };
};

const MUTUAL = named('mutual', mutual(12));

const WIDE = named('wide', {
  type: 'object',
  properties: Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`p${index}`, { type: 'string' }])),
});

/** Those of the odd tools that take a while. */
export const LARGE_TOOLS: ReadonlySet<unknown> = new Set([MUTUAL, WIDE]);

/** Tools of kinds that servers in the field have, and of kinds that they had better not. */
export const ODD_TOOLS: readonly unknown[] = [
  named('plain', { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] }, { description: 'Adds' }),
  named('admin.users/list all', { type: 'object' }, { title: 'List users' }),
  named('admin.users/list_all', { type: 'object' }, { annotations: { title: 'List users' } }),
  named('admin_users_list_all', { type: 'object' }, { description: 5 }),
  named('9lives', { type: 'object' }),
  named('n'.repeat(65), { type: 'object' }),
  named('ü', { type: 'object' }, { description: 'half \ud83d of it' }),
  named('__proto__', JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}')),
  named('none'),
  named('null schema', null),
  named('text schema', 'object'),
  named('true schema', true),
  named('a string', { type: 'string' }),
  named('untyped', { properties: { a: {} } }),
  named('or null', { type: ['object', 'null'], properties: { a: true, b: false } }),
  named('alternatives', {
    type: 'object',
    properties: { id: { type: 'string' } },
    oneOf: [
      { properties: { kind: { const: 'a' }, x: { type: 'string' } }, required: ['kind', 'x'] },
      { properties: { kind: { const: 'b' }, y: { type: 'number' } }, required: ['kind'] },
      { type: 'null' },
    ],
  }),
  named('one of both', {
    type: 'object',
    properties: { a: {}, b: {} },
    anyOf: [{ required: ['a'] }, { required: ['b'] }],
  }),
  named('referred', {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $ref: '#/definitions/Args',
    definitions: {
      Args: { type: 'object', properties: { tree: { $ref: '#/definitions/Tree' } } },
      Tree: { type: 'object', properties: { kids: { type: 'array', items: { $ref: '#/definitions/Tree' } } } },
    },
  }),
  named('into properties', {
    type: 'object',
    properties: { from: { type: 'array', items: [{ type: 'string' }] }, to: { $ref: '#/properties/from' } },
  }),
  named('to nowhere', {
    type: 'object',
    properties: {
      a: { $ref: '#/$defs/None' },
      b: { $ref: 'https://example.com/b.json' },
      c: { $ref: 5 },
      d: { $ref: '#' },
    },
  }),
  named('round', { type: 'object', properties: { a: { $ref: '#/$defs/A' } }, $defs: { A: { $ref: '#/$defs/A' } } }),
  named('merged', {
    type: 'object',
    properties: {
      a: { allOf: [{ $ref: '#/$defs/A' }, { required: ['x'] }], description: 'A' },
      list: { type: 'array' },
      pair: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'string' }] },
      either: { type: ['string', 'array', 'integer'], items: { type: 'string' }, minimum: 1 },
      maybe: { type: 'string', nullable: true, minLength: 1, pattern: '^\\p{L}+$' },
      mode: { enum: ['r', 'w', null] },
      flag: { enum: [true, false] },
      one: { oneOf: [{ const: 1 }, { const: 'one' }] },
      any: { anyOf: [{ type: 'string' }, { not: { type: 'null' } }] },
      share: { type: 'number', exclusiveMinimum: 0, maximum: 1, multipleOf: 0.01 },
      age: { type: 'integer', minimum: 0, exclusiveMinimum: true },
      'filter[name]': { type: 'string' },
    },
    required: ['filter[name]', 'mode', 'absent'],
    $defs: { A: { type: 'object', properties: { x: { type: 'string' } } } },
  }),
  named('of an older draft', {
    type: 'object',
    properties: {
      a: { type: 'any', required: true },
      b: { type: 'String', description: 5, enum: [], minLength: -1, pattern: '(' },
      c: { type: ['string', { type: 'number' }] },
      d: 'string',
    },
    required: 'a',
    additionalProperties: 'no',
    anyOf: {},
  }),
  named('endless', endless),
  named('talkative', { type: 'object' }, { description: '\u{1f600}'.repeat(1_000) }),
  named('dependent', {
    type: 'object',
    properties: { a: {}, b: {}, c: {} },
    patternProperties: { '^\\p{L}+$': {}, '(': {}, '\\1(a)': {}, '^x-': { $ref: '#/$defs/A' } },
    dependentRequired: { a: 'b', b: ['c', 5, 'c'], c: {} },
    dependentSchemas: { a: { $ref: '#/$defs/A' } },
    dependencies: { a: 'b', b: ['c', 5, 'c'], c: { $ref: '#/$defs/A' }, d: 5, e: true, f: false },
    $defs: { A: { title: 'A' } },
  }),
  named('deep', nested(500)),
  MUTUAL,
  WIDE,
  named('no json', { type: 'object', properties: { a: { default: 1n, examples: [() => 1] } } }),
  named('throwing', {
    type: 'object',
    get properties(): unknown {
      throw new Error('not today');
    },
  }),
  named('plain', { type: 'object', properties: { b: { type: 'number' } } }),
];

/** What is no tool at all. */
export const NO_TOOLS: readonly unknown[] = [
  null,
  'tool',
  [],
  {},
  named(''),
  { name: 5 },
  {
    get name(): string {
      throw new Error('no name today');
    },
  },
  new Proxy(
    {},
    {
      get: () => {
        throw new Error('nothing today');
      },
    },
  ),
];

/** Both, as a list that a caller could have. */
export const oddList = (): readonly Tool[] => [...ODD_TOOLS, ...NO_TOOLS] as readonly Tool[];
