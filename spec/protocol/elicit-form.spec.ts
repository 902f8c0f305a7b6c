import { describe, expect, it } from '@jest/globals';
import { firstValueFrom } from 'rxjs';
import { formIssues, withDefaults } from '../../src/protocol/elicit-form.js';

const schema = (properties: object, required?: readonly string[]): object => ({
  type: 'object',
  properties,
  ...(required === undefined ? undefined : { required }),
});

const FIELDS = {
  name: { type: 'string', minLength: 2, maxLength: 5 },
  age: { type: 'integer', minimum: 18, maximum: 99 },
  ratio: { type: 'number' },
  agreed: { type: 'boolean' },
  email: { type: 'string', format: 'email' },
  site: { type: 'string', format: 'uri' },
  born: { type: 'string', format: 'date' },
  at: { type: 'string', format: 'date-time' },
  colour: { type: 'string', enum: ['red', 'green'] },
  titled: { type: 'string', oneOf: [{ const: '#f00', title: 'Red' }] },
  several: { type: 'array', minItems: 1, maxItems: 2, items: { type: 'string', enum: ['a', 'b', 'c'] } },
  titledSeveral: { type: 'array', items: { anyOf: [{ const: 'x', title: 'X' }] } },
  old: { type: 'string', enum: ['1', '2'], enumNames: ['one', 'two'] },
};

const issues = (form: unknown, content: Record<string, unknown>): Promise<readonly string[]> =>
  firstValueFrom(formIssues(form, content));

/** Objects in objects. */
const nested = (depth: number): object => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`) as object;

describe('withDefaults()', () => {
  it('fills in what was left out, of every kind', () => {
    const properties = {
      text: { type: 'string', default: 'a' },
      empty: { type: 'string', default: '' },
      number: { type: 'number', default: 0 },
      flag: { type: 'boolean', default: false },
      one: { type: 'string', enum: ['a'], default: 'a' },
      several: { type: 'array', items: { type: 'string' }, default: ['a', 'b'] },
      none: { type: 'string' },
    };
    expect(withDefaults(schema(properties), {})).toEqual({
      text: 'a',
      empty: '',
      number: 0,
      flag: false,
      one: 'a',
      several: ['a', 'b'],
    });
  });

  it('fills in what can be changed and left out like what was given', () => {
    const filled = withDefaults(schema({ a: { default: 'x' } }), { b: 1 });
    expect(Object.getOwnPropertyDescriptors(filled)).toEqual({
      a: { value: 'x', enumerable: true, writable: true, configurable: true },
      b: { value: 1, enumerable: true, writable: true, configurable: true },
    });
  });

  it('leaves alone what was given, an empty value and a stranger too', () => {
    const properties = { a: { default: 'x' }, b: { default: 5 }, c: { default: true }, d: { default: ['x'] } };
    const given = { a: '', b: 0, c: false, d: [], e: 'not asked for' };
    expect(withDefaults(schema(properties), given)).toEqual(given);
  });

  it('takes a value that is undefined for one that was left out on purpose, its default too', () => {
    const filled = withDefaults(schema({ a: { default: 'x' }, b: { type: 'string' } }), { a: undefined, b: undefined });
    expect(Object.keys(filled)).toEqual([]);
  });

  it('changes nothing it is given', () => {
    const given = Object.freeze({ b: 'y' });
    expect(withDefaults(Object.freeze(schema({ a: { default: 'x' } })), given)).toEqual({ a: 'x', b: 'y' });
    expect(given).toEqual({ b: 'y' });
  });

  it('knows its own properties from those every object has', () => {
    const form = JSON.parse(
      '{"properties":{"toString":{"default":"t"},"constructor":{"default":"c"},"__proto__":{"default":"p"}}}',
    ) as object;
    const filled = withDefaults(form, {});
    expect(Object.entries(filled)).toEqual([
      ['toString', 't'],
      ['constructor', 'c'],
      ['__proto__', 'p'],
    ]);
    expect(Object.getPrototypeOf(filled)).toBe(Object.prototype);
  });

  it.each([undefined, null, 'form', [], {}, { properties: null }, { properties: { a: null, b: true, c: 'text' } }])(
    'fills in nothing for a schema such as %j',
    (form) => {
      expect(withDefaults(form, { x: 1 })).toEqual({ x: 1 });
    },
  );
});

describe('formIssues()', () => {
  it('finds nothing in content that is as it was asked for', async () => {
    const content = {
      name: 'Anna',
      age: 18,
      ratio: 0.5,
      agreed: false,
      email: 'a@example.com',
      site: 'https://example.com/a',
      born: '2000-02-29',
      at: '2026-07-28T10:00:00Z',
      colour: 'green',
      titled: '#f00',
      several: ['a', 'c'],
      titledSeveral: ['x'],
      old: '2',
    };
    expect(await issues(schema(FIELDS, Object.keys(FIELDS)), content)).toEqual([]);
    expect(await issues(schema(FIELDS), {})).toEqual([]);
    expect(await issues(schema({}), {})).toEqual([]);
  });

  it.each<readonly [string, unknown]>([
    ['name', 'A'],
    ['name', 'Annabel'],
    ['name', 5],
    ['age', 17],
    ['age', 100],
    ['age', 20.5],
    ['age', '20'],
    ['ratio', 'half'],
    ['agreed', 'yes'],
    ['email', 'nobody'],
    ['site', 'no site'],
    ['born', '2001-02-29'],
    ['at', 'noon'],
    ['colour', 'blue'],
    ['titled', 'Red'],
    ['several', []],
    ['several', ['a', 'b', 'c']],
    ['several', ['d']],
    ['several', 'a'],
    ['titledSeveral', ['y']],
    ['old', 'one'],
  ])('names the field that is wrong: %s = %j', async (name, value) => {
    const found = await issues(schema(FIELDS), { [name]: value });
    expect(found.join('\n')).toContain(name);
  });

  it('names what is required and missing', async () => {
    const found = await issues(schema(FIELDS, ['name', 'age']), { age: 20 });
    expect(found).toEqual(['#: Instance does not have required property "name".']);
  });

  it.each<readonly [string, unknown]>([
    ['null', null],
    ['an object', { a: 1 }],
    ['a list of numbers', [1, 2]],
    ['no number', Number.NaN],
    ['an infinite number', Number.POSITIVE_INFINITY],
    ['a list of a text and a number', ['a', 1]],
    ['a function', () => 1],
    ['a bigint', 1n],
    ['a date', new Date(0)],
  ])('refuses %s, which no form can hold, even for a field that was not asked for', async (_what, value) => {
    const problem = 'it is neither text, nor a finite number, nor true or false, nor a list of texts';
    expect(await issues(schema(FIELDS), { extra: value, name: 'Anna' })).toEqual([`#/extra: ${problem}`]);
    expect(await issues(undefined, { extra: value })).toEqual([`#/extra: ${problem}`]);
  });

  it.each([undefined, null, 'form', []])('finds nothing where there is no form: %j', async (form) => {
    expect(await issues(form, { a: 'x' })).toEqual([]);
  });

  it.each(['https://example.com/unheard-of', 7, null])(
    'reads a form of the dialect %j, which nobody knows, like any other',
    async ($schema) => {
      const form = { ...schema(FIELDS, ['name']), $schema };
      expect(await issues(form, { name: 'Anna' })).toEqual([]);
      expect(await issues(form, { name: 5 })).not.toEqual([]);
      expect(await issues(form, {})).not.toEqual([]);
    },
  );

  it.each([
    [{ $ref: 'https://example.com/a' }, 'which is not fetched'],
    [{ $ref: '#/nowhere' }, 'Unresolved $ref'],
    [{ type: 'string', pattern: '(' }, 'its pattern cannot be read'],
    [{ type: 'string', pattern: '(a+)+$' }, 'may take for ever'],
    [nested(100), 'too deep'],
  ])('errors where nothing can be checked by the form: a field of %j', async (field, why) => {
    await expect(issues(schema({ a: field }), { a: 'x' })).rejects.toThrow(why);
  });
});
