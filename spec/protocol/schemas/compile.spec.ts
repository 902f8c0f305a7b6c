import { describe, expect, it } from '@jest/globals';
import { firstValueFrom } from 'rxjs';
import { compileSchema } from '../../../src/protocol/schemas/compile.js';
import { rejection, watch } from '../../support/client/watch.js';

const check = async (schema: unknown, value: unknown): Promise<readonly string[]> =>
  (await firstValueFrom(compileSchema(schema)))(value);

const failure = async (schema: unknown): Promise<string> =>
  String(await rejection(firstValueFrom(compileSchema(schema))));

/** An object schema of so many levels. */
const nested = (levels: number): object =>
  levels === 0 ? { type: 'string' } : { properties: { a: nested(levels - 1) } };

describe('compileSchema()', () => {
  it('emits one checker and completes', async () => {
    const seen = watch(compileSchema({ type: 'string' }));
    await seen.end;
    expect(seen.values).toHaveLength(1);
    expect(seen.completed).toBe(true);
  });

  it('does nothing before it is subscribed to, and then reads the schema as it is', async () => {
    const schema: Record<string, unknown> = { type: 'string' };
    const compiled$ = compileSchema(schema);
    schema['type'] = 'number';
    expect((await firstValueFrom(compiled$))(5)).toEqual([]);
  });

  it.each<readonly [object, unknown, unknown]>([
    [{ type: 'string' }, 'a', 1],
    [{ type: 'integer', minimum: 1 }, 1, 0],
    [{ type: 'object', required: ['a'] }, { a: 1 }, {}],
    [{ type: 'object', properties: { a: { type: 'number' } }, additionalProperties: false }, { a: 1 }, { b: 1 }],
    [{ enum: ['a', null] }, null, 'b'],
    [{ anyOf: [{ const: 1 }, { const: 2 }] }, 2, 3],
    [{ $defs: { a: { type: 'string' } }, $ref: '#/$defs/a' }, 'x', 5],
    [{ prefixItems: [{ type: 'string' }] }, ['x'], [1]],
    [{ type: 'string', format: 'date' }, '2026-07-28', '28.7.'],
    [{ $id: 'urn:example:a', $defs: { b: { $id: 'urn:example:b', type: 'null' } }, $ref: 'urn:example:b' }, null, 1],
    [{}, 'anything', undefined],
  ])('makes a checker of %j that tells %j from %j', async (schema, good, bad) => {
    expect(await check(schema, good)).toEqual([]);
    if (bad !== undefined) expect(await check(schema, bad)).not.toEqual([]);
  });

  it('has issues say where and what, in a sentence each', async () => {
    const issues = await check({ type: 'object', properties: { a: { type: 'string' } } }, { a: 1 });
    expect(issues).toContain('#/a: Instance type "number" is invalid. Expected "string".');
  });

  it('tells ten issues at most', async () => {
    const issues = await check({ type: 'array', items: { type: 'string' } }, Array.from({ length: 50 }, Number));
    expect(issues).toHaveLength(10);
  });

  it('checks by one checker as many values as there are', async () => {
    const checker = await firstValueFrom(compileSchema({ type: 'string' }));
    expect([checker('a'), checker(1).length, checker('b')]).toEqual([[], 1, []]);
  });

  it.each([
    ['https://json-schema.org/draft/2020-12/schema', { prefixItems: [{ type: 'string' }] }, [1]],
    ['http://json-schema.org/draft/2020-12/schema#', { prefixItems: [{ type: 'string' }] }, [1]],
    ['https://json-schema.org/draft/2019-09/schema', { items: [{ type: 'string' }] }, [1]],
    ['http://json-schema.org/draft/2019-09/schema', { items: [{ type: 'string' }] }, [1]],
    ['http://json-schema.org/draft-07/schema#', { items: [{ type: 'string' }] }, [1]],
    ['https://json-schema.org/draft-07/schema', { items: [{ type: 'string' }] }, [1]],
    ['http://json-schema.org/draft-04/schema#', { items: [{ type: 'string' }] }, [1]],
    ['https://json-schema.org/draft-04/schema', { items: [{ type: 'string' }] }, [1]],
  ])('knows the dialect %s', async ($schema, keywords, bad) => {
    expect(await check({ $schema, ...keywords }, bad)).not.toEqual([]);
  });

  it('reads a schema by the rules of its dialect', async () => {
    // Up to draft 07 nothing counts beside a reference.
    const beside = { definitions: { a: { type: 'number' } }, $ref: '#/definitions/a', minimum: 5 };
    const issuesIn = async (draft: string): Promise<number> =>
      (await check({ $schema: `https://json-schema.org/${draft}/schema`, ...beside }, 1)).length;
    expect(await issuesIn('draft-07')).toBe(0);
    expect(await issuesIn('draft-04')).toBe(0);
    expect(await issuesIn('draft/2019-09')).toBeGreaterThan(0);
    // Only in draft 04 is it a switch.
    const $schema = 'http://json-schema.org/draft-04/schema#';
    expect(await check({ $schema, minimum: 5, exclusiveMinimum: true }, 5)).not.toEqual([]);
    expect(await check({ $schema, minimum: 5, exclusiveMinimum: true }, 6)).toEqual([]);
  });

  it('reads a schema that names no dialect as 2020-12', async () => {
    // Only there is a list of schemas called prefixItems.
    expect(await check({ prefixItems: [{ type: 'string' }] }, [1])).not.toEqual([]);
  });

  it.each([
    'https://json-schema.org/draft/2030-01/schema',
    'http://json-schema.org/draft-03/schema#',
    'https://evil.example/json-schema.org/draft-07/schema',
    ...['draft/2020-12', 'draft/2019-09', 'draft-07', 'draft-04'].flatMap((draft) => [
      `https://json-schema.org/${draft}/schema#/more`,
      `x:https://json-schema.org/${draft}/schema`,
      [`https://json-schema.org/${draft}/schema`],
    ]),
    '',
    5,
    null,
  ])('refuses the dialect %j, and names it', async ($schema) => {
    expect(await failure({ $schema })).toBe(`Error: its dialect ${JSON.stringify($schema)} is not supported`);
  });

  it.each([undefined, null, true, 'string', 5, []])('refuses %j, which is no object', async (schema) => {
    expect(await failure(schema)).toBe('Error: it is not an object');
  });

  it.each(['https://example.com/schema.json', 'http://localhost/a', 'file:///etc/passwd', 'HTTPS://example.com'])(
    'fetches nothing: a reference to %s, however deep, is an error that names it',
    async ($ref) => {
      const schema = { properties: { a: { items: [{ anyOf: [{ $ref }] }] } } };
      expect(await failure(schema)).toBe(`Error: it refers to ${$ref}, which is not fetched`);
    },
  );

  it('takes a reference within the schema for one, whatever characters it has', async () => {
    expect(await check({ $defs: { 'a:b': { type: 'string' } }, $ref: '#/$defs/a:b' }, 'x')).toEqual([]);
  });

  it('says so, when a value is checked, where a reference leads nowhere', async () => {
    const checker = await firstValueFrom(compileSchema({ properties: { a: { $ref: '#/$defs/none' } } }));
    expect(() => checker({ a: 1 })).toThrow('Unresolved $ref');
  });

  it('refuses a schema that is too deep, and takes one that is not', async () => {
    // Each level is two objects.
    expect(await check(nested(32), {})).toEqual([]);
    expect(await failure(nested(33))).toBe('Error: it is too deep or too large');
  });

  it('refuses a schema that is too large, and takes one that is not', async () => {
    const wide = (count: number): object => ({ anyOf: Array.from({ length: count }, () => ({ type: 'string' })) });
    // The schema and its list are objects as well.
    expect(await check(wide(19_998), 'x')).toEqual([]);
    expect(await failure(wide(19_999))).toBe('Error: it is too deep or too large');
  });

  it('refuses a schema that contains itself', async () => {
    const schema: Record<string, unknown> = {};
    schema['not'] = schema;
    expect(await failure(schema)).toBe('Error: it is too deep or too large');
  });

  it('is not misled by names every object has', async () => {
    expect(await check({ required: ['toString'] }, {})).not.toEqual([]);
    expect(await check({ properties: { constructor: { type: 'string' } } }, {})).toEqual([]);
  });
});

describe('a pattern of a stranger', () => {
  it.each([
    '^(a+)+$',
    '(a|aa)*b',
    '([a-z]+)*x',
    '((a*)b?)*',
    '(a{2,})+',
    'x'.repeat(501),
    'a*a*a*a*a*a*a*b',
    '\\[(a*)+',
    '(a{1,2}){3}',
    '((((a|b))))*',
    '(a*){12}',
    '(a*){2,}',
    '(a*){1,12}',
    '(a{3})+',
    '(a{12})+',
    'a{10,}'.repeat(7),
  ])('is refused where it may take for ever: %s', async (pattern) => {
    await expect(firstValueFrom(compileSchema({ type: 'string', pattern }))).rejects.toThrow('may take for ever');
  });

  it.each([
    '^[a-z0-9._%+-]+@[a-z0-9.-]+$',
    '^\\d{4}-\\d{2}-\\d{2}$',
    '^(foo|bar)$',
    '^v(\\d+)\\.(\\d+)$',
    '^(\\(\\*\\))+$',
    '^(a)(\\*|[*])$',
    '^([*+])+$',
    'a*a*a*a*a*a*b',
  ])('is used where it is harmless: %s', async (pattern) => {
    const check = await firstValueFrom(compileSchema({ type: 'string', pattern }));
    expect(check('\u0000')).not.toEqual([]);
  });

  it('is told by its first 80 characters where it is refused', async () => {
    expect(await failure({ pattern: 'x'.repeat(501) })).toBe(
      `Error: its pattern "${'x'.repeat(80)}" may take for ever`,
    );
  });

  it('is one of 20 000 characters in one schema at most, all patterns together', async () => {
    const schema = (count: number) => ({
      properties: Object.fromEntries(
        Array.from({ length: count }, (_, n) => [`p${n}`, { type: 'string', pattern: 'x'.repeat(500) }]),
      ),
    });
    await expect(firstValueFrom(compileSchema(schema(41)))).rejects.toThrow('its patterns are too many or too long');
    expect((await firstValueFrom(compileSchema(schema(40))))({})).toEqual([]);
  });

  it('is not tried on a text that is very long', async () => {
    const check = await firstValueFrom(compileSchema({ properties: { a: { type: 'string', pattern: '^a*$' } } }));
    expect(check({ a: 'a'.repeat(5_001) })).toEqual(['it holds a text that is too long for its pattern']);
    expect(check({ a: 'a'.repeat(5_000) })).toEqual([]);
    expect(check({ a: 'a', b: null, c: 7 })).toEqual([]);
  });

  it('has to be there: without one a text may be as long as it likes', async () => {
    expect(await check({ type: 'string' }, 'a'.repeat(5_001))).toEqual([]);
  });
});
