import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { CancelledError, type McpClient } from '../../src/index.js';
import { type ScriptedTransport, scriptedTransport } from '../../src/testing/index.js';
import { connect } from '../support/client/connect.js';
import { ERAS, methodsOf, OPENING, sentTo } from '../support/client/scripted.js';
import { inVirtualTime } from '../support/client/virtual-time.js';
import { watch, type Watched } from '../support/client/watch.js';

const NOTICE = (requestId: number): object => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId, reason: 'the client gave this request up' },
});

const silence = scriptedTransport.silence;

const DISCOVERED = { supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, resultType: 'complete' };

/** A server that answers nothing but the opening of its era. */
const silent = (era: 'modern' | 'legacy' = 'modern'): ScriptedTransport =>
  scriptedTransport(
    {
      'tools/list': silence,
      'tools/call': silence,
      'resources/read': silence,
      'prompts/get': silence,
      'completion/complete': silence,
      'logging/setLevel': silence,
      ...(era === 'legacy' ? { ping: silence } : {}),
    },
    { era },
  );

const REF = { type: 'ref/prompt', name: 'p' } as const;

interface Options {
  readonly signal: AbortSignal;
}

const CALLS: readonly (readonly [string, (client: McpClient, options?: Options) => Watched<unknown>])[] = [
  ['tools/list', (client, options) => watch<unknown>(client.listTools(options))],
  ['tools/call', (client, options) => watch<unknown>(client.callTool('t', {}, options))],
  ['resources/read', (client, options) => watch<unknown>(client.readResource('a:b', options))],
  ['prompts/get', (client, options) => watch<unknown>(client.getPrompt('p', {}, options))],
  [
    'completion/complete',
    (client, options) => watch<unknown>(client.complete(REF, { name: 'a', value: '' }, undefined, options)),
  ],
];

const LEGACY_CALLS: typeof CALLS = [
  ['ping', (client, options) => watch<unknown>(client.ping(options))],
  ['logging/setLevel', (client, options) => watch<unknown>(client.setLogLevel('info', options))],
];

describe.each(ERAS)('unsubscribing in the %s era', (era) => {
  it.each(era === 'legacy' ? [...CALLS, ...LEGACY_CALLS] : CALLS)(
    'from %s in flight tells the server, once, in fixed words',
    (method, call) => {
      const server = silent(era);
      const seen = call(connect(server, { era }));
      seen.subscription.unsubscribe();
      seen.subscription.unsubscribe();
      expect(methodsOf(server)).toEqual([...OPENING[era], method, 'notifications/cancelled']);
      expect(sentTo(server, 'notifications/cancelled')).toEqual([NOTICE(2)]);
      expect(seen.marks).toEqual([]);
    },
  );

  it('from one of two calls leaves the other', () => {
    const server = silent(era);
    const client = connect(server, { era });
    const [one, two] = [watch(client.callTool('one')), watch(client.callTool('two'))];
    one.subscription.unsubscribe();
    server.push({ id: 3, result: { content: [] } });
    expect(two.completed).toBe(true);
    expect(sentTo(server, 'notifications/cancelled')).toEqual([NOTICE(2)]);
  });

  it('after the answer tells the server nothing', () => {
    const server = scriptedTransport({ 'tools/call': { content: [] } }, { era });
    const seen = watch(connect(server, { era }).callTool('t'));
    expect(seen.completed).toBe(true);
    seen.subscription.unsubscribe();
    expect(sentTo(server, 'notifications/cancelled')).toEqual([]);
  });

  it('after an error tells the server nothing', () => {
    const server = scriptedTransport({}, { era });
    const seen = watch(connect(server, { era }).callTool('t'));
    expect(seen.error).toBeDefined();
    seen.subscription.unsubscribe();
    expect(sentTo(server, 'notifications/cancelled')).toEqual([]);
  });

  it('inside next, from an answer that came inside send, tells the server nothing', () => {
    const server = scriptedTransport({ 'tools/call': { content: [] } }, { era });
    const values: unknown[] = [];
    const subscription = connect(server, { era })
      .callTool('t')
      .subscribe({
        next: (value) => {
          values.push(value);
          queueMicrotask(() => subscription.unsubscribe());
        },
        error: () => undefined,
      });
    expect(values).toHaveLength(1);
    expect(sentTo(server, 'notifications/cancelled')).toEqual([]);
  });

  it('lets a late answer pass in silence', () => {
    const server = silent(era);
    const client = connect(server, { era });
    const warnings = watch(client.warnings$).values;
    watch(client.callTool('t')).subscription.unsubscribe();
    server.push({ id: 2, result: { content: [] } });
    expect(warnings).toEqual([]);
  });
});

describe('unsubscribing while the connection is being made', () => {
  it('sends nothing, and the connection is made all the same', () => {
    const server = scriptedTransport({ 'server/discover': silence, 'tools/call': { content: [] } });
    const client = connect(server, { era: 'modern' });
    const left = watch(client.callTool('left'));
    const stays = watch(client.callTool('stays'));
    left.subscription.unsubscribe();
    server.push({ id: 1, result: DISCOVERED });
    expect(left.marks).toEqual([]);
    expect(stays.completed).toBe(true);
    expect(methodsOf(server)).toEqual(['server/discover', 'tools/call']);
  });

  it('leaves a connection for the next use even if nobody was left to wait for it', () => {
    const server = scriptedTransport({ 'server/discover': silence, 'tools/call': { content: [] } });
    const client = connect(server, { era: 'modern' });
    watch(client.callTool('left')).subscription.unsubscribe();
    server.push({ id: 1, result: DISCOVERED });
    expect(watch(client.callTool('next')).completed).toBe(true);
    expect(methodsOf(server)).toEqual(['server/discover', 'tools/call']);
  });

  it('never cancels initialize', () => {
    const server = scriptedTransport({ initialize: silence }, { era: 'legacy' });
    const client = connect(server, { era: 'legacy' });
    watch(client.listTools()).subscription.unsubscribe();
    watch(client.server()).subscription.unsubscribe();
    expect(methodsOf(server)).toEqual(['initialize']);
  });
});

describe.each(ERAS)('a signal in the %s era', (era) => {
  it.each(era === 'legacy' ? [...CALLS, ...LEGACY_CALLS] : CALLS)(
    'that is aborted while %s is in flight ends it with its reason, of which the server hears nothing',
    (method, call) => {
      const server = silent(era);
      const controller = new AbortController();
      const seen = call(connect(server, { era }), { signal: controller.signal });
      const reason = new Error('a secret of the user');
      controller.abort(reason);
      expect(seen.error).toBeInstanceOf(CancelledError);
      expect(seen.error).toMatchObject({ name: 'CancelledError', method, id: 2 });
      expect((seen.error as CancelledError).cause).toBe(reason);
      expect(sentTo(server, 'notifications/cancelled')).toEqual([NOTICE(2)]);
      expect(JSON.stringify(server.sent)).not.toContain('secret');
    },
  );

  it('that is aborted beforehand ends a call before anything is sent', () => {
    const server = silent(era);
    const client = connect(server, { era });
    for (const [method, call] of CALLS) {
      const seen = call(client, { signal: AbortSignal.abort('early') });
      expect(seen.error).toMatchObject({ name: 'CancelledError', method, id: undefined, cause: 'early' });
    }
    expect(watch(client.server({ signal: AbortSignal.abort('early') })).error).toBeInstanceOf(CancelledError);
    expect(watch(client.ping({ signal: AbortSignal.abort('early') })).error).toBeInstanceOf(CancelledError);
    expect(server.sent).toEqual([]);
  });

  it('that is aborted after the answer changes nothing', () => {
    const server = scriptedTransport({ 'tools/call': { content: [] } }, { era });
    const controller = new AbortController();
    const seen = watch(connect(server, { era }).callTool('t', {}, { signal: controller.signal }));
    controller.abort();
    expect([seen.completed, seen.error]).toEqual([true, undefined]);
    expect(sentTo(server, 'notifications/cancelled')).toEqual([]);
  });
});

describe('a signal', () => {
  it('that is aborted while the connection is being made ends the wait, and sends nothing', () => {
    const server = scriptedTransport({ 'server/discover': silence, 'tools/call': { content: [] } });
    const client = connect(server, { era: 'modern' });
    const controller = new AbortController();
    const call = watch(client.callTool('t', {}, { signal: controller.signal }));
    const known = watch(client.server({ signal: controller.signal }));
    controller.abort('enough');
    expect(call.error).toEqual(new CancelledError('tools/call', undefined, 'enough'));
    expect(known.error).toEqual(new CancelledError('server()', undefined, 'enough'));
    server.push({ id: 1, result: DISCOVERED });
    expect(watch(client.callTool('next')).completed).toBe(true);
    expect(methodsOf(server)).toEqual(['server/discover', 'tools/call']);
  });

  it('ends a call with events, too', () => {
    const server = silent();
    const controller = new AbortController();
    const seen = watch(connect(server).callTool('t', {}, { signal: controller.signal, observe: 'events' }));
    controller.abort();
    expect(seen.error).toBeInstanceOf(CancelledError);
    expect(sentTo(server, 'notifications/cancelled')).toEqual([NOTICE(2)]);
  });

  it('ends a list between two of its pages', () => {
    const controller = new AbortController();
    const server = scriptedTransport({
      'tools/list': ({ cursor }) => (cursor === undefined ? { tools: [], nextCursor: 'two' } : silence),
    });
    const seen = watch(connect(server).listTools({ signal: controller.signal }));
    controller.abort();
    expect(seen.error).toMatchObject({ name: 'CancelledError', method: 'tools/list', id: 3 });
    expect(sentTo(server, 'notifications/cancelled')).toEqual([NOTICE(3)]);
  });

  it('has no listener left once the call has ended, however it ended', () => {
    inVirtualTime(({ at }) => {
      const server = silent();
      const client = connect(server);
      const { signal } = new AbortController();
      const options = { signal, timeoutMs: 100 };
      const left = watch(client.callTool('left', {}, options));
      watch(client.callTool('answered', {}, options));
      watch(client.callTool('refused', {}, options));
      watch(client.callTool('slow', {}, options));
      expect(getEventListeners(signal, 'abort')).toHaveLength(1);
      left.subscription.unsubscribe();
      server.push({ id: 3, result: { content: [] } });
      server.push({ id: 4, error: { code: -1, message: 'no' } });
      expect(getEventListeners(signal, 'abort')).toHaveLength(1);
      at(100, () => expect(getEventListeners(signal, 'abort')).toEqual([]));
    });
  });
});

describe('the server', () => {
  it('is told by the transport alone where that hangs up to cancel', () => {
    const server = silent();
    Object.defineProperty(server, 'cancelBy', { value: 'hang-up' });
    watch(connect(server).callTool('t')).subscription.unsubscribe();
    expect(methodsOf(server)).toEqual(['server/discover', 'tools/call']);
  });

  it('that runs what it was asked is stopped by the notice', () => {
    inVirtualTime(({ at }) => {
      const stopped: string[] = [];
      const server = scriptedTransport({
        'tools/call': silence,
        'notifications/cancelled': ({ requestId }) => stopped.push(`stopped ${String(requestId)}`),
      });
      const seen = watch(connect(server).callTool('t'));
      at(5, () => seen.subscription.unsubscribe());
      at(6, () => expect(stopped).toEqual(['stopped 2']));
    });
  });
});
