// Lists of tools that are not as they should be.
import { setTimeout } from 'node:timers/promises';

const object = { type: 'object' };
const page =
  (make, lateMs = 0) =>
  () => ({
    list: async ({ say, answer, request }) => {
      if (lateMs > 0) await setTimeout(lateMs);
      say(answer(make(request.params?.cursor)));
    },
  });
const tools = (...list) => page(() => ({ tools: [{ name: 'greet', inputSchema: object }, ...list] }));
const tool = (name, inputSchema = object, more = {}) => ({ name, inputSchema, ...more });
const nestedSchema = (depth) => `${'{"type":"object","properties":{"x":'.repeat(depth)}{}${'}}'.repeat(depth)}`;
const json = (text) => () => ({
  list: ({ id, say }) =>
    say(
      `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"tools":[{"name":"greet","inputSchema":{"type":"object"}},${text}]}}`,
    ),
});
/** What is large is made where it is played: each server loads all deeds, and plays one. */
const large = (make) => () => make()();
const structured = (value) => ({ call: ({ say, answer }) => say(answer({ content: [], structuredContent: value })) });
const withOutput = (outputSchema, value) => () => ({
  ...tools(tool('deed', object, { outputSchema }))(),
  ...structured(value),
});

/** Each definition is twice the next: a value is looked at as often as a power of two says. */
const doubling = (times) => ({
  ...Object.fromEntries(
    Array.from({ length: times }, (_, n) => {
      const $ref = `#/$defs/d${n + 1}`;
      return [`d${n}`, { allOf: [{ $ref }, { $ref }] }];
    }),
  ),
  [`d${times}`]: { type: 'string' },
});

export const lists = {
  'gives a cursor that loops': page((cursor) => ({ tools: [], nextCursor: cursor === 'a' ? 'b' : 'a' })),
  'gives the same cursor again and again': page(() => ({ tools: [], nextCursor: '' })),
  'gives pages without end': page((cursor) => ({ tools: [], nextCursor: String(Number(cursor ?? 0) + 1) })),
  'gives cursors that are none': page(() => ({ tools: [tool('greet')], nextCursor: 7 })),
  'gives a null cursor': page(() => ({ tools: [tool('greet')], nextCursor: null })),
  'gives no list of tools': page(() => ({})),
  'gives pages without end, each a little late': page(
    (cursor) => ({
      tools: [],
      nextCursor: String(Number(cursor ?? 0) + 1),
    }),
    10,
  ),
  'gives a million entries that are none': large(() => json(`${'0,'.repeat(999_999)}0`)),
  'gives null for its tools': page(() => ({ tools: null })),
  'gives its tools as an object': page(() => ({ tools: { greet: tool('greet') } })),
  'refuses the second page': () => ({
    list: ({ id, say, answer, request }) =>
      request.params?.cursor === undefined
        ? say(answer({ tools: [], nextCursor: 'b' }))
        : say({ jsonrpc: '2.0', id, error: { code: -32602, message: 'no such cursor' } }),
  }),
  'does not know its own list': () => ({
    list: ({ id, say }) => say({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no such method' } }),
  }),
  'gives entries that are no tools': tools(null, 7, 'greet', [], {}, { name: 7, inputSchema: object }, { name: null }),
  'gives tools with broken schemas': tools(
    { name: 'missing' },
    tool('null', null),
    tool('text', 'object'),
    tool('list', []),
    tool('array', { type: 'array' }),
    tool('types', { type: ['object', 'null'] }),
    tool('nothing', {}),
    tool('true', true),
  ),
  'gives a tool whose schema refers to itself': tools(
    tool('deed', { type: 'object', $ref: '#' }),
    tool('loop', {
      type: 'object',
      properties: { a: { $ref: '#/$defs/a' } },
      $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } },
    }),
    tool('tree', { type: 'object', properties: { child: { $ref: '#' } } }),
    tool('nowhere', {
      type: 'object',
      properties: { a: { $ref: '#/nowhere' }, b: { $ref: 'http://169.254.169.254/' }, c: { $ref: 7 } },
    }),
  ),
  'gives a tool whose schema is nonsense': tools(
    tool('deed', {
      type: 'object',
      properties: null,
      required: 'all',
      additionalProperties: 7,
      anyOf: {},
      enum: null,
      $defs: [],
    }),
    tool('odd', {
      type: 'object',
      properties: { a: null, b: 7, c: [], d: { type: 7 }, e: { items: null, enum: {} } },
      required: [7, null],
    }),
    tool(
      'keys',
      JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}}}'),
    ),
  ),
  'gives a tool whose schema is 10 000 levels deep': large(() =>
    json(`{"name":"deed","inputSchema":${nestedSchema(10_000)}}`),
  ),
  'gives a tool whose schema has 20 000 properties': large(() =>
    tools(
      tool('deed', {
        type: 'object',
        properties: Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`p${n}`, { type: 'string' }])),
      }),
    ),
  ),
  'gives a page with a tool of 20 000 levels, and another page': () => ({
    list: ({ id, say, answer, request }) =>
      request.params?.cursor === undefined
        ? say(
            `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"nextCursor":"b","tools":[{"name":"deed","inputSchema":{"type":"object","enum":[${nestedSchema(20_000)}]}}]}}`,
          )
        : say(answer({ tools: [tool('greet')] })),
  }),
  'gives two tools of one name': tools(
    tool('deed', object, { description: 'one' }),
    tool('deed', object, { description: 'two' }),
  ),
  'gives names of 10 000 characters': tools(tool('n'.repeat(10_000)), tool(`${'n'.repeat(9_999)}m`)),
  'gives names that no model may be told': tools(
    tool(''),
    tool(' '),
    tool('a b'),
    tool('a.b'),
    tool('a/b'),
    tool('\u001b[2J'),
    tool('__proto__'),
    tool('漢字'),
    tool('\ud800'),
  ),
  'gives 10 000 tools': page(() => ({ tools: Array.from({ length: 10_000 }, (_, n) => tool(`t${n}`)) })),
  'gives annotations and descriptions that are none': tools(
    tool('deed', object, { annotations: 'safe', description: 7, title: {}, icons: 'none', _meta: 7, execution: null }),
    tool('other', object, { annotations: { readOnlyHint: 'yes', idempotentHint: 1 }, outputSchema: 'none' }),
  ),
  'gives an output schema that refers to itself': withOutput({ type: 'object', $ref: '#' }, { a: 1 }),
  'gives an output schema that refers to the network': withOutput(
    { type: 'object', properties: { a: { $ref: 'http://169.254.169.254/' } } },
    { a: 1 },
  ),
  'gives an output schema that is nonsense': withOutput({ type: 7, properties: 9, required: 'all' }, { a: 1 }),
  'gives an output schema with a pattern that takes for ever': withOutput(
    { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } },
    { a: `${'a'.repeat(40)}!` },
  ),
  'gives an output schema of patterns that together take for ever': withOutput(
    { type: 'object', properties: { a: { type: 'string', pattern: 'a*a*a*a*a*a*b' } } },
    { a: 'a'.repeat(5_000) },
  ),
  'gives an output schema that doubles itself forty times': withOutput(
    { type: 'object', properties: { a: { $ref: '#/$defs/d0' } }, $defs: doubling(40) },
    { a: 'x' },
  ),
  'gives an output schema that doubles itself ten times': withOutput(
    { type: 'object', properties: { a: { $ref: '#/$defs/d0' } }, $defs: doubling(10) },
    { a: 'x' },
  ),
  'gives an output schema of unique numbers, and 100 000': large(() =>
    withOutput(
      { type: 'object', properties: { a: { type: 'array', uniqueItems: true } } },
      { a: Array.from({ length: 100_000 }, (_, n) => n) },
    ),
  ),
  'gives an output schema of unique objects, and 5 000': large(() =>
    withOutput(
      { type: 'object', properties: { a: { type: 'array', uniqueItems: true } } },
      { a: Array.from({ length: 5_000 }, (_, n) => ({ n })) },
    ),
  ),
  'gives an output schema of 10 000 choices for each of 10 000 items': large(() =>
    withOutput(
      {
        type: 'object',
        properties: { a: { type: 'array', items: { enum: Array.from({ length: 10_000 }, (_, n) => `e${n}`) } } },
      },
      { a: Array.from({ length: 10_000 }, () => 'none') },
    ),
  ),
  'gives an output schema and no output': withOutput({ type: 'object', required: ['a'] }, undefined),
};
