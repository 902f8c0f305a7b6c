import { afterEach, describe, expect, it } from '@jest/globals';
import { filter, firstValueFrom, NEVER, Observable, of } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { ServerGoneError, TransportError } from '../../src/errors/index.js';
import { connect, type McpClient, type Outbound } from '../../src/index.js';
import { scriptedTransport } from '../../src/testing/index.js';
import { ScriptedTransport } from '../../src/testing/scripted-transport.js';
import { Reader, sending } from '../contract/reader.js';

const ignore = { error: () => undefined };

const ask = (id: number, method = 'x-test/ask', params?: Readonly<Record<string, unknown>>): Outbound => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params === undefined ? {} : { params }),
});

describe('scriptedTransport', () => {
  it('makes a transport that takes cancel notices and has no headers', () => {
    const server = scriptedTransport();
    expect(server).toBeInstanceOf(ScriptedTransport);
    expect({ cancelBy: server.cancelBy, mirrorsHeaders: server.mirrorsHeaders, alive: server.alive }).toEqual({
      cancelBy: 'notice',
      mirrorsHeaders: false,
      alive: true,
    });
  });

  it('answers inside send', () => {
    const server = scriptedTransport({}, { custom: { 'x-test/ask': { resultType: 'complete' } } });
    const reader = new Reader(server);
    server.send(ask(1)).subscribe(ignore);
    expect(reader.messages).toEqual([{ jsonrpc: '2.0', id: 1, result: { resultType: 'complete' } }]);
  });

  it('answers what the script does not know with -32601', () => {
    const server = scriptedTransport();
    const reader = new Reader(server);
    server.send(ask(1)).subscribe(ignore);
    expect(reader.messages).toEqual([
      { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Method not found: x-test/ask' } },
    ]);
  });

  it('gives a notification to its listener, and answers none', () => {
    const heard: unknown[] = [];
    const server = scriptedTransport({}, { custom: { 'x-test/note': (params, note) => [heard.push(params, note)] } });
    const reader = new Reader(server);
    const bare = { jsonrpc: '2.0', method: 'x-test/note' } as const;
    server.send({ ...bare, params: { n: 1 } }).subscribe(ignore);
    server.send(bare).subscribe(ignore);
    server.send({ jsonrpc: '2.0', method: 'x-test/other' }).subscribe(ignore);
    expect(heard).toEqual([{ n: 1 }, { ...bare, params: { n: 1 } }, {}, bare]);
    expect(reader.messages).toEqual([]);
  });

  it('fails the send of a notification whose listener throws', async () => {
    const fail = (): never => {
      throw new Error('in the script');
    };
    const server = scriptedTransport({}, { custom: { 'x-test/note': fail } });
    expect(await sending(server, { jsonrpc: '2.0', method: 'x-test/note' }).end).toBeInstanceOf(TransportError);
    expect(server.alive).toBe(true);
  });

  it.each([
    ['completes empty', of()],
    ['completes after a notice', of(scriptedTransport.progress(1))],
  ])('warns of an Observable that %s, and not of silence', async (_what, entry) => {
    const custom = { 'x-test/ask': entry, 'x-test/silent': scriptedTransport.silence };
    const server = scriptedTransport({}, { custom });
    const warnings: string[] = [];
    server.warnings$.subscribe((warning) => warnings.push(warning));
    server.send(ask(1, 'x-test/silent')).subscribe(ignore);
    server.send(ask(2)).subscribe(ignore);
    expect(warnings).toEqual([expect.stringContaining('the script has no answer to x-test/ask')]);
    let isOver = false;
    server.warnings$.subscribe({ complete: () => (isOver = true) });
    await server.close();
    expect(isOver).toBe(true);
  });

  it('plays in virtual time', () => {
    new TestScheduler((actual, expected) => {
      expect(actual).toEqual(expected);
    }).run(({ cold, expectObservable, expectSubscriptions }) => {
      const work$ = cold('---(a|)', { a: { resultType: 'complete' } });
      const server = scriptedTransport({}, { custom: { 'x-test/ask': work$ } });
      cold('-s').subscribe({
        next: () => {
          server.send(ask(1)).subscribe(ignore);
        },
        ...ignore,
      });
      expectObservable(server.inbound$).toBe('----a', {
        a: { jsonrpc: '2.0', id: 1, result: { resultType: 'complete' } },
      });
      expectSubscriptions(work$.subscriptions).toBe('-^--!');
    });
  });

  describe('what was sent', () => {
    it('is kept in order, as copies, in an array that does not change afterwards', () => {
      const server = scriptedTransport();
      const message = { ...ask(1), params: { list: [1] } };
      server.send(message).subscribe(ignore);
      const { sent } = server;
      message.params.list.push(2);
      server.send(ask(2)).subscribe(ignore);
      expect(sent).toEqual([{ ...ask(1), params: { list: [1] } }]);
      expect(server.sent).toEqual([{ ...ask(1), params: { list: [1] } }, ask(2)]);
    });

    it('is a stream of what was sent so far and what comes, before it is answered; it ends with the wire', () => {
      const log: unknown[] = [];
      const server = scriptedTransport({}, { custom: { 'x-test/ask': {} } });
      server.inbound$.subscribe({ next: () => log.push('answer'), error: () => undefined });
      server.send(ask(1)).subscribe(ignore);
      server.sent$.subscribe({
        next: (message) => log.push((message as { id: number }).id),
        error: () => log.push('error'),
        complete: () => log.push('complete'),
      });
      server.send(ask(2)).subscribe(ignore);
      server.die();
      expect(log).toEqual(['answer', 1, 2, 'answer', 'complete']);
    });
  });

  describe('at will', () => {
    it('push says anything as the server, with or without the version of JSON-RPC', () => {
      const server = scriptedTransport();
      const reader = new Reader(server);
      server.push({ method: 'notifications/tools/list_changed' });
      server.push({ jsonrpc: '2.0', id: 's1', method: 'roots/list' });
      server.push({ id: 9, result: {} });
      expect(reader.messages).toEqual([
        { jsonrpc: '2.0', method: 'notifications/tools/list_changed' },
        { jsonrpc: '2.0', id: 's1', method: 'roots/list' },
        { jsonrpc: '2.0', id: 9, result: {} },
      ]);
    });

    it('pushRaw puts any text on the wire', () => {
      const server = scriptedTransport();
      const reader = new Reader(server);
      server.pushRaw('Server ready');
      server.pushRaw('[{"jsonrpc":"2.0","method":"x-test/a"},{"jsonrpc":"2.0","method":"x-test/b"}]');
      expect(reader.messages).toEqual([
        { invalid: 'not JSON', excerpt: 'Server ready' },
        { jsonrpc: '2.0', method: 'x-test/a' },
        { jsonrpc: '2.0', method: 'x-test/b' },
      ]);
    });

    it('die ends the wire with the given error, once, and gives up answers under way', () => {
      const log: string[] = [];
      const work = (): Observable<object> => new Observable(() => () => log.push('stopped'));
      const server = scriptedTransport({}, { custom: { 'x-test/ask': work } });
      const reader = new Reader(server);
      server.send(ask(1)).subscribe(ignore);
      const gone = new ServerGoneError(1, null, 'server', 'Segmentation fault');
      server.die(gone);
      server.die();
      expect(reader.errors).toEqual([gone]);
      expect(log).toEqual(['stopped']);
      expect(server.alive).toBe(false);
    });

    it('nothing is heard after the end', () => {
      const server = scriptedTransport();
      const reader = new Reader(server);
      void server.close();
      server.push({ method: 'notifications/tools/list_changed' });
      server.pushRaw('x');
      server.die();
      expect([reader.messages, reader.errors, reader.completions]).toEqual([[], [], 1]);
    });
  });
});

describe('an application tested against a scripted server', () => {
  let mcp: McpClient | undefined;
  afterEach(() => mcp?.close());

  it('is the example of the documentation', async () => {
    const server = scriptedTransport({
      'tools/list': { tools: [{ name: 'add', inputSchema: { type: 'object' } }] },
      'tools/call': ({ name }) =>
        scriptedTransport.steps(scriptedTransport.progress(1, 2), { content: [{ type: 'text', text: name }] }),
    });
    mcp = connect(server);
    const result = await mcp.promises.callTool('add', { a: 1, b: 2 });
    expect(result.content).toEqual([{ type: 'text', text: 'add' }]);
    const call = server.sent.find((message) => 'method' in message && message.method === 'tools/call');
    expect(call).toMatchObject({ params: { name: 'add', arguments: { a: 1, b: 2 } } });
    const changed = new Promise((resolve) => mcp?.notifications$.subscribe({ next: resolve, error: resolve }));
    server.push({ method: 'notifications/tools/list_changed' });
    expect(await changed).toEqual({ method: 'notifications/tools/list_changed', params: undefined });
  });

  it.each(['modern', 'legacy'] as const)('meets a %s server, with what the script has answers for', async (era) => {
    const server = scriptedTransport(
      { 'tools/list': { tools: [] }, 'prompts/get': { messages: [] }, 'completion/complete': NEVER },
      { era, serverInfo: { name: 'mine', version: '2.0.0' }, instructions: 'Be brief.' },
    );
    mcp = connect(server);
    expect(await mcp.promises.server()).toMatchObject({
      era,
      protocolVersion: era === 'modern' ? '2026-07-28' : '2025-11-25',
      info: { name: 'mine', version: '2.0.0' },
      capabilities: { logging: {}, tools: {}, prompts: {}, completions: {} },
      instructions: 'Be brief.',
    });
    expect(await mcp.promises.listTools()).toEqual([]);
    expect(await mcp.promises.listResources()).toEqual([]);
    expect(await mcp.promises.ping()).toBe(true);
  });

  it('meets a legacy server of the revision it is told to be', async () => {
    mcp = connect(scriptedTransport({}, { era: 'legacy', protocolVersion: '2024-11-05', capabilities: {} }));
    expect(await mcp.promises.server()).toMatchObject({ protocolVersion: '2024-11-05', capabilities: {} });
  });

  it('sees the cancellation of a call as a script sees it', async () => {
    let stopped: () => void = () => undefined;
    const cancelled = new Promise<void>((resolve) => {
      stopped = resolve;
    });
    const reasons: unknown[] = [];
    const server = scriptedTransport({
      'tools/call': () => new Observable(() => stopped),
      'notifications/cancelled': ({ reason }) => reasons.push(typeof reason),
    });
    mcp = connect(server);
    await mcp.promises.era();
    mcp.callTool('slow').subscribe(ignore).unsubscribe();
    await cancelled;
    expect(reasons).toEqual(['string']);
  });

  it('stops only the answer whose call is given up', async () => {
    const stopped: unknown[] = [];
    const server = scriptedTransport({
      'tools/call': ({ name }) => new Observable(() => () => stopped.push(name)),
    });
    mcp = connect(server);
    await mcp.promises.era();
    mcp.callTool('first').subscribe(ignore);
    const second = mcp.callTool('second').subscribe(ignore);
    expect(stopped).toEqual([]);
    second.unsubscribe();
    await firstValueFrom(
      server.sent$.pipe(filter((message) => 'method' in message && message.method === 'notifications/cancelled')),
    );
    expect(stopped).toEqual(['second']);
  });

  it('finds its answers to the requests of a legacy server among what it sent', async () => {
    const server = scriptedTransport({}, { era: 'legacy' });
    mcp = connect(server);
    await mcp.promises.era();
    server.push({ id: 's1', method: 'ping' });
    expect(server.sent.at(-1)).toEqual({ jsonrpc: '2.0', id: 's1', result: {} });
  });
});
