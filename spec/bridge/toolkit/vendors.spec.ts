import { describe, expect, it } from '@jest/globals';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import { firstValueFrom, last } from 'rxjs';
import * as v from 'valibot';
import * as z from 'zod';
import * as mini from 'zod/mini';
import { Toolkit } from '../../../src/bridge/toolkit/toolkit.js';
import { type CallEvent, type CallToolResult, OptionError } from '../../../src/index.js';

const CITY = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };

/** The same tool by each library; each handler is typed by its schema. */
const toolkit = new Toolkit({ name: 'vendors' })
  .tool('zod', { description: 'Z', input: z.object({ city: z.string() }) }, ({ city }) => city.toUpperCase())
  .tool(
    'zod/mini',
    { description: 'M', input: mini.object({ city: mini.string() }), inputJsonSchema: CITY },
    ({ city }) => city.toUpperCase(),
  )
  .tool('valibot', { description: 'V', input: toStandardJsonSchema(v.object({ city: v.string() })) }, ({ city }) =>
    city.toUpperCase(),
  )
  .tool('arktype', { description: 'A', input: type({ city: 'string' }) }, ({ city }) => city.toUpperCase());

const call = async (name: string, args: object): Promise<CallToolResult | undefined> => {
  const event: CallEvent<CallToolResult> = await firstValueFrom(toolkit.source.call(name, args).pipe(last()));
  return event.kind === 'result' ? event.result : undefined;
};

describe.each(['zod', 'zod/mini', 'valibot', 'arktype'])('a tool whose input is a schema of %s', (name) => {
  it('declares it as JSON Schema', () => {
    expect(toolkit.source.get(name)?.inputSchema).toMatchObject(CITY);
  });

  it('takes what the schema takes, and tells of what it does not', async () => {
    expect(await call(name, { city: 'oslo' })).toEqual({ content: [{ type: 'text', text: 'OSLO' }] });
    const wrong = await call(name, { city: 7 });
    expect(wrong).toMatchObject({ isError: true });
    expect(JSON.stringify(wrong)).toContain('Input validation error: Invalid arguments for tool');
    expect(JSON.stringify(wrong)).toContain('city');
  });
});

it('a valibot schema by itself is an OptionError that says what to wrap it by', () => {
  const input = v.object({ city: v.string() });
  const add = () => new Toolkit({ name: 'v' }).tool('t', { description: 'T', input }, ({ city }) => city);
  expect(add).toThrow(OptionError);
  expect(add).toThrow('toStandardJsonSchema');
});
