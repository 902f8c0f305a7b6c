// What a server makes much of in one go: questions, notices, malformed entries, pages, long texts.
import { describe, expect, it } from '@jest/globals';
import { map, timer } from 'rxjs';
import { connect, InvalidMessageError, ProtocolError, TimeoutError, type Warning } from '../../src/index.js';
import { scriptedTransport } from '../../src/testing/index.js';
import { connect as connected } from '../support/client/connect.js';
import { tell } from '../support/client/listening.js';
import { inVirtualTime } from '../support/client/virtual-time.js';
import { watch } from '../support/client/watch.js';

const sampling = { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } };
const asking = (count: number) => ({
  resultType: 'input_required',
  inputRequests: Object.fromEntries(Array.from({ length: count }, (_, at) => [`q${at}`, sampling])),
});

describe('questions', () => {
  it('are a hundred in one result at most: more are an InvalidMessageError, and none of them is asked', async () => {
    let asked = 0;
    const onSample = () => {
      asked += 1;
      return { role: 'assistant' as const, model: 'm', content: { type: 'text' as const, text: 'x' } };
    };
    const answers: object[] = [asking(101), asking(100), { content: [] }];
    const client = connect(scriptedTransport({ 'tools/call': () => answers.shift() }), { onSample, era: 'modern' });
    await expect(client.promises.callTool('x')).rejects.toBeInstanceOf(InvalidMessageError);
    expect(asked).toBe(0);
    await client.promises.callTool('x');
    expect(asked).toBe(100);
    await client.close();
  });

  it('are a hundred URLs in one refusal at most: of more nobody is asked', async () => {
    let asked = 0;
    const elicitations = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ elicitationId: `e${at}`, message: 'm', url: 'https://a.example/' }));
    const counts = [101, 100];
    const refuse = () => scriptedTransport.error(-32042, 'no', { elicitations: elicitations(counts.shift() ?? 0) });
    const client = connect(scriptedTransport({ 'tools/call': refuse }, { era: 'legacy' }), {
      onElicitUrl: () => {
        asked += 1;
        return { action: 'decline' };
      },
      era: 'legacy',
    });
    await expect(client.promises.callTool('x')).rejects.toBeInstanceOf(ProtocolError);
    expect(asked).toBe(0);
    await expect(client.promises.callTool('x')).rejects.toBeInstanceOf(ProtocolError);
    expect(asked).toBe(100);
    await client.close();
  });
});

describe('notices of a subscription that was not acknowledged', () => {
  it.each([
    ['a thousand', 1_001, 'x'],
    ['four million characters', 4, 'x'.repeat(1_000_000)],
  ])('are kept up to %s; more end it with an InvalidMessageError', (_what, count, pad) => {
    const server = scriptedTransport({ 'subscriptions/listen': scriptedTransport.silence });
    const seen = watch(connected(server).listen({ toolsListChanged: true }));
    for (let at = 0; at < count - 1; at += 1) tell(server, 'notifications/tools/list_changed', { pad });
    expect(seen.error).toBeUndefined();
    tell(server, 'notifications/tools/list_changed', { pad });
    expect(seen.error).toBeInstanceOf(InvalidMessageError);
  });
});

describe('a list', () => {
  it('has all of its pages within the total time of one call', () => {
    inVirtualTime(({ at }) => {
      let page = 0;
      const server = scriptedTransport({
        'tools/list': () => timer(150).pipe(map(() => ({ tools: [], nextCursor: `c${page++}` }))),
      });
      const seen = watch(connected(server).listTools({ maxTotalMs: 500 }));
      at(500, () => expect(seen.error).toBeUndefined());
      at(502, () => expect(seen.error).toEqual(new TimeoutError('tools/list', undefined, 500)));
    });
  });

  it('has ten of its malformed entries told one by one, and the rest by one warning', async () => {
    const warnings: Warning[] = [];
    const server = scriptedTransport({ 'tools/list': { tools: Array.from({ length: 50_000 }, () => 0) } });
    const client = connect(server, { era: 'modern', onWarn: (warning) => warnings.push(warning) });
    expect(await client.promises.listTools()).toEqual([]);
    expect(warnings).toHaveLength(11);
    expect(warnings[10]).toMatchObject({ message: '49990 more entries of tools are malformed' });
    await client.close();
  });

  it('has no entry looked at beyond 100 000, on whatever page', async () => {
    const warnings: Warning[] = [];
    const prompts = Array.from({ length: 100_001 }, (_, at) => ({ name: `p${at}` }));
    const server = scriptedTransport({ 'prompts/list': { prompts } });
    const client = connect(server, { era: 'modern', onWarn: (warning) => warnings.push(warning) });
    expect(await client.promises.listPrompts()).toHaveLength(100_000);
    expect(warnings).toMatchObject([{ kind: 'malformed-entry', message: 'left out all of prompts beyond 100000' }]);
    await client.close();
  });
});

describe('a long text of a server', () => {
  it('is told by its beginning alone', async () => {
    const warnings: Warning[] = [];
    const long = 'x'.repeat(1_000_000);
    const server = scriptedTransport({ 'tools/call': { resultType: long, content: [] } });
    const client = connect(server, { era: 'modern', onWarn: (warning) => warnings.push(warning) });
    const failure = await client.promises.callTool('a').catch((reason: unknown) => reason);
    server.push({ id: 'r', method: long });
    server.push({ id: long, result: {} });
    expect((failure as Error).message.length).toBeLessThan(1_200);
    expect(warnings.map(({ kind, message }) => [kind, message.length < 400])).toEqual([
      ['unexpected-request', true],
      ['unmatched-answer', true],
    ]);
    await client.close();
  });
});
