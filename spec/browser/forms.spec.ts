// The forms that the page of `examples/web` makes of schemas: what can be filled in, and what is sent of it.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { DemoPage } from '../support/browser/demo-page.js';
import { type Files, serveFiles } from '../support/browser/files.js';
import { pageServer } from '../support/browser/page-server.js';

interface Case {
  readonly says: string;
  /** The schema of the property `x`; of all arguments, where it has `whole`. */
  readonly schema: object;
  readonly isRequired?: boolean;
  readonly whole?: boolean;
  /** What is typed; or how it is filled in. Default: nothing is touched. */
  readonly fill?: string | ((form: Locator) => Promise<unknown>);
  /** The arguments that are sent; `refused` where the form does not let them. */
  readonly sent: object | 'refused';
}

const text = (more: object = {}): object => ({ type: 'string', ...more });
const AN_A = { type: 'object', properties: { a: text() }, required: ['a'] };

const CASES: readonly Case[] = [
  { says: 'a pattern need not fit the whole', schema: text({ pattern: '^[a-z]' }), fill: 'abc', sent: { x: 'abc' } },
  {
    says: 'a pattern is not read as HTML has it',
    schema: text({ pattern: '^[\\w.-]+$' }),
    fill: '!!',
    sent: 'refused',
  },
  { says: 'a pattern that is none is no bar', schema: text({ pattern: '(' }), fill: 'a', sent: { x: 'a' } },
  {
    says: 'a pattern that may take for ever is left to the server',
    schema: text({ pattern: '^(([a-z])+.)+[A-Z]([a-z])+$' }),
    fill: 'a'.repeat(60),
    sent: { x: 'a'.repeat(60) },
  },
  { says: 'a length is one of code points', schema: text({ maxLength: 3 }), fill: '😀😀😀', sent: { x: '😀😀😀' } },
  { says: 'a text may be too long', schema: text({ maxLength: 3 }), fill: 'four', sent: 'refused' },
  { says: 'a text may be too short', schema: text({ minLength: 2 }), fill: '😀', sent: 'refused' },
  { says: 'an empty text is a text', schema: text(), isRequired: true, sent: { x: '' } },
  { says: 'one that has to have letters is not', schema: text({ minLength: 1 }), isRequired: true, sent: 'refused' },
  { says: 'nor is an address', schema: text({ format: 'email' }), isRequired: true, sent: 'refused' },
  { says: 'what may be left out is', schema: text(), sent: {} },
  { says: 'lines stay lines', schema: text({ default: 'a\nb' }), sent: { x: 'a\nb' } },
  { says: 'what was filled in can be emptied', schema: text({ default: 'a' }), fill: '', sent: { x: '' } },
  {
    says: 'a time that nobody touches stays as it was written',
    schema: text({ format: 'date-time', default: '2026-01-02T03:04:05.678+09:00' }),
    sent: { x: '2026-01-02T03:04:05.678+09:00' },
  },
  {
    says: 'a time that is none stays, too',
    schema: text({ format: 'date-time', default: 'tomorrow' }),
    sent: { x: 'tomorrow' },
  },
  { says: 'an address that is none stays, too', schema: text({ format: 'uri', default: ' x ' }), sent: { x: ' x ' } },
  {
    says: 'a year has four digits',
    schema: text({ format: 'date-time' }),
    fill: '275760-09-01T10:00:00',
    sent: 'refused',
  },
  {
    says: 'a default that is not among the choices chooses nothing',
    schema: text({ enum: ['delete everything', 'b'], default: 'zzz' }),
    isRequired: true,
    sent: 'refused',
  },
  {
    says: 'one of several may be anything',
    schema: { enum: [null, 1, '1', { a: 1 }], default: { a: 1 } },
    sent: { x: { a: 1 } },
  },
  { says: 'what is the one choice can be chosen', schema: { const: 'only', default: 'only' }, sent: { x: 'only' } },
  { says: 'no choice at all is JSON', schema: { oneOf: [] }, isRequired: true, fill: '1', sent: { x: 1 } },
  {
    says: 'a number may be too large to be exact',
    schema: { type: 'integer' },
    fill: '9007199254740993',
    sent: 'refused',
  },
  { says: 'the largest is not', schema: { type: 'integer' }, fill: '9007199254740991', sent: { x: 9007199254740991 } },
  { says: 'a whole number counts from nothing', schema: { type: 'integer', minimum: 0.5 }, fill: '1', sent: { x: 1 } },
  { says: 'a whole number is whole', schema: { type: 'integer' }, fill: '1.5', sent: 'refused' },
  { says: 'a bound may be out of bounds', schema: { type: 'number', exclusiveMinimum: 0 }, fill: '0', sent: 'refused' },
  { says: 'a number may have steps', schema: { type: 'number', multipleOf: 0.1 }, fill: '0.3', sent: { x: 0.3 } },
  { says: 'and fall between them', schema: { type: 'number', multipleOf: 0.1 }, fill: '0.35', sent: 'refused' },
  {
    says: 'text or null is text',
    schema: { anyOf: [text(), { type: 'null' }], default: null },
    fill: 'a',
    sent: { x: 'a' },
  },
  { says: 'and may be left out', schema: { anyOf: [text(), { type: 'null' }], default: null }, sent: {} },
  { says: 'or be null', schema: { type: ['string', 'null'] }, isRequired: true, sent: { x: null } },
  { says: 'a number or null is a number', schema: { type: ['integer', 'null'] }, fill: '5', sent: { x: 5 } },
  {
    says: 'a switch or null is three things',
    schema: { type: ['boolean', 'null'] },
    fill: (form) => form.locator('select').selectOption('no'),
    sent: { x: false },
  },
  {
    says: 'some of several have to be chosen',
    schema: { type: 'array', minItems: 1, items: { enum: ['a', 'b'] } },
    isRequired: true,
    sent: 'refused',
  },
  {
    says: 'all can be unticked',
    schema: { type: 'array', items: { enum: ['a', 'b'] }, default: ['a'] },
    fill: (form) => form.getByLabel('a', { exact: true }).uncheck(),
    sent: { x: [] },
  },
  { says: 'blank JSON is none', schema: { type: 'object' }, fill: '  ', sent: {} },
  { says: 'what is no JSON is refused', schema: { type: 'object' }, fill: '{a', sent: 'refused' },
  { says: 'arguments are an object', schema: { oneOf: [AN_A] }, whole: true, fill: '5', sent: 'refused' },
  { says: 'and no list', schema: { oneOf: [AN_A] }, whole: true, fill: '[1]', sent: 'refused' },
  {
    says: 'arguments of any name are JSON',
    schema: { additionalProperties: text() },
    whole: true,
    fill: '{"a":"b"}',
    sent: { a: 'b' },
  },
  {
    says: 'so are those that stand elsewhere',
    schema: { $ref: '#/$defs/A', $defs: { A: AN_A } },
    whole: true,
    fill: '{"a":"b"}',
    sent: { a: 'b' },
  },
  { says: 'and those in parts', schema: { allOf: [AN_A] }, whole: true, fill: '{"a":"b"}', sent: { a: 'b' } },
  {
    says: 'there may be more than is described',
    schema: { properties: { a: text() }, additionalProperties: true },
    whole: true,
    fill: async (form) => {
      await form.locator('[name="a"]').fill('1');
      await form.getByLabel('more arguments').fill('{"b":2}');
    },
    sent: { a: '1', b: 2 },
  },
  {
    says: 'what has to be there and is not described can be filled in',
    schema: { properties: { a: text() }, required: ['a', 'b'] },
    whole: true,
    fill: async (form) => {
      await form.locator('[name="a"]').fill('1');
      await form.getByLabel('b, as JSON').fill('"2"');
    },
    sent: { a: '1', b: '2' },
  },
  { says: 'properties that are none are none', schema: { properties: ['a'], required: 'a' }, whole: true, sent: {} },
];

let files: Files;

beforeAll(async () => {
  files = await serveFiles('examples/web/dist/page');
});

afterAll(() => files.close());

it('makes of each schema a form that takes what the schema takes, and sends that', async () => {
  const tools = CASES.map(({ says: name, schema, isRequired = false, whole = false }) => ({
    name,
    inputSchema: whole
      ? { type: 'object', ...schema }
      : { type: 'object', properties: { x: schema }, required: isRequired ? ['x'] : [] },
  }));
  const server = await pageServer({ tools });
  const one = await DemoPage.open(files.url);
  await one.connect(server.url);
  const outcomes: unknown[] = [];
  for (const [at, { says: name, fill }] of CASES.entries()) {
    const item = one.page.locator('#tools li').nth(at);
    await item.locator('summary').click();
    const form = item.locator('form');
    if (typeof fill === 'string') await form.locator('input, textarea').fill(fill);
    else await fill?.(form);
    const before = server.calls.length;
    const cards = await one.page.locator('#calls article').count();
    await form.getByRole('button', { name: 'Call' }).click();
    const isRefused = (await form.locator(':invalid').count()) > 0;
    if (!isRefused) await one.page.locator('#calls article[data-status="done"]').nth(cards).waitFor();
    outcomes.push({ name, sent: isRefused ? 'refused' : server.calls[before] });
  }
  expect(outcomes).toEqual(CASES.map(({ says: name, sent }) => ({ name, sent })));
  expect(one.complaints).toEqual([]);
});
