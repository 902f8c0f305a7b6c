import { describe, expect, it } from '@jest/globals';
import {
  CancelledError,
  type ClientOptions,
  type ListenEvent,
  OptionError,
  ProtocolError,
  type SubscriptionFilter,
  TimeoutError,
  TransportClosedError,
  UnsupportedFeatureError,
} from '../../src/index.js';
import { type Script, type ScriptedTransport, scriptedTransport } from '../../src/testing/index.js';
import { connect } from '../support/client/connect.js';
import { acknowledging, drop, filtersOf, openOn, tell } from '../support/client/listening.js';
import { metaOf, methodsOf, sentTo } from '../support/client/scripted.js';
import { inVirtualTime } from '../support/client/virtual-time.js';
import { watch, type Watched } from '../support/client/watch.js';

const LISTEN = 'subscriptions/listen';
const { error, silence } = scriptedTransport;
const all: SubscriptionFilter = { toolsListChanged: true, resourceSubscriptions: ['a:1'] };

const serving = (entry: Script['subscriptions/listen'] = acknowledging(), script: Script = {}): ScriptedTransport =>
  scriptedTransport({ 'tools/list': { tools: [] }, 'subscriptions/listen': entry, ...script });

const listenTo = (
  server: ScriptedTransport,
  options?: object,
  clientOptions?: ClientOptions,
  filter: unknown = all,
): Watched<ListenEvent> => watch(connect(server, clientOptions).listen(filter as SubscriptionFilter, options));

const acknowledge = (server: ScriptedTransport, notifications: object = all): void => {
  tell(server, 'notifications/subscriptions/acknowledged', { notifications });
};

/** What was emitted, without params. */
const kinds = ({ values }: Watched<ListenEvent>): unknown[] =>
  values.map((event) => (event.kind === 'notification' ? event.method : event.filter));

describe('listen', () => {
  it('asks for what is wanted, and emits what the server agreed to first, then its notices in wire order', () => {
    const server = serving(acknowledging(() => ({ toolsListChanged: true })));
    const seen = listenTo(server);
    expect(filtersOf(server)).toEqual([all]);
    expect(metaOf(server, LISTEN)).toHaveProperty(['io.modelcontextprotocol/protocolVersion'], '2026-07-28');
    tell(server, 'notifications/tools/list_changed');
    tell(server, 'notifications/resources/updated', { uri: 'a:1' });
    tell(server, 'notifications/x/unheard-of', { a: [1] });
    const _meta = { 'io.modelcontextprotocol/subscriptionId': 2 };
    expect(seen.values).toEqual([
      { kind: 'acknowledged', filter: { toolsListChanged: true } },
      { kind: 'notification', method: 'notifications/tools/list_changed', params: { _meta } },
      { kind: 'notification', method: 'notifications/resources/updated', params: { uri: 'a:1', _meta } },
      { kind: 'notification', method: 'notifications/x/unheard-of', params: { a: [1], _meta } },
    ]);
    expect([seen.completed, seen.error]).toEqual([false, undefined]);
  });

  it('is cold: each subscriber opens a subscription, and hears the notices of that one alone', () => {
    const server = serving();
    const client = connect(server);
    const events$ = client.listen(all);
    expect(server.sent).toEqual([]);
    const [first, second] = [watch(events$), watch(events$)];
    expect(openOn(server)).toEqual([2, 3]);
    server.push({
      method: 'notifications/tools/list_changed',
      params: { _meta: { 'io.modelcontextprotocol/subscriptionId': 3 } },
    });
    server.push({ method: 'notifications/prompts/list_changed' });
    expect([kinds(first).length, kinds(second).length]).toEqual([1, 2]);
  });

  it('takes an acknowledgement that names no filter for one that grants nothing', () => {
    const server = serving(silence);
    const seen = listenTo(server);
    tell(server, 'notifications/subscriptions/acknowledged');
    tell(server, 'notifications/subscriptions/acknowledged', { notifications: all });
    tell(server, 'notifications/tools/list_changed');
    expect(kinds(seen)).toEqual([{}, 'notifications/tools/list_changed']);
  });

  it('keeps what comes before the acknowledgement until that is there', () => {
    const server = serving(silence);
    const seen = listenTo(server);
    tell(server, 'notifications/tools/list_changed');
    tell(server, 'notifications/resources/updated', { uri: 'a:1' });
    expect(seen.values).toEqual([]);
    acknowledge(server);
    tell(server, 'notifications/tools/list_changed');
    expect(kinds(seen)).toEqual([
      all,
      'notifications/tools/list_changed',
      'notifications/resources/updated',
      'notifications/tools/list_changed',
    ]);
  });

  it.each(['answer', 'notice'] as const)('completes when the server ends it by %s, and sends nothing more', (how) => {
    const server = serving();
    const seen = listenTo(server);
    drop(server, 2, how);
    expect([seen.completed, seen.error]).toEqual([true, undefined]);
    tell(server, 'notifications/tools/list_changed');
    expect(seen.values).toHaveLength(1);
    expect(methodsOf(server)).toEqual(['server/discover', LISTEN]);
  });

  it.each(['answer', 'notice'] as const)('completes, though nothing was agreed to, when it is ended by %s', (how) => {
    const server = serving(silence);
    const seen = listenTo(server);
    drop(server, 2, how);
    expect([seen.values, seen.completed]).toEqual([[], true]);
  });

  it('is ended by no notice that names something else', () => {
    const server = serving(acknowledging(), { 'tools/call': silence });
    const client = connect(server);
    const call = watch(client.callTool('t'));
    const seen = watch(client.listen(all));
    for (const id of [2, 9, '3', null]) {
      server.push({ method: 'notifications/cancelled', params: { requestId: id } });
    }
    expect([seen.completed, call.error, call.completed]).toEqual([false, undefined, false]);
    drop(server, 3, 'notice');
    expect(seen.completed).toBe(true);
  });

  it('tells the server when it is unsubscribed', () => {
    const server = serving();
    const seen = listenTo(server);
    seen.subscription.unsubscribe();
    expect(sentTo(server, 'notifications/cancelled').map(({ params }) => params?.['requestId'])).toEqual([2]);
  });

  it('errors with the server’s own error where it is refused', () => {
    const seen = listenTo(serving(error(-32603, 'Subscription limit reached')));
    expect(seen.error).toEqual(new ProtocolError(-32603, 'Subscription limit reached'));
  });

  it('errors with what ended the wire where it is lost', () => {
    const server = serving();
    const seen = listenTo(server);
    const reason = new TransportClosedError('lost');
    server.die(reason);
    expect(seen.error).toBe(reason);
  });

  it('errors with TransportClosedError when the client is closed, and afterwards', async () => {
    const client = connect(serving());
    const seen = watch(client.listen(all));
    await client.close();
    expect(seen.error).toBeInstanceOf(TransportClosedError);
    expect(watch(client.listen(all)).error).toBeInstanceOf(TransportClosedError);
  });

  it('is an UnsupportedFeatureError on a legacy server, which names what there is instead', () => {
    const server = scriptedTransport({ 'tools/list': { tools: [] } }, { era: 'legacy' });
    const { error: reason } = listenTo(server, undefined, { era: 'legacy' });
    expect(reason).toBeInstanceOf(UnsupportedFeatureError);
    expect(reason).toMatchObject({ feature: LISTEN, era: 'legacy', instead: expect.stringContaining('tools$') });
    expect(methodsOf(server)).toEqual(['initialize', 'notifications/initialized']);
  });
});

describe('the acknowledgement', () => {
  it('has as long as a request, and the server is told when it is over', () => {
    inVirtualTime(({ at }) => {
      const server = serving(silence);
      const seen = listenTo(server);
      at(60_001, () => {
        expect(seen.marks).toEqual([[60_000, new TimeoutError(LISTEN, 2, 60_000)]]);
        expect(methodsOf(server).at(-1)).toBe('notifications/cancelled');
      });
    });
  });

  it.each<[object, ClientOptions, number]>([
    [{ timeoutMs: 50 }, {}, 50],
    [{ timeoutMs: 50 }, { requestTimeoutMs: 10 }, 50],
    [{}, { requestTimeoutMs: 10 }, 10],
  ])('has as long as it is given: %j, %j', (options, clientOptions, ms) => {
    inVirtualTime(({ at }) => {
      const seen = listenTo(serving(silence), options, clientOptions);
      at(100_000, () => expect(seen.marks).toEqual([[ms, new TimeoutError(LISTEN, 2, ms)]]));
    });
  });

  it.each<[object, ClientOptions]>([
    [{ timeoutMs: 0 }, {}],
    [{}, { requestTimeoutMs: 0 }],
  ])('has as long as it takes where that is without limit: %j, %j', (options, clientOptions) => {
    inVirtualTime(({ at }) => {
      const server = serving(silence);
      const seen = listenTo(server, options, clientOptions);
      at(86_400_000, () => {
        expect(seen.error).toBeUndefined();
        acknowledge(server);
        expect(seen.values).toHaveLength(1);
      });
    });
  });

  it('is the end of all clocks: a subscription goes on for ever, however quiet', () => {
    inVirtualTime(({ at }) => {
      const server = serving(silence);
      const seen = listenTo(server, { timeoutMs: 50, maxTotalMs: 100 });
      at(49, () => acknowledge(server));
      at(30 * 86_400_000, () => {
        tell(server, 'notifications/tools/list_changed');
        expect(seen.values).toHaveLength(2);
        expect(seen.error).toBeUndefined();
      });
    });
  });
});

describe('the options of listen', () => {
  it.each([
    [undefined, 'filter'],
    [null, 'filter'],
    [[], 'filter'],
    ['tools', 'filter'],
    [{ toolListChanged: true }, 'filter'],
    [{ toolsListChanged: 1 }, 'filter'],
    [{ resourceSubscriptions: 'a:1' }, 'filter'],
    [{ resourceSubscriptions: [1] }, 'filter'],
  ])('refuse %j for a filter, and open nothing', (filter, option) => {
    const server = serving();
    const seen = watch(connect(server).listen(filter as unknown as SubscriptionFilter));
    expect(seen.error).toBeInstanceOf(OptionError);
    expect(seen.error).toHaveProperty('option', option);
    expect(server.sent).toEqual([]);
  });

  it('take a filter that asks for nothing, and one with members left undefined', () => {
    const server = serving();
    listenTo(server, undefined, undefined, {});
    const other = serving();
    listenTo(other, undefined, undefined, { toolsListChanged: undefined, promptsListChanged: false });
    expect([filtersOf(server), filtersOf(other)]).toEqual([[{}], [{ promptsListChanged: false }]]);
  });

  it.each([
    [{ timeoutMs: -1 }, 'timeoutMs'],
    [{ patience: 5 }, 'patience'],
    [{ signal: 'no' }, 'signal'],
    [{ meta: { 'io.modelcontextprotocol/x': 1 } }, 'meta'],
  ])('refuse %j, and open nothing', (options, option) => {
    const server = serving();
    const seen = listenTo(server, options);
    expect(seen.error).toBeInstanceOf(OptionError);
    expect(seen.error).toHaveProperty('option', option);
    expect(server.sent).toEqual([]);
  });

  it('send the caller’s own meta along', () => {
    const server = serving();
    listenTo(server, { meta: { 'x.y/trace': 'abc' } });
    expect(metaOf(server, LISTEN)).toMatchObject({
      'x.y/trace': 'abc',
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    });
  });

  it('end it with CancelledError when the signal is aborted, and the server is told', () => {
    const server = serving();
    const aborting = new AbortController();
    const seen = listenTo(server, { signal: aborting.signal });
    aborting.abort('enough');
    expect(seen.error).toBeInstanceOf(CancelledError);
    expect(seen.error).toMatchObject({ method: LISTEN, cause: 'enough' });
    expect(methodsOf(server).at(-1)).toBe('notifications/cancelled');
  });

  it('open nothing where the signal was aborted beforehand', () => {
    const server = serving();
    const seen = listenTo(server, { signal: AbortSignal.abort('early') });
    expect(seen.error).toBeInstanceOf(CancelledError);
    expect(server.sent).toEqual([]);
  });
});
