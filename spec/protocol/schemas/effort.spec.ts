import { describe, expect, it } from '@jest/globals';
import { firstValueFrom } from 'rxjs';
import { compileSchema } from '../../../src/protocol/schemas/compile.js';
import { Effort } from '../../../src/protocol/schemas/effort.js';

const check = async (schema: object, value: unknown): Promise<readonly string[]> =>
  (await firstValueFrom(compileSchema(schema)))(value);

const TOO_MUCH = 'to check a result by it would take too long';
const TOO_LONG = 'it holds a text that is too long for its pattern';

/** Each of so many definitions asks for the next one twice. */
const doubling = (count: number): object => {
  const $defs: Record<string, unknown> = { [`d${count}`]: { type: 'string' } };
  for (let at = 0; at < count; at += 1) {
    const next = { $ref: `#/$defs/d${at + 1}` };
    $defs[`d${at}`] = { allOf: [next, next] };
  }
  return { $defs, $ref: '#/$defs/d0' };
};

const texts = (count: number): string[] => Array.from({ length: count }, (_, at) => `t${at}`);
const objects = (count: number): object[] => Array.from({ length: count }, (_, at) => ({ at }));

const table = (count: number): object => Object.fromEntries(texts(count).map((key) => [key, 1]));
const named = (count: number): object => Object.fromEntries(texts(count).map((key) => [key, {}]));
const BRANCHES = {
  allOf: texts(200).map((key) => ({ properties: { [key]: {} } })),
  unevaluatedProperties: false,
};

/** Objects in each other, so many, and what is in the innermost. */
const chained = (levels: number, end: unknown): unknown => {
  let value = end;
  for (let level = 0; level < levels; level += 1) value = { next: value };
  return value;
};
const CHAIN = {
  $defs: { link: { properties: { next: { $ref: '#/$defs/link' } }, items: { type: 'string' } } },
  $ref: '#/$defs/link',
};

/** A list without end, of so many links. */
const linked = (links: number): unknown => (links === 0 ? null : { value: links, next: linked(links - 1) });
const LINKED = {
  $defs: {
    link: {
      anyOf: [{ type: 'null' }, { properties: { value: { type: 'number' }, next: { $ref: '#/$defs/link' } } }],
    },
  },
  $ref: '#/$defs/link',
};

describe('what would take too long', () => {
  it.each([
    ['references that double', doubling(40), 'x'],
    ['an enum of thousands for thousands', { items: { enum: texts(15_000) } }, texts(20_000)],
    ['a const of thousands for thousands', { items: { const: texts(15_000) } }, objects(20_000)],
    ['contains for thousands', { contains: { enum: texts(15_000) } }, texts(20_000).map(() => 'x')],
    ['objects that are all to be unlike', { uniqueItems: true }, objects(20_000)],
    ['texts that are all to be unlike, and are not', { uniqueItems: true }, [...texts(50_000), 't0']],
    ['uniqueItems that is not true, but as good', { uniqueItems: 'yes' }, texts(50_000)],
    ['types of thousands', { items: { type: texts(15_000) } }, texts(20_000)],
    ['names that are required of thousands', { items: { required: texts(15_000) } }, objects(20_000)],
    ['a text of required names', { required: 'x'.repeat(10_000_000) }, {}],
    ['many lengths of a long text', { allOf: texts(9_000).map(() => ({ minLength: 1 })) }, 'x'.repeat(5_000_000)],
    ['a large object that many branches meet', BRANCHES, table(20_000)],
    ['members without end, each wrong', { additionalProperties: { type: 'string' } }, table(300_000)],
    ['names without end', { propertyNames: { maxLength: 1 } }, table(300_000)],
    ['names that are required and not there', { items: { required: texts(9_000) } }, objects(500)],
    ['thousands of properties for thousands', { items: { properties: named(9_000) } }, objects(5_000)],
    ['items without end, each wrong', { items: { type: 'string' } }, new Array<number>(400_000).fill(1)],
    ['more levels than there can be', CHAIN, chained(50_000, 1)],
    ['what is wrong at the end of many levels', CHAIN, chained(100, new Array<number>(120_000).fill(1))],
    ['definitions under a list', { properties: [doubling(40)], ...doubling(30) }, { 0: 'x' }],
  ] as const)('is not checked: %s', async (_what, schema, value) => {
    await expect(check(schema, value)).rejects.toThrow(TOO_MUCH);
  });

  it.each([
    ['texts that are unlike', { uniqueItems: true }, texts(100_000)],
    ['rows of a table', { items: { properties: { at: { type: 'integer' } }, required: ['at'] } }, objects(50_000)],
    ['references that double a little', doubling(8), 'x'],
    ['a list of links', LINKED, linked(50)],
    ['a chain of objects', CHAIN, chained(100, ['x'])],
    ['a table', { additionalProperties: { type: 'number' } }, table(50_000)],
  ] as const)('is checked all the same where it is only much: %s', async (_what, schema, value) => {
    expect(await check(schema, value)).toEqual([]);
  });

  it('costs the look at a large object once, however many branches meet it', () => {
    let looks = 0;
    const value = new Proxy(table(2_000), {
      ownKeys: (target) => {
        looks += 1;
        return Reflect.ownKeys(target);
      },
    });
    expect(new Effort(BRANCHES, {}, false).verdict(value)).toBe('too-much');
    expect(looks).toBe(1);
  });

  it('finds what is wrong by a large schema as by a small one', async () => {
    expect(await check({ uniqueItems: true }, ['a', 'b', 'a'])).toHaveLength(1);
    expect(await check({ uniqueItems: true }, [{ a: 1 }, { a: 1 }])).toHaveLength(1);
    expect(await check({ uniqueItems: true, items: { type: 'string' } }, ['a', 1])).not.toEqual([]);
    expect(await check({ properties: { uniqueItems: true }, additionalProperties: false }, { uniqueItems: 1 })).toEqual(
      [],
    );
    expect(await check(doubling(8), 5)).not.toEqual([]);
    expect(await check(LINKED, { next: { next: { value: 'x' } } })).not.toEqual([]);
  });
});

describe('a pattern', () => {
  it.each([
    ['a*a*a*b', 5_000],
    ['a?'.repeat(100) + '!', 20],
    ['a{2,9}'.repeat(12) + '!', 60],
  ])('is not tried where it may take for ever: %s on %i letters', async (pattern, length) => {
    expect(await check({ properties: { a: { pattern } } }, { a: 'a'.repeat(length) })).toEqual([TOO_LONG]);
    expect(await check({ patternProperties: { [pattern]: {} } }, { ['a'.repeat(length)]: 1 })).toEqual([TOO_LONG]);
    expect(await check({ propertyNames: { pattern } }, { ['a'.repeat(length)]: 1 })).toEqual([TOO_LONG]);
  });

  it('is tried where the text is short enough for it', async () => {
    expect(await check({ pattern: 'a*a*a*b' }, 'aab')).toEqual([]);
    expect(await check({ pattern: 'a*a*a*b' }, 'aaa')).toHaveLength(1);
  });

  it('is not asked about the texts it is not for', async () => {
    const schema = { properties: { id: { pattern: '^[a-z]+$' }, text: { type: 'string' } } };
    expect(await check(schema, { id: 'a', text: 'x'.repeat(10_000) })).toEqual([]);
  });

  it('counts for each text that it is tried on', async () => {
    const schema = { items: { pattern: '^a*a*b' } };
    const list = (count: number): string[] => Array.from({ length: count }, () => `${'a'.repeat(1_000)}b`);
    expect(await check(schema, list(5))).toEqual([]);
    await expect(check(schema, list(50))).rejects.toThrow(TOO_MUCH);
  });
});

describe('the format url', () => {
  it('is told like a uri: the validator’s own way takes for ever on a long name', async () => {
    expect(await check({ format: 'url' }, `http://${'a'.repeat(200)}`)).toEqual([]);
    expect(await check({ format: 'url' }, 'no url')).toHaveLength(1);
  });
});

describe('the places of a schema', () => {
  it.each([
    [
      'long names above many others',
      { properties: { ['x'.repeat(1_000_000)]: { anyOf: texts(100).map(() => ({})) } } },
    ],
    ['a name of its own without end', { $id: `urn:${'x'.repeat(3_000)}` }],
    ['a reference without end', { $ref: `#/${'x'.repeat(3_000)}` }],
  ])('are not looked up where they are too long: %s', async (_what, schema) => {
    await expect(check(schema, 1)).rejects.toThrow('it is too deep or too large');
  });
});
