import { describe, expect, it } from '@jest/globals';
import { firstValueFrom, timer } from 'rxjs';
import {
  type McpClient,
  OutcomeUnknownError,
  ProtocolError,
  ServerGoneError,
  TransportClosedError,
  UnsupportedFeatureError,
  type Warning,
} from '../../src/index.js';
import { type ScriptedTransport, scriptedTransport } from '../../src/testing/index.js';
import { connect } from '../support/client/connect.js';
import { ERAS, methodsOf, OPENING, scriptedLives, sentTo } from '../support/client/scripted.js';
import { inVirtualTime } from '../support/client/virtual-time.js';
import { watch, type Watched } from '../support/client/watch.js';

const silence = scriptedTransport.silence;

describe.each(ERAS)('callTool() in the %s era', (era) => {
  it('sends name and arguments as they are, and emits the result once', () => {
    const result = { content: [{ type: 'text', text: 'hi' }], structuredContent: { a: [1] }, _meta: { 'x/y': 1 } };
    const server = scriptedTransport({ 'tools/call': result }, { era });
    const args = { text: 'ünïcode', nested: { list: [1, null, true] }, __proto: 1 };
    const seen = watch(connect(server, { era }).callTool('say', args));
    expect([seen.values, seen.completed]).toEqual([[{ ...result, resultType: 'complete' }], true]);
    expect(sentTo(server, 'tools/call')[0]?.params).toMatchObject({ name: 'say', arguments: args });
    expect(args).toEqual({ text: 'ünïcode', nested: { list: [1, null, true] }, __proto: 1 });
  });

  it('sends no arguments where none were given', () => {
    const server = scriptedTransport({ 'tools/call': { content: [] } }, { era });
    watch(connect(server, { era }).callTool('say'));
    expect(sentTo(server, 'tools/call')[0]?.params).not.toHaveProperty('arguments');
  });

  it('refuses a tool that only runs as a task, once it is known as one, without a round trip', () => {
    const tool = { name: 'slow', inputSchema: { type: 'object' }, execution: { taskSupport: 'required' } };
    const server = scriptedTransport({ 'tools/list': { tools: [tool] }, 'tools/call': { content: [] } }, { era });
    const client = connect(server, { era });
    watch(client.listTools());
    const { error } = watch(client.callTool('slow'));
    expect(error).toBeInstanceOf(UnsupportedFeatureError);
    expect(error).toMatchObject({ era, feature: 'the tool "slow", which only runs as a task' });
    expect(sentTo(server, 'tools/call')).toEqual([]);
  });

  it('is cold: each subscriber runs the tool', () => {
    let runs = 0;
    const server = scriptedTransport(
      { 'tools/call': () => ({ content: [], structuredContent: (runs += 1) }) },
      { era },
    );
    const call$ = connect(server, { era }).callTool('count');
    expect(runs).toBe(0);
    const seen = [watch(call$), watch(call$)];
    expect(seen.map(({ values }) => values[0]?.structuredContent)).toEqual([1, 2]);
  });

  it('fails with the server’s own error, verbatim', () => {
    const refusal = scriptedTransport.error(-32602, 'no such tool', { tried: ['say'] });
    const seen = watch(connect(scriptedTransport({ 'tools/call': refusal }, { era }), { era }).callTool('say'));
    expect(seen.error).toBeInstanceOf(ProtocolError);
    expect(seen.error).toMatchObject({ code: -32602, message: 'no such tool', data: { tried: ['say'] } });
  });

  it('passes meta on, beside what the protocol needs', () => {
    const server = scriptedTransport({ 'tools/call': { content: [] } }, { era });
    const meta = {
      'com.example/trace': { id: 1 },
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    };
    watch(connect(server, { era }).callTool('say', {}, { meta, progressToken: 'p' }));
    const sent = sentTo(server, 'tools/call')[0]?.params?.['_meta'];
    expect(sent).toMatchObject({ ...meta, progressToken: 'p' });
    expect(meta).not.toHaveProperty('progressToken');
  });

  it('is answered by id, whatever the order of the answers', () => {
    const server = scriptedTransport({ 'tools/call': silence }, { era });
    const client = connect(server, { era });
    const calls = ['a', 'b', 'c'].map((name) => watch(client.callTool(name)));
    for (const id of [4, 2, 3]) server.push({ id, result: { content: [], structuredContent: id } });
    expect(calls.map(({ values }) => values[0]?.structuredContent)).toEqual([2, 3, 4]);
  });
});

describe('an answer that nobody waits for', () => {
  it.each([
    ['under an unknown id', { id: 99, result: {} }],
    ['under an id of another type', { id: '2', result: {} }],
    ['that is an error without an id', { error: { code: -32700, message: 'what?' } }],
  ])('%s is one warning and harms no call', (_what, message) => {
    const server = scriptedTransport({ 'tools/call': silence });
    const client = connect(server);
    const warnings = watch(client.warnings$).values;
    const seen = watch(client.callTool('t'));
    server.push(message);
    expect(warnings.map(({ kind }) => kind)).toEqual(['unmatched-answer']);
    expect(seen.marks).toEqual([]);
  });

  it('with both a result and an error fails its call', () => {
    const server = scriptedTransport({ 'tools/call': silence });
    const seen = watch(connect(server).callTool('t'));
    server.pushRaw('{"jsonrpc":"2.0","id":2,"result":{},"error":{"code":1,"message":"both"}}');
    expect(seen.error).toMatchObject({ name: 'InvalidMessageError', method: 'tools/call', id: 2 });
  });
});

describe('alive', () => {
  it('is true until close(), through deaths', async () => {
    const lives = scriptedLives(() => scriptedTransport());
    const client = connect(lives);
    expect(client.alive).toBe(true);
    watch(client.server());
    lives.opened[0]?.die();
    expect(client.alive).toBe(true);
    const closing = client.close();
    expect(client.alive).toBe(false);
    await closing;
    expect(client.alive).toBe(false);
  });

  it('is false as soon as close() is called, also while calls are being drained', () => {
    inVirtualTime(({ at }) => {
      const client = connect(scriptedTransport({ 'tools/call': silence }));
      watch(client.callTool('t'));
      void client.close({ drainMs: 100 });
      expect(client.alive).toBe(false);
      at(200, () => expect(client.alive).toBe(false));
    });
  });
});

const STREAMS = ['notifications$', 'progress$', 'logs$', 'warnings$', 'stderr$', 'wire$', 'state$'] as const;

describe('close()', () => {
  it('ends calls in flight with TransportClosedError, completes every stream, and releases the wire', async () => {
    const server = scriptedTransport({ 'tools/call': silence, 'resources/read': silence });
    const client = connect(server);
    const streams = STREAMS.map((name) => watch<unknown>(client[name]));
    const calls = [watch<unknown>(client.callTool('t')), watch<unknown>(client.readResource('a:b'))];
    await client.close();
    for (const { error } of calls) expect(error).toBeInstanceOf(TransportClosedError);
    expect(streams.map(({ completed, error }) => [completed, error])).toEqual(STREAMS.map(() => [true, undefined]));
    expect(server.alive).toBe(false);
  });

  it('is idempotent, and opens nothing where nothing was opened', async () => {
    const lives = scriptedLives(() => scriptedTransport());
    const client = connect(lives);
    await Promise.all([client.close(), client.close()]);
    await client.close();
    expect(lives.opened).toEqual([]);
  });

  it('refuses what comes after it with TransportClosedError, and sends nothing', async () => {
    const server = scriptedTransport({ 'tools/call': { content: [] } });
    const client = connect(server);
    watch(client.server());
    await client.close();
    const later: Watched<unknown>[] = [
      watch<unknown>(client.server()),
      watch<unknown>(client.era()),
      watch<unknown>(client.listTools()),
      watch<unknown>(client.callTool('t')),
      watch<unknown>(client.callTool('t', {}, { observe: 'events' })),
      watch<unknown>(client.readResource('a:b')),
      watch<unknown>(client.getPrompt('p')),
      watch<unknown>(client.ping()),
      watch<unknown>(client.setLogLevel('info')),
    ];
    for (const { error } of later) {
      expect(error).toBeInstanceOf(TransportClosedError);
      expect((error as Error).message).toBe('the client is closed');
    }
    await expect(client.promises.callTool('t')).rejects.toBeInstanceOf(TransportClosedError);
    expect(methodsOf(server)).toEqual(OPENING.modern);
  });

  it('completes a stream at once for whoever comes after it', async () => {
    const client = connect(scriptedTransport());
    await client.close();
    for (const name of STREAMS) expect(watch<unknown>(client[name]).completed).toBe(true);
  });

  it('from the error handler of a call is no trouble', async () => {
    const server = scriptedTransport({ 'tools/call': silence });
    const client = connect(server);
    const closed: Promise<void>[] = [];
    client.callTool('t').subscribe({ error: () => closed.push(client.close()) });
    const other = watch(client.callTool('t'));
    server.die();
    await Promise.all(closed);
    expect(closed).toHaveLength(1);
    expect(other.error).toBeDefined();
  });

  it('ends a call that a consumer begins again in its error handler', async () => {
    const client = connect(scriptedTransport({ 'tools/call': silence }));
    const again: Watched<unknown>[] = [];
    client.callTool('t').subscribe({ error: () => again.push(watch<unknown>(client.callTool('t'))) });
    await client.close();
    expect(again.map(({ error }) => error)).toEqual([expect.any(TransportClosedError)]);
  });

  it('happens by itself at the end of an await using block', async () => {
    const server = scriptedTransport({ 'tools/call': { content: [] } });
    let used: McpClient | undefined;
    {
      await using client = connect(server);
      used = client;
      await client.promises.callTool('t');
      expect(server.alive).toBe(true);
    }
    expect([used.alive, server.alive]).toEqual([false, false]);
  });
});

describe('close({ drainMs })', () => {
  /** A tool that takes `ms`, and a close that waits for it. */
  const draining = (
    ms: number,
    drainMs: number,
  ): { call: Watched<unknown>; client: McpClient; server: ScriptedTransport } => {
    const server = scriptedTransport({ 'tools/call': silence });
    const client = connect(server);
    const call = watch<unknown>(client.callTool('t'));
    timer(ms).subscribe({ next: () => server.push({ id: 2, result: { content: [] } }), error: () => undefined });
    void client.close({ drainMs });
    return { call, client, server };
  };

  it('lets calls in flight finish first', () => {
    inVirtualTime(({ at }) => {
      const { call, server } = draining(80, 100);
      at(79, () => expect([call.completed, server.alive]).toEqual([false, true]));
      at(80, () => expect(call.completed).toBe(true));
    });
  });

  it('refuses new ones meanwhile', () => {
    inVirtualTime(({ at }) => {
      const { client, server } = draining(80, 100);
      at(50, () => {
        const late = watch(client.callTool('late')).error;
        expect(late).toBeInstanceOf(TransportClosedError);
        expect((late as Error).message).toBe('the client is closing');
        expect(watch(client.server()).error).toBeInstanceOf(TransportClosedError);
        expect(sentTo(server, 'tools/call')).toHaveLength(1);
      });
    });
  });

  it('is over as soon as nothing is in flight, and when the time is up', async () => {
    const server = scriptedTransport({ 'tools/call': silence });
    const client = connect(server);
    const [first, second] = [watch(client.callTool('a')), watch(client.callTool('b'))];
    const closed = client.close({ drainMs: 1_000_000 });
    server.push({ id: 2, result: { content: [] } });
    expect(server.alive).toBe(true);
    second.subscription.unsubscribe();
    await closed;
    expect([first.completed, server.alive]).toEqual([true, false]);

    const stubborn = scriptedTransport({ 'tools/call': silence });
    const other = connect(stubborn);
    const call = watch(other.callTool('a'));
    await other.close({ drainMs: 1 });
    expect(call.error).toBeInstanceOf(TransportClosedError);
  });

  it('is cut short by a close() without it', async () => {
    const server = scriptedTransport({ 'tools/call': silence });
    const client = connect(server);
    const call = watch(client.callTool('a'));
    const patient = client.close({ drainMs: 1_000_000 });
    await client.close();
    expect(call.error).toBeInstanceOf(TransportClosedError);
    await patient;
  });

  it('of 0 and of nothing in flight is at once', async () => {
    const server = scriptedTransport({ 'tools/call': silence });
    const client = connect(server);
    watch(client.callTool('a'));
    await client.close({ drainMs: 0 });
    const idle = connect(scriptedTransport());
    watch(idle.server());
    await idle.close({ drainMs: 1_000_000 });
    expect([server.alive, idle.alive]).toEqual([false, false]);
  });

  it('does not hide that the server died under a tool, and asks nothing a second time', async () => {
    const death = new ServerGoneError(1, null, 'my-server', '');
    const lives = scriptedLives(() => scriptedTransport({ 'tools/call': silence, 'resources/read': silence }));
    const client = connect(lives);
    const [call, read] = [watch<unknown>(client.callTool('a')), watch<unknown>(client.readResource('a:b'))];
    const closed = client.close({ drainMs: 1_000_000 });
    lives.opened[0]?.die(death);
    await closed;
    expect(call.error).toBeInstanceOf(OutcomeUnknownError);
    expect((call.error as OutcomeUnknownError).cause).toBe(death);
    expect(read.error).toBe(death);
    expect(lives.opened).toHaveLength(1);
  });
});

describe('the callbacks', () => {
  it('that throw are a warning each, and neither the streams nor the calls notice', () => {
    const warnings: Warning[] = [];
    const fail = (what: string) => (): never => {
      throw new Error(`in ${what}`);
    };
    const server = scriptedTransport({ 'tools/call': silence });
    const client = connect(server, {
      logLevel: 'debug',
      onLog: fail('onLog'),
      onProgress: fail('onProgress'),
      onWarn: (warning) => warnings.push(warning),
    });
    const [logs, progress] = [watch(client.logs$), watch(client.progress$)];
    const call = watch(client.callTool('t', {}, { observe: 'events', progressToken: 'p' }));
    server.push({ method: 'notifications/message', params: { level: 'info', data: 'x' } });
    server.push({ method: 'notifications/progress', params: { progressToken: 'p', progress: 1 } });
    server.push({ id: 2, result: { content: [] } });
    expect(warnings.map(({ kind, message }) => [kind, message])).toEqual([
      ['callback-threw', 'onLog threw: Error: in onLog'],
      ['callback-threw', 'onProgress threw: Error: in onProgress'],
    ]);
    expect([logs.values.length, progress.values.length]).toEqual([1, 1]);
    expect(call.values.map(({ kind }) => kind)).toEqual(['log', 'progress', 'result']);
  });

  it('that reject are a warning each', async () => {
    const server = scriptedTransport({ 'tools/call': silence });
    const later = (): unknown => Promise.reject(new Error('later'));
    const client = connect(server, { logLevel: 'debug', onLog: later });
    const warning = firstValueFrom(client.warnings$);
    watch(client.callTool('t'));
    server.push({ method: 'notifications/message', params: { level: 'info', data: 'x' } });
    expect(await warning).toMatchObject({ kind: 'callback-threw', message: 'onLog threw: Error: later' });
  });

  it('onWarn that throws is a warning on the stream alone, and never calls itself', () => {
    let calls = 0;
    const server = scriptedTransport();
    const client = connect(server, {
      onWarn: () => {
        calls += 1;
        throw new Error('in onWarn');
      },
    });
    const warnings = watch(client.warnings$).values;
    watch(client.server());
    server.pushRaw('junk');
    expect(calls).toBe(1);
    expect(warnings.map(({ kind }) => kind)).toEqual(['callback-threw', 'invalid-message']);
  });
});
