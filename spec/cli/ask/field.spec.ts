import { describe, expect, it } from '@jest/globals';
import { type Field, fieldsOf, readField, valueText } from '../../../src/cli/ask/field.js';

const fields = (properties: unknown, required?: unknown): readonly Field[] =>
  fieldsOf({ type: 'object', properties, required } as never);

const field = (schema: unknown, required = false): Field => fields({ it: schema }, required ? ['it'] : [])[0] as Field;

describe('fieldsOf', () => {
  it('keeps the order, and what is said of each', () => {
    expect(
      fields({ b: { type: 'string', title: 'B', description: 'what', default: 'x' }, a: { type: 'boolean' } }, ['a']),
    ).toMatchObject([
      { name: 'b', title: 'B', description: 'what', type: 'string', required: false, default: 'x', several: false },
      { name: 'a', title: 'a', description: undefined, type: 'boolean', required: true, default: undefined },
    ]);
  });

  it.each([
    [{ type: 'string', minLength: 2, maxLength: 5 }, ['2 to 5 characters']],
    [{ type: 'string', format: 'email' }, ['email']],
    [{ type: 'integer', minimum: 1 }, ['a whole number', 'at least 1']],
    [{ type: 'number', maximum: 9 }, ['a number', 'at most 9']],
    [{ type: 'array', minItems: 1, maxItems: 3, items: { enum: ['a'] } }, ['1 to 3 of them']],
  ])('says what a value must be like: %j', (schema, hints) => {
    expect(field(schema).hints).toEqual(hints);
  });

  it.each([
    [{ type: 'string', enum: ['a', 'b'] }, ['a:a', 'b:b']],
    [{ type: 'string', enum: ['a', 'b'], enumNames: ['A'] }, ['a:A', 'b:b']],
    [{ type: 'string', oneOf: [{ const: 'a', title: 'A' }, { const: 'b' }] }, ['a:A', 'b:b']],
    [{ type: 'array', items: { enum: ['a'] } }, ['a:a']],
    [{ type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } }, ['a:A']],
  ])('finds the choices of %j', (schema, choices) => {
    expect(field(schema).choices?.map(({ value, label }) => `${value}:${label}`)).toEqual(choices);
  });

  it('makes the best of what is no form', () => {
    expect(fields(7)).toEqual([]);
    expect(fields({ a: null, b: { type: 5, enum: [1], default: {} } }, 'a')).toMatchObject([
      { name: 'a', type: 'string', required: false },
      { name: 'b', type: 'string', choices: [], default: undefined },
    ]);
  });

  it('cleans what is shown, and not what is sent', () => {
    const [rude] = fields({ '\u001b[2Jname': { type: 'string', title: '\u001b[8mT', enum: ['\u001b[1mv'] } });
    expect(rude).toMatchObject({ name: '\u001b[2Jname', title: 'T', choices: [{ value: '\u001b[1mv', label: 'v' }] });
  });
});

const NUMBERED = {
  type: 'string',
  oneOf: [
    { const: 'r', title: 'Red' },
    { const: '1', title: 'Blue' },
  ],
};
const SEVERAL = { type: 'array', items: { type: 'string', enum: ['a', 'b', 'c'] } };

describe('readField', () => {
  it.each([
    [{ type: 'string' }, 'hello', 'hello'],
    [{ type: 'string' }, ' 5 ', ' 5 '],
    [{ type: 'integer' }, ' 5 ', 5],
    [{ type: 'number' }, '-2.5', -2.5],
    [{ type: 'boolean' }, 'Yes', true],
    [{ type: 'boolean' }, 'off', false],
    [NUMBERED, 'red', 'r'],
    [NUMBERED, '2', '1'],
    // What is a value itself is no number in the list.
    [NUMBERED, '1', '1'],
    [SEVERAL, '1, 3,b', ['a', 'c', 'b']],
    [SEVERAL, 'a,a', ['a']],
    [{ type: 'array' }, 'x, y', ['x', 'y']],
    [{ type: 'string', default: 'd' }, '', 'd'],
    [{ type: 'string' }, '', undefined],
  ])('reads, for %j, %j', (schema, typed, value) => {
    expect(readField(field(schema), typed)).toEqual({ value });
  });

  it.each([
    [{ type: 'integer' }, '5.5', 'give a whole number'],
    [{ type: 'number' }, 'five', 'give a number'],
    [{ type: 'number' }, 'Infinity', 'give a number'],
    [{ type: 'boolean' }, 'maybe', 'answer yes or no'],
    [NUMBERED, '3', 'give a number from the list'],
    [SEVERAL, '1,9', 'give numbers from the list, with commas between them'],
  ])('asks again, for %j, after %j', (schema, typed, problem) => {
    expect(readField(field(schema), typed)).toEqual({ problem });
  });

  it('wants what is required', () => {
    expect(readField(field({ type: 'string', title: 'Name' }, true), ' ')).toEqual({
      problem: 'Name must be filled in',
    });
    expect(readField(field({ type: 'string', default: 'd' }, true), '')).toEqual({ value: 'd' });
  });
});

describe('valueText', () => {
  it.each([
    [undefined, undefined, '(left out)'],
    [true, undefined, 'yes'],
    [5, undefined, '5'],
    ['r', [{ value: 'r', label: 'Red' }], 'Red'],
    [['r', 'x'], [{ value: 'r', label: 'Red' }], 'Red, x'],
  ])('shows %j', (value, choices, text) => {
    expect(valueText(value, choices)).toBe(text);
  });
});
