import { describe, expect, it } from '@jest/globals';
import { firstValueFrom, of } from 'rxjs';
import * as z from 'zod';
import * as mini from 'zod/mini';
import { Toolkit } from '../../../src/bridge/toolkit/toolkit.js';
import { OptionError } from '../../../src/index.js';
import { thrownBy, watch } from '../../support/client/watch.js';

const kit = (): Toolkit => new Toolkit({ name: 'kit' });

const culprit = (work: () => unknown): string => {
  const thrown = thrownBy(work);
  expect(thrown).toBeInstanceOf(OptionError);
  return (thrown as OptionError).option;
};

const tool = (definition: object, name: unknown = 't', handler: unknown = () => 'x') =>
  kit().tool(name as string, definition as { description: string }, handler as () => string);

describe('a toolkit', () => {
  it('adds numbers, as in its example', async () => {
    const toolkit = kit().tool(
      'add',
      { description: 'Adds two numbers', input: z.object({ a: z.number(), b: z.number() }) },
      ({ a, b }) => ({ sum: a + b }),
    );
    expect(await firstValueFrom(toolkit.source.call('add', { a: 1, b: 2 }))).toEqual({
      kind: 'result',
      result: { content: [{ type: 'text', text: '{"sum":3}' }], structuredContent: { sum: 3 } },
    });
  });

  it('lists its tools in the order in which they were added, and its live list says so', () => {
    const toolkit = kit();
    const { values } = watch(toolkit.source.tools$);
    toolkit.tool('b', { description: 'B' }, () => 'b').tool('a', { description: 'A' }, () => 'a');
    expect(values.map((tools) => tools.map(({ name }) => name))).toEqual([[], ['b'], ['b', 'a']]);
    expect(toolkit.source.get('a')).toEqual({
      ...{ name: 'a', description: 'A', inputSchema: { type: 'object', properties: {} } },
    });
    expect(toolkit.source.get('constructor')).toBeUndefined();
  });

  it.each([
    ['name', {}],
    ['name', { name: '' }],
    ['requestTimeoutMs', { name: 'a', requestTimeoutMs: -1 }],
    ['nam', { nam: 'a' }],
  ])('is an OptionError that names %s for %j', (option, options) => {
    expect(culprit(() => new Toolkit(options as { name: string }))).toBe(option);
  });

  it('takes a name once, and adds nothing where it refuses', () => {
    const toolkit = kit().tool('t', { description: 'T' }, () => 'x');
    expect(culprit(() => toolkit.tool('t', { description: 'T' }, () => 'x'))).toBe('name');
    expect(toolkit.source.listTools()).toHaveLength(1);
  });

  const cycle: { self?: unknown } = {};
  cycle.self = cycle;

  it.each<readonly [string, object]>([
    ['t.description', {}],
    ['t.description', { description: 5 }],
    ['t.title', { description: 'T', title: 5 }],
    ['t.inputSchema', { description: 'T', inputSchema: {} }],
    ['t.annotations', { description: 'T', annotations: true }],
    ['t.input', { description: 'T', input: 'object' }],
    ['t.input', { description: 'T', input: { type: 'string' } }],
    ['t.input', { description: 'T', input: z.string() }],
    ['t.input', { description: 'T', input: cycle }],
    ['t.input', { description: 'T', input: mini.object({ a: mini.string() }) }],
    ['t.input', { description: 'T', input: z.object({ when: z.date() }) }],
    ['t.inputJsonSchema', { description: 'T', inputJsonSchema: [] }],
    ['t.output', { description: 'T', output: 7 }],
    ['t', { description: 'T', meta: { big: 1n } }],
  ])('is an OptionError that names %s', (option, definition) => {
    expect(culprit(() => tool(definition))).toBe(option);
  });

  it('is an OptionError for a name that is none, and a handler that is no function', () => {
    expect(culprit(() => tool({ description: 'T' }, ''))).toBe('name');
    expect(culprit(() => tool({ description: 'T' }, Symbol('t')))).toBe('name');
    expect(culprit(() => tool({ description: 'T' }, 't', 'x'))).toBe('t.handler');
  });

  it('says what to do about a schema whose library makes no JSON Schema, and does with it', async () => {
    const input = mini.object({ a: mini.string() });
    expect(() => kit().tool('t', { description: 'T', input }, ({ a }) => a)).toThrow(
      /zod makes no JSON Schema of it; give its JSON Schema as inputJsonSchema, such as z.toJSONSchema\(schema\)/,
    );
    const inputJsonSchema = { ...mini.toJSONSchema(input) };
    const toolkit = kit().tool('t', { description: 'T', input, inputJsonSchema }, ({ a }) => a);
    expect(toolkit.source.get('t')?.inputSchema).toMatchObject({ type: 'object', required: ['a'] });
    expect(await firstValueFrom(toolkit.source.call('t', {}))).toMatchObject({ result: { isError: true } });
  });

  it('keeps its declarations whatever becomes of what they were made of', () => {
    const input = { type: 'object', properties: { a: { type: 'string' } } };
    const { source } = tool({ description: 'T', input });
    input.properties.a.type = 'number';
    expect(source.get('t')?.inputSchema).toEqual({ type: 'object', properties: { a: { type: 'string' } } });
  });

  it('knows the types of its handlers', () => {
    const output = z.object({ n: z.number() });
    kit()
      .tool('a', { description: 'A', input: z.object({ n: z.string().transform(Number) }) }, ({ n }) => n.toFixed(2))
      .tool('b', { description: 'B', output }, () => ({ n: 1 }))
      .tool('c', { description: 'C', output }, async () => ({ n: 1 }))
      .tool('d', { description: 'D', output }, () => of({ kind: 'progress', progress: 1 } as const, { n: 1 }))
      .tool('e', { description: 'E', output }, () => ({ content: [], isError: true }))
      // @ts-expect-error: what the schema of the output does not take
      .tool('f', { description: 'F', output }, () => ({ n: 'one' }))
      // @ts-expect-error: an argument the schema of the input does not have
      .tool('g', { description: 'G', input: z.object({ a: z.string() }) }, ({ b }) => b);
  });
});
