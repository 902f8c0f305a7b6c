import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readCall } from '../../../src/bridge/formats/index.js';

type Shape = readonly [string, (args: unknown, id?: unknown, name?: unknown) => object];

const SHAPES: readonly Shape[] = [
  ['neutral', (args, id = '1', name = 't') => ({ id, name, arguments: args })],
  ['openai', (args, id = '1', name = 't') => ({ id, type: 'function', function: { name, arguments: args } })],
  [
    'openai-responses',
    (args, id = '1', name = 't') => ({ type: 'function_call', id: 'fc_1', call_id: id, name, arguments: args }),
  ],
  [
    'anthropic',
    (args, id = '1', name = 't') => ({ type: 'tool_use', id, name, input: args, caller: { type: 'direct' } }),
  ],
  ['gemini', (args, id = '1', name = 't') => ({ functionCall: { id, name, args }, thoughtSignature: 'x' })],
  ['ai-sdk', (args, id = '1', name = 't') => ({ type: 'tool-call', toolCallId: id, toolName: name, input: args })],
];

describe.each(SHAPES)('a call in the shape of %s', (format, call) => {
  it('is read: its id, the name and the arguments', () => {
    expect(readCall(call({ a: 1 }))).toEqual({ format, id: '1', name: 't', arguments: { a: 1 } });
  });

  it.each([['{"a":1}'], [' {"a":1}\n']])('may have its arguments as JSON: %j', (args) => {
    expect(readCall(call(args))).toEqual({ format, id: '1', name: 't', arguments: { a: 1 } });
  });

  it.each([[undefined], [null], [''], [' \n']])('has no arguments where there is nothing: %j', (args) => {
    expect(readCall(call(args))).toEqual({ format, id: '1', name: 't', arguments: {} });
  });

  it.each<[unknown, string]>([
    ['{"a":', 'The arguments are no valid JSON'],
    ['[1]', 'The arguments are JSON of a list: give the arguments as one JSON object.'],
    ['null', 'The arguments are JSON of null: give the arguments as one JSON object.'],
    ['5', 'The arguments are JSON of a number: give the arguments as one JSON object.'],
    [[1], 'The arguments are a list: give the arguments as one JSON object.'],
    [5, 'The arguments are a number: give the arguments as one JSON object.'],
    [true, 'The arguments are a boolean: give the arguments as one JSON object.'],
  ])('is malformed with arguments that are no object, and the model hears why: %j', (args, reason) => {
    const malformed = expect.stringContaining(reason);
    expect(readCall(call(args))).toEqual({ format, id: '1', name: 't', malformed });
  });

  it.each([[''], [5], [null], [{}]])('is malformed without the name of a tool: %j', (name) => {
    const malformed = 'The call names no tool: give the name of one of the tools.';
    expect(readCall(call({}, '1', name))).toEqual({ format, id: '1', name: '', malformed });
  });

  it('may have a number as its id, or none', () => {
    expect(readCall(call({}, 0))).toMatchObject({ format, id: '0' });
    expect(readCall(call({}, 7n))).toMatchObject({ format, id: '7' });
    expect(readCall(call({}, null))).toMatchObject({ format, id: '' });
    expect(readCall(call({}, {}))).toMatchObject({ format, id: '' });
  });
});

describe('a call', () => {
  it('may be one of OpenAI without its type', () => {
    expect(readCall({ id: '1', function: { name: 't', arguments: '{}' } })).toMatchObject({
      format: 'openai',
      id: '1',
    });
  });

  it('may be one of Gemini taken out of its part, with or without an id', () => {
    expect(readCall({ name: 't', args: { a: 1 } })).toEqual({
      format: 'gemini',
      id: '',
      name: 't',
      arguments: { a: 1 },
    });
    expect(readCall({ name: 't', args: {}, id: '1' })).toMatchObject({ format: 'gemini', id: '1' });
  });

  it('may be one of an older AI SDK', () => {
    const call = { toolCallId: '1', toolName: 't', args: { a: 1 } };
    const read = { format: 'ai-sdk', id: '1', name: 't', arguments: { a: 1 } };
    expect(readCall(call)).toEqual(read);
    expect(readCall({ type: 'tool-call', ...call })).toEqual(read);
  });

  it('of OpenAI may be one of a custom tool, which has an answer in its shape', () => {
    const read = { format: 'openai', id: '1', malformed: 'The call names no tool: give the name of one of the tools.' };
    expect(readCall({ type: 'custom', id: '1', custom: { name: 't', input: 'x' } })).toMatchObject(read);
    expect(readCall({ type: 'custom', id: '1', function: { name: 't' } })).toMatchObject({
      format: 'neutral',
      name: '',
    });
    expect(readCall({ id: '1', custom: {}, function: { name: 't' } })).toMatchObject({ format: 'openai', name: 't' });
    expect(readCall({ type: 'tool', id: '1', function: { name: 't' } })).toMatchObject({ format: 'neutral', name: '' });
  });

  it('is none of Gemini where its type or its arguments are those of another', () => {
    expect(readCall({ type: 'new', functionCall: { name: 't' } })).toMatchObject({ format: 'neutral', name: '' });
    expect(readCall({ name: 't', args: { a: 1 }, arguments: { b: 1 } })).toMatchObject({
      format: 'neutral',
      arguments: { b: 1 },
    });
    expect(readCall({ name: 5, args: {} })).toMatchObject({ format: 'neutral' });
  });

  it('is none of the AI SDK where its type is that of another', () => {
    expect(readCall({ type: 'new', toolCallId: '1', toolName: 't', input: {} })).toMatchObject({ format: 'neutral' });
    expect(readCall({ toolCallId: '1', toolName: 't', input: {} })).toMatchObject({ format: 'ai-sdk', name: 't' });
  });

  it('that cannot be read is told so, with the reason', () => {
    const reason = 'This call cannot be read (not today): give a plain object.';
    const throwing = {
      get type(): string {
        throw new Error('not today');
      },
    };
    expect(readCall(throwing)).toEqual({ format: 'neutral', id: '', name: '', malformed: reason });
  });

  it('may have no more than a name', () => {
    expect(readCall({ name: 't' })).toEqual({ format: 'neutral', id: '', name: 't', arguments: {} });
  });

  it.each<[unknown]>([[undefined], [null], ['t'], [5], [[]], [() => 1], [Symbol('t')]])('is an object: %p', (value) => {
    expect(readCall(value)).toMatchObject({
      format: 'neutral',
      id: '',
      name: '',
      malformed: expect.stringContaining('no tool call'),
    });
  });

  it.each<[object, string]>([
    [{ type: 'custom_tool_call', call_id: 'c', id: 'i', name: 't', input: 'text' }, 'c'],
    [{ type: 'server_tool_use', id: 's', name: 't', input: {} }, 's'],
    [{ type: 5, name: 't' }, ''],
  ])('of a type that is not run here is malformed: %j', (call, id) => {
    const type = JSON.stringify((call as { type: unknown }).type);
    const malformed = `A call of the type ${type} cannot be made here: call a function.`;
    expect(readCall(call)).toEqual({ format: 'neutral', id, name: '', malformed });
  });

  it('of OpenAI without a function is malformed in its own shape', () => {
    expect(readCall({ type: 'function', id: '1' })).toMatchObject({
      format: 'openai',
      id: '1',
      malformed: expect.any(String),
    });
  });

  it('keeps what its arguments are called', () => {
    const read = readCall({ id: '1', name: 't', arguments: '{"__proto__":{"a":1}}' });
    expect(Object.keys('arguments' in read ? read.arguments : {})).toEqual(['__proto__']);
  });

  it('never throws, whatever it is', () => {
    const throwing = new Proxy(
      {},
      {
        get: () => {
          throw new Error('not today');
        },
      },
    );
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const dreadful = [
      throwing,
      proxy,
      { type: 1n },
      {
        get name(): string {
          throw new Error('no');
        },
      },
      { name: 't', arguments: proxy },
    ];
    for (const value of dreadful) expect(readCall(value)).toMatchObject({ malformed: expect.any(String), id: '' });
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withNullPrototype: true, withSparseArray: true }), (value) => {
        expect(readCall(value)).toHaveProperty('format');
      }),
    );
  });
});
