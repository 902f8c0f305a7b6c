import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { mirroredHeaders, mirrorPlan } from '../../src/client/mirror.js';
import type { Tool } from '../../src/index.js';

const tool = (inputSchema: object): Tool => ({ name: 'a', inputSchema: { type: 'object', ...inputSchema } });
const properties = (members: object): Tool => tool({ properties: members });

const deep = (levels: number, innermost: object): object =>
  levels === 0 ? innermost : { type: 'object', properties: { in: deep(levels - 1, innermost) } };

describe('what of a tool’s arguments is mirrored', () => {
  it('is what its schema marks, at any depth of properties', () => {
    const plan = mirrorPlan(
      properties({
        region: { type: 'string', 'x-mcp-header': 'Region' },
        query: { type: 'string' },
        limits: { type: 'object', properties: { rows: { type: 'integer', 'x-mcp-header': 'Max-Rows' } } },
        dry: { type: 'boolean', 'x-mcp-header': 'dry_run' },
      }),
    );
    expect(plan).toEqual({
      mirrored: [
        { path: ['region'], header: 'Mcp-Param-Region' },
        { path: ['limits', 'rows'], header: 'Mcp-Param-Max-Rows' },
        { path: ['dry'], header: 'Mcp-Param-dry_run' },
      ],
    });
  });

  it.each([
    ['there are no properties', tool({})],
    ['nothing is marked', properties({ a: { type: 'string' } })],
    ['a property only has that name', properties({ 'x-mcp-header': { type: 'string' } })],
    ['a value only looks like a mark', tool({ default: { 'x-mcp-header': 'A' }, examples: [{ 'x-mcp-header': 'A' }] })],
    [
      'a constant only looks like a mark',
      properties({ a: { const: { 'x-mcp-header': 'A' }, enum: [{ 'x-mcp-header': '' }] } }),
    ],
    ['the properties are none', tool({ properties: true })],
    ['a property’s schema is true', properties({ a: true })],
  ])('is nothing where %s', (_what, one) => {
    expect(mirrorPlan(one)).toEqual({ mirrored: [] });
  });

  it.each([
    ['no name', { a: { type: 'string', 'x-mcp-header': '' } }],
    ['a name that is no text', { a: { type: 'string', 'x-mcp-header': true } }],
    ['a name with a space', { a: { type: 'string', 'x-mcp-header': 'Two Words' } }],
    ['a name with a colon', { a: { type: 'string', 'x-mcp-header': 'A:' } }],
    ['a name with a line break', { a: { type: 'string', 'x-mcp-header': 'A\r\nB' } }],
    ['a name beyond ASCII', { a: { type: 'string', 'x-mcp-header': 'Größe' } }],
    [
      'a name that comes twice',
      { a: { type: 'string', 'x-mcp-header': 'A' }, b: { type: 'string', 'x-mcp-header': 'A' } },
    ],
    [
      'a name that comes twice but for its case',
      { a: { type: 'string', 'x-mcp-header': 'Region' }, b: deep(2, { type: 'string', 'x-mcp-header': 'REGION' }) },
    ],
    ['a number', { a: { type: 'number', 'x-mcp-header': 'A' } }],
    ['an object', { a: { type: 'object', 'x-mcp-header': 'A' } }],
    ['a list', { a: { type: 'array', 'x-mcp-header': 'A' } }],
    ['null', { a: { type: 'null', 'x-mcp-header': 'A' } }],
    ['several types', { a: { type: ['string', 'null'], 'x-mcp-header': 'A' } }],
    ['no type', { a: { 'x-mcp-header': 'A' } }],
    ['the entry of a list', { a: { type: 'array', items: { type: 'string', 'x-mcp-header': 'A' } } }],
    ['a property of an entry', { a: { items: { properties: { b: { type: 'string', 'x-mcp-header': 'A' } } } } }],
    ['a choice', { a: { anyOf: [{ type: 'string', 'x-mcp-header': 'A' }] } }],
    ['a condition', { a: { if: { type: 'string', 'x-mcp-header': 'A' } } }],
    ['any other property', { a: { additionalProperties: { type: 'string', 'x-mcp-header': 'A' } } }],
    ['a property by pattern', { a: { patternProperties: { '^x': { type: 'string', 'x-mcp-header': 'A' } } } }],
  ])('cannot be told, and so the tool not be called, with a mark on %s', (_what, members) => {
    expect(mirrorPlan(properties(members))).toEqual({ invalid: expect.any(String) });
  });

  it.each([
    ['on the arguments as a whole', tool({ 'x-mcp-header': 'A' })],
    ['in definitions', tool({ $defs: { a: { type: 'string', 'x-mcp-header': 'A' } } })],
    ['in a choice', tool({ oneOf: [{ properties: { a: { type: 'string', 'x-mcp-header': 'A' } } }] })],
  ])('cannot be told with a mark %s', (_where, one) => {
    expect(mirrorPlan(one)).toEqual({ invalid: 'an annotation where no argument is' });
  });

  it('is looked for in a schema of a reasonable depth', () => {
    expect(mirrorPlan(tool(deep(60, { type: 'string', 'x-mcp-header': 'A' })))).toMatchObject({ mirrored: [{}] });
    expect(mirrorPlan(tool(deep(100, { type: 'string' })))).toEqual({ invalid: 'its schema is too deep' });
    const round: Record<string, unknown> = {};
    round['items'] = round;
    expect(mirrorPlan(tool(round))).toEqual({ invalid: 'its schema is too deep' });
  });

  it('cannot be told where the schema cannot be read', () => {
    const inputSchema = {
      type: 'object',
      get properties(): never {
        throw new Error('no');
      },
    } as Tool['inputSchema'];
    expect(mirrorPlan({ name: 'a', inputSchema })).toEqual({ invalid: 'its schema cannot be read' });
  });

  it('is found out once for each tool', () => {
    let reads = 0;
    const inputSchema = {
      type: 'object',
      get properties() {
        reads += 1;
        return {};
      },
    } as unknown as Tool['inputSchema'];
    const one: Tool = { name: 'a', inputSchema };
    mirrorPlan(one);
    const once = reads;
    mirrorPlan(one);
    expect(reads).toBe(once);
  });
});

describe('the headers of a call', () => {
  const marked = properties({
    text: { type: 'string', 'x-mcp-header': 'Text' },
    whole: { type: 'integer', 'x-mcp-header': 'Whole' },
    flag: { type: 'boolean', 'x-mcp-header': 'Flag' },
    in: { type: 'object', properties: { ner: { type: 'string', 'x-mcp-header': 'Inner' } } },
  });

  it.each([
    ['text as it is', { text: ' as it is ' }, { 'Mcp-Param-Text': ' as it is ' }],
    ['no text', { text: '' }, { 'Mcp-Param-Text': '' }],
    ['a whole number', { whole: -7 }, { 'Mcp-Param-Whole': '-7' }],
    ['nought', { whole: 0 }, { 'Mcp-Param-Whole': '0' }],
    ['the largest', { whole: 9_007_199_254_740_991 }, { 'Mcp-Param-Whole': '9007199254740991' }],
    ['one beyond it', { whole: 9_007_199_254_740_992 }, {}],
    ['a large one without an exponent', { whole: 1e15 }, { 'Mcp-Param-Whole': '1000000000000000' }],
    ['a broken one', { whole: 1.5 }, {}],
    ['none', { whole: Number.NaN }, {}],
    ['true', { flag: true }, { 'Mcp-Param-Flag': 'true' }],
    ['false', { flag: false }, { 'Mcp-Param-Flag': 'false' }],
    ['an inner one', { in: { ner: 'x' } }, { 'Mcp-Param-Inner': 'x' }],
    ['null', { text: null, in: null }, {}],
    ['what is absent', {}, {}],
    ['an object', { text: { a: 1 } }, {}],
    ['a list where an object should be', { in: ['x'] }, {}],
  ])('carry %s', (_what, args, headers) => {
    expect(mirroredHeaders(marked, args)).toEqual(headers);
  });

  it.each([undefined, null, 'text', []])('carry nothing of arguments that are %j', (args) => {
    expect(mirroredHeaders(marked, args)).toEqual({});
  });

  it('are none where nothing is marked, or the marks are wrong', () => {
    expect(mirroredHeaders(properties({ a: { type: 'string' } }), { a: 'b' })).toBeUndefined();
    expect(mirroredHeaders(properties({ a: { 'x-mcp-header': 'A' } }), { a: 'b' })).toBeUndefined();
  });

  it('never come from a prototype', () => {
    const one = properties({
      constructor: { type: 'string', 'x-mcp-header': 'A' },
      toString: { type: 'object', properties: { name: { type: 'string', 'x-mcp-header': 'B' } } },
    });
    expect(mirroredHeaders(one, {})).toEqual({});
    expect(mirroredHeaders(one, { constructor: 'mine' })).toEqual({ 'Mcp-Param-A': 'mine' });
  });

  it('can be read for every schema and every arguments', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (schema, args) => {
        const one = tool({ properties: { a: { type: 'string', 'x-mcp-header': 'A' }, b: schema } });
        const headers = mirroredHeaders(one, args) ?? {};
        for (const value of Object.values(headers)) expect(typeof value).toBe('string');
      }),
    );
  });
});
