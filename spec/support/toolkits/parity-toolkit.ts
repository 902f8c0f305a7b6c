import { concat, defer, delay, of, throwError } from 'rxjs';
import * as z from 'zod';
import { Toolkit } from '../../../src/bridge/toolkit/toolkit.js';

/** A picture of one pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
/** The start of a sound. */
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAgD4AAAB9AAACABAAZGF0YQAAAAA=';

const text = (words: string) => ({ type: 'text', text: words }) as const;

const SAFE = { readOnlyHint: true, idempotentHint: true } as const;

/** A toolkit of everything a tool can give: the same in this process and behind a client. */
export const createParityToolkit = (): Toolkit =>
  new Toolkit({ name: 'parity' })
    .tool(
      'add',
      {
        description: 'Adds two numbers',
        title: 'Add',
        input: z.object({ a: z.number(), b: z.number() }),
        output: z.object({ sum: z.number() }),
        annotations: SAFE,
      },
      ({ a, b }) => ({ sum: a + b }),
    )
    .tool('echo', { description: 'Says it again', input: z.object({ text: z.string() }) }, ({ text: words }) => words)
    .tool('nothing', { description: 'Gives nothing' }, () => undefined)
    .tool('no-schema', { description: 'Takes whatever comes' }, (args) => JSON.stringify(args))
    .tool(
      'json-schema',
      {
        description: 'Is described in JSON Schema',
        input: {
          type: 'object',
          properties: { city: { type: 'string', minLength: 1 }, days: { type: 'integer', minimum: 1 } },
          required: ['city'],
          additionalProperties: false,
        },
        annotations: { readOnlyHint: true, openWorldHint: false },
      },
      async ({ city, days = 1 }) => `${String(city)}: ${String(days)} days of rain`,
    )
    .tool(
      'defaults',
      {
        description: 'Fills in what is left out',
        input: z.object({ limit: z.number().default(10), tags: z.array(z.string()).optional() }),
      },
      ({ limit, tags }) => `${limit} of ${(tags ?? ['all']).join(', ')}`,
    )
    .tool(
      'tree',
      {
        description: 'Takes a tree of any depth',
        input: {
          type: 'object',
          properties: { root: { $ref: '#/$defs/node' } },
          required: ['root'],
          $defs: {
            node: {
              type: 'object',
              properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/node' } } },
              required: ['name'],
            },
          },
        },
      },
      ({ root }) => [text('the tree'), text(JSON.stringify(root))],
    )
    .tool(
      'choice',
      {
        description: 'Takes one of two shapes',
        input: z.discriminatedUnion('by', [
          z.object({ by: z.literal('id'), id: z.number() }),
          z.object({ by: z.literal('name'), name: z.string() }),
        ]),
      },
      (choice) => (choice.by === 'id' ? `#${choice.id}` : choice.name),
    )
    .tool('image', { description: 'Shows a picture' }, () => [
      text('a pixel'),
      { type: 'image', data: PNG, mimeType: 'image/png' },
    ])
    .tool('audio', { description: 'Plays a sound' }, () => [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }])
    .tool('links', { description: 'Names resources' }, () => [
      { type: 'resource_link', uri: 'file:///notes.txt', name: 'notes', mimeType: 'text/plain', size: 12 },
      { type: 'resource_link', uri: 'https://example.com/', name: 'example', title: 'Example', description: 'A page' },
    ])
    .tool('embedded', { description: 'Sends resources along' }, () => [
      { type: 'resource', resource: { uri: 'file:///notes.txt', mimeType: 'text/plain', text: 'buy milk\n' } },
      { type: 'resource', resource: { uri: 'file:///pixel.png', mimeType: 'image/png', blob: PNG } },
      { type: 'resource', resource: { uri: 'file:///data.bin', blob: 'AAEC' } },
    ])
    .tool('annotated', { description: 'Says for whom its words are' }, () => ({
      content: [
        { ...text('for you'), annotations: { audience: ['user'], priority: 0.5 } },
        { ...text('for it'), annotations: { audience: ['assistant'] } },
      ],
      _meta: { 'example.com/took': 3 },
    }))
    .tool('structured', { description: 'Gives an object' }, () => ({ rows: [{ id: 1 }, { id: 2 }], next: null }))
    .tool('structured-only', { description: 'Gives an object and no text' }, () => ({
      content: [],
      structuredContent: { when: new Date(0), missing: undefined, many: [1, 'two', null] },
    }))
    .tool('list', { description: 'Gives a list of data', output: z.array(z.object({ type: z.string() })) }, () => [
      { type: 'cat' },
      { type: 'dog' },
    ])
    .tool('fail', { description: 'Fails as a result' }, () => ({
      content: [text('the blade broke')],
      isError: true,
    }))
    .tool('throw', { description: 'Throws' }, () => {
      throw new Error('no such file: /etc/nothing');
    })
    .tool('reject', { description: 'Rejects' }, () => Promise.reject(new TypeError('not a function')))
    .tool('error', { description: 'Fails half way' }, () =>
      concat(
        of({ kind: 'progress', progress: 1 }),
        throwError(() => new Error('half way')),
      ),
    )
    .tool('wrong-output', { description: 'Breaks its promise', output: { type: 'object', required: ['id'] } }, () => ({
      content: [],
      structuredContent: { name: 'nobody' },
    }))
    .tool(
      'no-output',
      { description: 'Promises structure and gives none', output: z.object({ id: z.number() }) },
      () => ({ content: [text('only words')] }),
    )
    .tool(
      'steps',
      { description: 'Reports and logs each step', input: z.object({ steps: z.number().int().min(1).max(20) }) },
      ({ steps }) =>
        concat(
          ...Array.from({ length: steps }, (_, index) =>
            of(
              { kind: 'log', level: 'info', data: `step ${index + 1}` } as const,
              { kind: 'progress', progress: index + 1, total: steps, message: `step ${index + 1}` } as const,
            ),
          ),
          defer(() => of(`${steps} steps`)),
        ),
    )
    .tool('late', { description: 'Answers in a later turn' }, () => of('at last').pipe(delay(0)))
    .tool('files.read/all now', { description: 'Has a name no API takes', input: { type: 'object' } }, () => 'read')
    .tool('größe', { description: 'Has a name that is not ASCII' }, () => 'groß')
    .tool(
      'a-name-that-is-much-longer-than-the-sixty-four-characters-an-api-takes',
      { description: 'Has a long name', meta: { 'example.com/owner': 'me' } },
      () => 'long',
    )
    .tool(
      'odd-text',
      { description: 'Says what is hard to write: "quotes", <tags>, \u2028 and 😀' },
      () => '\u2028 😀 "\\"\n',
    )
    .tool('long', { description: 'Says a lot' }, () =>
      Array.from({ length: 2_000 }, (_, line) => `line ${line}`).join('\n'),
    );

/** Calls that between them meet every tool, and every way in which arguments can be wrong. */
export const PARITY_CALLS: readonly (readonly [name: string, args?: Readonly<Record<string, unknown>>])[] = [
  ['add', { a: 1, b: 2 }],
  ['add', { a: 'one' }],
  ['add'],
  ['echo', { text: '' }],
  ['echo', { text: 'hello', more: true }],
  ['nothing'],
  ['nothing', { any: 1 }],
  ['no-schema', { any: [1, null] }],
  ['json-schema', { city: 'Bergen', days: 3 }],
  ['json-schema', { city: '', days: 0, wind: 1 }],
  ['json-schema', {}],
  ['defaults'],
  ['defaults', { limit: 3, tags: ['a', 'b'] }],
  ['tree', { root: { name: 'a', children: [{ name: 'b' }] } }],
  ['tree', { root: { name: 'a', children: [{ children: [] }] } }],
  ['choice', { by: 'id', id: 7 }],
  ['choice', { by: 'color' }],
  ['image'],
  ['audio'],
  ['links'],
  ['embedded'],
  ['annotated'],
  ['structured'],
  ['structured-only'],
  ['list'],
  ['fail'],
  ['throw'],
  ['reject'],
  ['error'],
  ['wrong-output'],
  ['no-output'],
  ['steps', { steps: 2 }],
  ['steps', { steps: 0.5 }],
  ['late'],
  ['files.read/all now'],
  ['größe'],
  ['a-name-that-is-much-longer-than-the-sixty-four-characters-an-api-takes'],
  ['odd-text'],
  ['long'],
];
