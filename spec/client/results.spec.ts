import { describe, expect, it } from '@jest/globals';
import { InvalidMessageError, type McpClient } from '../../src/index.js';
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
