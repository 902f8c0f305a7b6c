import { describe, expect, it } from '@jest/globals';
import { InvalidMessageError, type McpClient, type Warning } from '../../src/index.js';
import { scriptedTransport } from '../../src/testing/index.js';
import { connect } from '../support/client/connect.js';
import { ERAS } from '../support/client/scripted.js';
import { watch, type Watched } from '../support/client/watch.js';

const CALLS: readonly (readonly [method: string, member: object, call: (client: McpClient) => Watched<unknown>])[] = [
  ['tools/call', { content: [] }, (client) => watch<unknown>(client.callTool('t'))],
  ['resources/read', { contents: [] }, (client) => watch<unknown>(client.readResource('a:b'))],
  ['prompts/get', { messages: [] }, (client) => watch<unknown>(client.getPrompt('p'))],
  [
    'completion/complete',
    { completion: { values: [] } },
    (client) => watch<unknown>(client.complete({ type: 'ref/prompt', name: 'p' }, { name: 'a', value: '' })),
  ],
];

/** Its entries, and how they come out. */
const ENTRIES: readonly (readonly [
  call: (typeof CALLS)[number],
  wrap: (entries: readonly unknown[]) => object,
  good: unknown,
])[] = [
  [CALLS[0]!, (content) => ({ content }), { type: 'text', text: 'a' }],
  [CALLS[1]!, (contents) => ({ contents }), { uri: 'a:b', text: 'a' }],
  [CALLS[2]!, (messages) => ({ messages }), { role: 'user', content: { type: 'text', text: 'a' } }],
  [CALLS[3]!, (values) => ({ completion: { values, total: 3 } }), 'a'],
];

/** The same, with what was warned of. */
const warned = (
  [method, , call]: (typeof CALLS)[number],
  result: unknown,
  era: 'modern' | 'legacy',
): { readonly values: readonly unknown[]; readonly warnings: readonly Warning[] } => {
  const client = connect(scriptedTransport({ [method]: scriptedTransport.verbatim(result) }, { era }), { era });
  const warnings = watch(client.warnings$).values;
  const { values } = call(client);
  return { values, warnings };
};

const answered = (
  [method, , call]: (typeof CALLS)[number],
  result: unknown,
  era: 'modern' | 'legacy' = 'modern',
): Watched<unknown> =>
  call(connect(scriptedTransport({ [method]: scriptedTransport.verbatim(result) }, { era }), { era }));

describe.each(ERAS)('a result in the %s era', (era) => {
  it.each(CALLS)('of %s keeps every member and says that it is complete', (...call) => {
    const result = { ...call[1], _meta: { 'x/y': 1 }, unheard: ['of'] };
    expect(answered(call, result, era).values).toEqual([{ ...result, resultType: 'complete' }]);
  });

  it.each(CALLS)('of %s that is no object is an InvalidMessageError with the facts', (...call) => {
    for (const result of [null, 'done', 5, []]) {
      const { error } = answered(call, result, era);
      expect(error).toBeInstanceOf(InvalidMessageError);
      expect(error).toMatchObject({ method: call[0], id: 2, reason: 'the result is not an object' });
    }
  });

  it.each(CALLS.slice(1))('of %s without its main member is an InvalidMessageError', (...call) => {
    for (const result of [{}, { [Object.keys(call[1])[0] ?? '']: 'text' }]) {
      const { error } = answered(call, result, era);
      expect(error).toBeInstanceOf(InvalidMessageError);
      expect(error).toHaveProperty('method', call[0]);
    }
  });
});

describe.each(ERAS)('a result in the %s era whose entries are none', (era) => {
  it.each(ENTRIES)('goes without them, with a warning each: %j', (call, wrap, good) => {
    const odd = [null, 7, true, [good], ...(typeof good === 'string' ? [{}] : ['text'])];
    const { values, warnings } = warned(call, wrap([odd[0], good, ...odd.slice(1), good]), era);
    expect(values).toEqual([{ ...wrap([good, good]), resultType: 'complete' }]);
    expect(warnings.map(({ kind, detail }) => [kind, detail])).toEqual(odd.map((entry) => ['malformed-entry', entry]));
    for (const { message } of warnings) expect(message).toContain(call[0]);
  });

  it.each(ENTRIES)('stays a result where nothing is left of it: %j', (call, wrap) => {
    expect(warned(call, wrap([null]), era).values).toEqual([{ ...wrap([]), resultType: 'complete' }]);
  });

  it.each(ENTRIES)('is told of eleven times at most: %j', (call, wrap) => {
    const { warnings } = warned(call, wrap(Array.from({ length: 5_000 }, () => null)), era);
    expect(warnings).toHaveLength(11);
    expect(warnings[10]?.message).toContain('4990 more entries');
  });
});

describe('a resource that is kept, with an entry that is none', () => {
  it('is told of once, however often it is read', async () => {
    const result = { contents: [null, { uri: 'a:b', text: 'a' }], ttlMs: 60_000, cacheScope: 'public' };
    const server = scriptedTransport({ 'resources/read': scriptedTransport.verbatim(result) }, { era: 'modern' });
    const client = connect(server, { era: 'modern' });
    const warnings = watch(client.warnings$).values;
    for (let n = 0; n < 3; n += 1)
      expect((await client.promises.readResource('a:b')).contents).toEqual([{ uri: 'a:b', text: 'a' }]);
    expect(server.sent.filter((message) => 'method' in message && message.method === 'resources/read')).toHaveLength(1);
    expect(warnings).toHaveLength(1);
  });
});

describe.each(ERAS)('the result of a tool in the %s era', (era) => {
  const call = CALLS[0]!;

  it.each(['no', 'true', 1, {}, null])('whose isError is %j says nothing of a failure', (isError) => {
    const content = [{ type: 'text', text: 'a' }];
    const { values, warnings } = warned(call, { content, isError }, era);
    expect(values).toStrictEqual([{ content, resultType: 'complete' }]);
    const told = { kind: 'malformed-entry', message: 'left out an isError that is neither true nor false' };
    expect(warnings).toEqual(isError === null ? [] : [{ ...told, detail: isError }]);
  });

  it('that is a task nobody asked for is an InvalidMessageError', () => {
    const task = { taskId: '1', status: 'working', ttl: 1 };
    const result = era === 'modern' ? { resultType: 'task', task } : { task };
    expect(answered(call, result, era).error).toBeInstanceOf(InvalidMessageError);
    expect(answered(call, { task }, era).error).toMatchObject({ method: 'tools/call' });
  });

  it('may have a member of that name beside its content', () => {
    const task = { taskId: '1' };
    expect(answered(call, { task, content: [] }, era).values).toEqual([{ task, content: [], resultType: 'complete' }]);
    expect(answered(call, { task, structuredContent: {} }, era).values).toHaveLength(1);
    expect(answered(call, { task: 'done' }, era).values).toHaveLength(1);
  });
});

describe('the result of a tool', () => {
  const [call] = CALLS as [(typeof CALLS)[number]];

  it('without content has none', () => {
    expect(answered(call, { structuredContent: { a: 1 } }).values).toEqual([
      { content: [], structuredContent: { a: 1 }, resultType: 'complete' },
    ]);
  });

  it('whose content is no list is an InvalidMessageError', () => {
    expect(answered(call, { content: 'text' }).error).toBeInstanceOf(InvalidMessageError);
  });

  it('that failed is a result', () => {
    const failed = { content: [{ type: 'text', text: 'no such file' }], isError: true };
    expect(answered(call, failed).values).toEqual([{ ...failed, resultType: 'complete' }]);
  });

  it('may hold any JSON value as structured content', () => {
    for (const structuredContent of [null, 0, '', [1], false]) {
      expect(answered(call, { content: [], structuredContent }).values).toEqual([
        { content: [], structuredContent, resultType: 'complete' },
      ]);
    }
  });

  it.each([['task'], [7], ['toString']])(
    'of the type %p, which this client does not know, is an InvalidMessageError',
    (resultType) => {
      expect(answered(call, { resultType, content: [] }).error).toBeInstanceOf(InvalidMessageError);
    },
  );

  it('that asks for input is an InvalidMessageError: no hook was declared', () => {
    const { error } = answered(call, { resultType: 'input_required', inputRequests: {} });
    expect(error).toBeInstanceOf(InvalidMessageError);
  });

  it('says nothing of itself in the legacy era: whatever resultType stands there is not believed', () => {
    expect(answered(call, { resultType: 'task', content: [] }, 'legacy').values).toEqual([
      { content: [], resultType: 'complete' },
    ]);
  });
});
