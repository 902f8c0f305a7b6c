import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type CallToolResult, type McpClient, OutputInvalidError, type Warning } from '../../src/index.js';
import { type ScriptedTransport, scriptedTransport } from '../../src/testing/index.js';
import { connect } from '../support/client/connect.js';
import { rejection, watch } from '../support/client/watch.js';

type Mode = 'warn' | 'error' | 'off';

const COUNT = { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] };

const serverOf = (outputSchema: unknown, result: object): ScriptedTransport =>
  scriptedTransport({
    'tools/list': { tools: [{ name: 't', inputSchema: { type: 'object' }, outputSchema }] },
    'tools/call': { content: [], ...result },
  });

const listed = async (
  validateOutput: Mode,
  outputSchema: unknown,
  result: object,
): Promise<{ client: McpClient; warnings: Warning[]; call: () => Promise<CallToolResult> }> => {
  const client = connect(serverOf(outputSchema, result), { validateOutput });
  const warnings = watch(client.warnings$).values;
  await client.promises.listTools();
  return { client, warnings, call: () => client.promises.callTool('t') };
};

const issuesOf = async (outputSchema: unknown, result: object): Promise<readonly string[]> => {
  const { call } = await listed('error', outputSchema, result);
  const error = await rejection(call());
  expect(error).toBeInstanceOf(OutputInvalidError);
  expect(error).toHaveProperty('tool', 't');
  return (error as OutputInvalidError).issues;
};

const passes = async (outputSchema: unknown, result: object): Promise<void> => {
  const { call, warnings } = await listed('error', outputSchema, result);
  expect(await call()).toEqual({ content: [], resultType: 'complete', ...result });
  expect(warnings).toEqual([]);
};

/** An object schema with an object schema inside, and so on. */
const nested = (depth: number): object => (depth === 0 ? {} : { properties: { a: nested(depth - 1) } });

describe('the output of a tool', () => {
  it('passes as it is when it is as its schema promised', () => passes(COUNT, { structuredContent: { count: 3 } }));

  it('that is not as promised is a result and a warning, by default', async () => {
    const client = connect(serverOf(COUNT, { structuredContent: { count: 'three' } }));
    const warnings = watch(client.warnings$).values;
    await client.promises.listTools();
    expect(await client.promises.callTool('t')).toHaveProperty('structuredContent', { count: 'three' });
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatchObject({ kind: 'output-invalid', message: expect.stringContaining('"t"') });
    expect(warnings[0]?.detail).toBeInstanceOf(OutputInvalidError);
  });

  it("is an OutputInvalidError with the issues under validateOutput: 'error'", async () => {
    const issues = await issuesOf(COUNT, { structuredContent: { count: 'three' } });
    expect(issues.join('\n')).toContain('#/count');
  });

  it("is not looked at under validateOutput: 'off'", async () => {
    const { call, warnings } = await listed('off', { $ref: '#/nowhere' }, { structuredContent: { count: 'three' } });
    expect(await call()).toHaveProperty('structuredContent', { count: 'three' });
    expect(warnings).toEqual([]);
  });

  it('that is missing where a schema promises it is an issue', async () => {
    expect(await issuesOf(COUNT, {})).toEqual(['there is no structured content']);
  });

  it('may be any JSON value: null, false and 0 are some', async () => {
    await passes({ type: 'null' }, { structuredContent: null });
    await passes({ type: 'boolean' }, { structuredContent: false });
    await passes({ type: 'number' }, { structuredContent: 0 });
    await passes({ type: 'array', items: { type: 'string' } }, { structuredContent: ['a'] });
  });

  it('of a tool that is not in the catalogue is not validated', async () => {
    const client = connect(serverOf(COUNT, { structuredContent: 'anything' }), { validateOutput: 'error' });
    expect(await client.promises.callTool('t')).toHaveProperty('structuredContent', 'anything');
  });

  it('is no longer validated once the server said that its tools have changed', async () => {
    const server = serverOf(COUNT, { structuredContent: 'anything' });
    const client = connect(server, { validateOutput: 'error' });
    await client.promises.listTools();
    expect(await rejection(client.promises.callTool('t'))).toBeInstanceOf(OutputInvalidError);
    server.push({ method: 'notifications/tools/list_changed' });
    expect(await client.promises.callTool('t')).toHaveProperty('structuredContent', 'anything');
  });

  it('has at most ten issues told of it', async () => {
    const properties = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`p${index}`, { type: 'string' }]));
    const structuredContent = Object.fromEntries(Object.keys(properties).map((key) => [key, 1]));
    expect(await issuesOf({ type: 'object', properties }, { structuredContent })).toHaveLength(10);
  });

  it('with events is checked before the result, which is still the last event', async () => {
    const { client } = await listed('error', COUNT, { structuredContent: { count: 1 } });
    const good = watch(client.callTool('t', {}, { observe: 'events' }));
    await good.end;
    expect(good.values.map(({ kind }) => kind)).toEqual(['result']);
    const { client: other } = await listed('error', COUNT, { structuredContent: {} });
    const bad = watch(other.callTool('t', {}, { observe: 'events' }));
    expect(await bad.end).toBeInstanceOf(OutputInvalidError);
    expect(bad.values).toEqual([]);
  });
});

describe('the schema of an output', () => {
  let fetched: jest.SpiedFunction<typeof fetch>;

  beforeEach(() => {
    fetched = jest.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('nothing is fetched'));
  });

  afterEach(() => {
    fetched.mockRestore();
  });

  it.each([
    'https://json-schema.org/draft/2020-12/schema',
    'https://json-schema.org/draft/2019-09/schema',
    'http://json-schema.org/draft-07/schema#',
    'http://json-schema.org/draft-04/schema#',
  ])('may be of the dialect %s', async ($schema) => {
    await passes({ $schema, ...COUNT }, { structuredContent: { count: 1 } });
    expect(await issuesOf({ $schema, ...COUNT }, { structuredContent: {} })).not.toEqual([]);
  });

  it('is of 2020-12 where it does not say', async () => {
    const tuple = { type: 'array', prefixItems: [{ type: 'string' }], items: false };
    await passes(tuple, { structuredContent: ['a'] });
    expect(await issuesOf(tuple, { structuredContent: ['a', 'b'] })).not.toEqual([]);
  });

  it('may refer to itself, without end', async () => {
    const tree = {
      type: 'object',
      properties: { child: { $ref: '#' }, name: { $ref: '#/$defs/name' } },
      $defs: { name: { type: 'string' } },
    };
    await passes(tree, { structuredContent: { child: { child: { name: 'leaf' } } } });
    expect(await issuesOf(tree, { structuredContent: { child: { child: { name: 1 } } } })).not.toEqual([]);
  });

  const unusable: readonly (readonly [string, unknown, RegExp])[] = [
    [
      'of an unknown dialect',
      { $schema: 'https://example.com/own', ...COUNT },
      /dialect "https:\/\/example\.com\/own"/,
    ],
    ['whose dialect is no text', { $schema: 7, ...COUNT }, /dialect 7/],
    ['that refers to nothing', { $ref: '#/$defs/nowhere' }, /nowhere/],
    [
      'that refers to another document',
      { $ref: 'https://example.com/s.json' },
      /https:\/\/example\.com\/s\.json, which is not fetched/,
    ],
    ['that refers to a file', { properties: { count: { $ref: 'file:///etc/passwd' } } }, /not fetched/],
    ['that refers to a document beside it', { $ref: 'other.json#/a' }, /other\.json/],
    ['that is deeper than 64 levels', nested(40), /too deep or too large/],
    ['with more than 20 000 nodes', { anyOf: Array.from({ length: 20_001 }, () => ({})) }, /too deep or too large/],
    ['that refers to itself at once', { $ref: '#' }, /cannot be used/],
    ['that is no object', 'anything', /not an object/],
  ];

  it.each(unusable)("%s is an OutputInvalidError under 'error' that says why", async (_what, schema, why) => {
    const issues = await issuesOf(schema, { structuredContent: { count: 1 } });
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatch(why);
    expect(issues[0]).toContain('the output schema cannot be used');
    expect(fetched).not.toHaveBeenCalled();
  });

  it.each(unusable)("%s is one warning under 'warn', and the result is there", async (_what, schema) => {
    const { call, warnings } = await listed('warn', schema, { structuredContent: { count: 1 } });
    expect(await call()).toHaveProperty('structuredContent', { count: 1 });
    expect(warnings.map(({ kind }) => kind)).toEqual(['output-schema']);
    await call();
    expect(warnings).toHaveLength(1);
    expect(fetched).not.toHaveBeenCalled();
  });
});
