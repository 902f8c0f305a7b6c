import { describe, expect, it } from '@jest/globals';
import { type McpClient, OptionError, type Progress } from '../../src/index.js';
import { type ScriptedTransport, scriptedTransport } from '../../src/testing/index.js';
import { connect } from '../support/client/connect.js';
import { ERAS, metaOf, scriptedLives, sentTo } from '../support/client/scripted.js';
import { watch } from '../support/client/watch.js';

const silence = scriptedTransport.silence;

const silent = (era: 'modern' | 'legacy' = 'modern'): ScriptedTransport =>
  scriptedTransport(
    { 'tools/call': silence, 'resources/read': silence, 'prompts/get': silence, 'tools/list': silence },
    { era },
  );

const tokenAt = (server: ScriptedTransport, index = 0, method = 'tools/call'): unknown =>
  metaOf(server, method, index)['progressToken'];

const report = (server: ScriptedTransport, progressToken: unknown, rest: object = { progress: 1 }): void => {
  server.push({ method: 'notifications/progress', params: { progressToken, ...rest } });
};

describe.each(ERAS)('a progress token in the %s era', (era) => {
  const asks = (call: (client: McpClient) => unknown, options: object = {}): unknown => {
    const server = silent(era);
    call(connect(server, { era, ...options }));
    return tokenAt(server);
  };

  it('goes with a call that has events', () => {
    expect(asks((client) => watch(client.callTool('t', {}, { observe: 'events' })))).toEqual(expect.any(Number));
  });

  it('goes with a call that says resetOnProgress: true itself', () => {
    expect(asks((client) => watch(client.callTool('t', {}, { resetOnProgress: true })))).toEqual(expect.any(Number));
  });

  it('goes with a call that has one of its own, which may be 0 or an empty string', () => {
    for (const progressToken of ['mine', 7, 0, '']) {
      expect(asks((client) => watch(client.callTool('t', {}, { progressToken })))).toBe(progressToken);
    }
  });

  it('goes with every call where onProgress is set', () => {
    expect(asks((client) => watch(client.callTool('t')), { onProgress: () => undefined })).toEqual(expect.any(Number));
  });

  it('goes with a call that is sent while progress$ is observed, and only then', () => {
    const server = silent(era);
    const client = connect(server, { era });
    watch(client.callTool('before'));
    const reports = watch(client.progress$);
    watch(client.callTool('while'));
    reports.subscription.unsubscribe();
    watch(client.callTool('after'));
    expect([0, 1, 2].map((index) => tokenAt(server, index))).toEqual([undefined, expect.any(Number), undefined]);
  });

  it('goes with no other call', () => {
    for (const options of [undefined, {}, { resetOnProgress: false }, { observe: 'result' }, { timeoutMs: 5_000 }]) {
      expect(asks((client) => watch(client.callTool('t', {}, options as object)))).toBeUndefined();
    }
    expect(asks((client) => watch(client.callTool('t')), { resetOnProgress: true })).toBeUndefined();
  });

  it('goes with other methods by the same rules', () => {
    const server = silent(era);
    const client = connect(server, { era });
    watch(client.readResource('a:b', { observe: 'events' }));
    watch(client.getPrompt('p', {}, { observe: 'events' }));
    watch(client.listTools({ resetOnProgress: true }));
    const methods = ['resources/read', 'prompts/get', 'tools/list'];
    const tokens = methods.map((method) => tokenAt(server, 0, method));
    expect(new Set(tokens).size).toBe(3);
    expect(tokens).not.toContain(undefined);
  });
});

describe('a progress token', () => {
  it('is fresh for each call', () => {
    const server = silent();
    const client = connect(server);
    for (let n = 0; n < 3; n += 1) watch(client.callTool('t', {}, { observe: 'events' }));
    server.push({ id: 2, result: { content: [] } });
    watch(client.callTool('t', {}, { observe: 'events' }));
    const tokens = sentTo(server, 'tools/call').map((_, index) => tokenAt(server, index));
    expect(new Set(tokens).size).toBe(4);
  });

  it('is never one that a caller has chosen and that is open', () => {
    const server = silent();
    const client = connect(server);
    watch(client.callTool('t', {}, { progressToken: 1 }));
    watch(client.callTool('t', {}, { progressToken: 2 }));
    watch(client.callTool('t', {}, { observe: 'events' }));
    const tokens = sentTo(server, 'tools/call').map((_, index) => tokenAt(server, index));
    expect(new Set(tokens).size).toBe(3);
  });

  it('of a call in flight is refused by name, and nothing is sent', () => {
    const server = silent();
    const client = connect(server);
    watch(client.callTool('first', {}, { progressToken: 'mine' }));
    const { error } = watch(client.callTool('second', {}, { progressToken: 'mine' }));
    expect(error).toBeInstanceOf(OptionError);
    expect(error).toHaveProperty('option', 'progressToken');
    expect(sentTo(server, 'tools/call')).toHaveLength(1);
    expect(sentTo(server, 'notifications/cancelled')).toEqual([]);
  });

  it('may be used again once its call has ended', () => {
    const server = silent();
    const client = connect(server);
    const call = (): ReturnType<typeof watch> => watch(client.callTool('t', {}, { progressToken: 'mine' }));
    const first = call();
    server.push({ id: 2, result: { content: [] } });
    expect(first.completed).toBe(true);
    call().subscription.unsubscribe();
    expect(call().error).toBeUndefined();
    expect(sentTo(server, 'tools/call')).toHaveLength(3);
  });

  it('and the same token as a string are two tokens', () => {
    const server = silent();
    const client = connect(server);
    const one = watch(client.callTool('t', {}, { progressToken: 5, observe: 'events' }));
    const two = watch(client.callTool('t', {}, { progressToken: '5', observe: 'events' }));
    report(server, '5');
    expect([one.values, two.values.length]).toEqual([[], 1]);
  });
});

describe('a progress report', () => {
  it('reaches its own call, progress$ and onProgress, with the facts of the call', () => {
    const heard: Progress[] = [];
    const server = silent();
    const client = connect(server, { onProgress: (progress) => heard.push(progress) });
    const all = watch(client.progress$);
    const other = watch(client.callTool('other', {}, { observe: 'events' }));
    const own = watch(client.readResource('a:b', { observe: 'events', progressToken: 'mine' }));
    report(server, 'mine', { progress: 0.5, total: 2, message: 'half', extra: true });
    const expected = {
      requestId: 3,
      progressToken: 'mine',
      method: 'resources/read',
      name: 'a:b',
      progress: 0.5,
      total: 2,
      message: 'half',
    };
    expect(own.values).toEqual([{ kind: 'progress', ...expected }]);
    expect(all.values).toEqual([expected]);
    expect(heard).toEqual([expected]);
    expect(other.values).toEqual([]);
  });

  it('has no total and no message where the server gave none, or none that can be read', () => {
    const server = silent();
    const seen = watch(connect(server).callTool('t', {}, { observe: 'events', progressToken: 'mine' }));
    report(server, 'mine', { progress: 3, total: 'many', message: 7 });
    expect(seen.values).toEqual([
      { kind: 'progress', requestId: 2, progressToken: 'mine', method: 'tools/call', name: 't', progress: 3 },
    ]);
  });

  it('that does not grow is tolerated', () => {
    const server = silent();
    const seen = watch(connect(server).callTool('t', {}, { observe: 'events', progressToken: 'mine' }));
    for (const progress of [2, 2, 1]) report(server, 'mine', { progress });
    expect(seen.values).toHaveLength(3);
  });

  it.each([
    ['after the answer', { progressToken: 'mine', progress: 1 }],
    ['under a token nobody gave', { progressToken: 'other', progress: 1 }],
    ['without a token', { progress: 1 }],
    ['without a number', { progressToken: 'open', progress: '50%' }],
    ['without params', undefined],
  ])('%s is dropped without a word, but for notifications$', (_what, params) => {
    const server = silent();
    const client = connect(server);
    const [reports, warnings, raw] = [client.progress$, client.warnings$, client.notifications$].map((stream$) =>
      watch<unknown>(stream$),
    ) as [ReturnType<typeof watch>, ReturnType<typeof watch>, ReturnType<typeof watch>];
    const done = watch(client.callTool('done', {}, { observe: 'events', progressToken: 'mine' }));
    watch(client.callTool('open', {}, { observe: 'events', progressToken: 'open' }));
    server.push({ id: 2, result: { content: [] } });
    const method = 'notifications/progress';
    server.push(params === undefined ? { method } : { method, params });
    expect(reports.values).toEqual([]);
    expect(warnings.values).toEqual([]);
    expect(done.values.map((event) => (event as { kind: string }).kind)).toEqual(['result']);
    expect(raw.values).toEqual([params === undefined ? { method, params: undefined } : { method, params }]);
  });

  it('under the token of a call on a former connection is dropped', () => {
    const lives = scriptedLives(() => silent());
    const client = connect(lives);
    watch(client.callTool('t', {}, { observe: 'events', progressToken: 'mine' }));
    lives.opened[0]?.die();
    watch(client.callTool('t'));
    const reports = watch(client.progress$);
    report(lives.opened[1] as ScriptedTransport, 'mine');
    expect(reports.values).toEqual([]);
  });
});
