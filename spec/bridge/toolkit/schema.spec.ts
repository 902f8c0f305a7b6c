import { describe, expect, it } from '@jest/globals';
import { firstValueFrom, of } from 'rxjs';
import * as z from 'zod';
import { schemaOf } from '../../../src/bridge/toolkit/schema.js';
import { rejection } from '../../support/client/watch.js';

const COUNT = { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] };

describe('the schema of a tool', () => {
  it('in JSON Schema checks values as they would come over a wire', async () => {
    const { json, check } = schemaOf(COUNT, undefined, 'output', 't');
    expect(json).toEqual(COUNT);
    const value = { count: 1, gone: undefined };
    expect(await firstValueFrom(check(value))).toStrictEqual({ value: { count: 1 } });
    expect(await firstValueFrom(check({ count: 'x' }))).toEqual({
      issues: expect.arrayContaining([expect.stringMatching(/^#\/count: /)]),
    });
    expect(await firstValueFrom(check({ count: 1n }))).toEqual({
      issues: [expect.stringMatching(/^it has no form in JSON/)],
    });
  });

  it('of a library gives what it makes of a value, whether it answers at once or later', async () => {
    const schema = z.object({ count: z.string().transform(async (text) => text.length) });
    const { check } = schemaOf(schema, COUNT, 'input', 't');
    expect(await firstValueFrom(check({ count: 'four' }))).toEqual({ value: { count: 4 } });
    expect(await firstValueFrom(check({}))).toHaveProperty('issues');
  });

  it('may declare another JSON Schema than it checks by', async () => {
    const { json, check } = schemaOf(COUNT, { type: 'object' }, 'input', 't');
    expect(json).toEqual({ type: 'object' });
    expect(await firstValueFrom(check({}))).toHaveProperty('issues');
  });

  it('that cannot be used errors each time, and does not throw', async () => {
    const { check } = schemaOf({ $schema: 'https://example.com/own' }, undefined, 'input', 't');
    expect(await rejection(firstValueFrom(check({})))).toBeInstanceOf(Error);
    expect(await rejection(firstValueFrom(check({})))).toBeInstanceOf(Error);
  });

  it('reads no answer but that of the library', async () => {
    const own = { '~standard': { version: 1, vendor: 'own', validate: () => of({ value: 1 }) as never } } as const;
    expect(await firstValueFrom(schemaOf(own, COUNT, 'input', 't').check({}))).toEqual({ value: 1 });
  });
});
