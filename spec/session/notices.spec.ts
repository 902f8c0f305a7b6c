import { describe, expect, it } from '@jest/globals';
import { Subject } from 'rxjs';
import type { JsonRpcNotification } from '../../src/jsonrpc/index.js';
import { Channels } from '../../src/session/index.js';
import { Notices } from '../../src/session/notices.js';
import { type OpenCall, OpenCalls } from '../../src/session/open-calls.js';
import { Responder } from '../../src/session/serve.js';

const made = () => {
  const calls = new OpenCalls();
  const channels = new Channels();
  const written: unknown[] = [];
  const serving = new Subject<unknown>();
  const handlers = new Map([['roots/list', () => serving]]);
  const responder = new Responder(handlers, { write: (message) => written.push(message) }, channels);
  const notices = new Notices(calls, channels, responder);
  const passed: string[] = [];
  channels.notifications$.subscribe(({ method }) => passed.push(method));
  const take = (method: string, params?: Record<string, unknown>, channel?: number): void => {
    notices.take({ jsonrpc: '2.0', method, params }, channel);
  };
  return { calls, channels, responder, serving, passed, take };
};

const opened = (calls: OpenCalls, id: number, subscription: boolean): { readonly heard: unknown[] } => {
  const heard: unknown[] = [];
  const call: OpenCall = {
    id,
    method: subscription ? 'subscriptions/listen' : 'tools/call',
    succeed: (result) => heard.push({ result }),
    fail: (reason) => heard.push(reason),
    ...(subscription ? { notice: ({ method }: JsonRpcNotification) => heard.push(method) } : undefined),
  };
  calls.add(call);
  return { heard };
};

const of = (id: unknown): Record<string, unknown> => ({ _meta: { 'io.modelcontextprotocol/subscriptionId': id } });

describe('a notice that names a subscription', () => {
  it('reaches that subscription alone, and the stream of all notifications', () => {
    const { calls, passed, take } = made();
    const first = opened(calls, 1, true);
    const second = opened(calls, 2, true);
    take('notifications/tools/list_changed', of(2));
    expect(first.heard).toEqual([]);
    expect(second.heard).toEqual(['notifications/tools/list_changed']);
    expect(passed).toEqual(['notifications/tools/list_changed']);
  });

  it.each([[9], ['1'], [null], [{}], [undefined]])('reaches none where it names none that is open: %j', (id) => {
    const { calls, passed, take } = made();
    const { heard } = opened(calls, 1, true);
    take('notifications/tools/list_changed', of(id));
    take('notifications/tools/list_changed', { _meta: null });
    take('notifications/tools/list_changed');
    expect(heard).toEqual([]);
    expect(passed).toHaveLength(3);
  });

  it('reaches no call that is no subscription', () => {
    const { calls, take } = made();
    const { heard } = opened(calls, 1, false);
    take('notifications/tools/list_changed', of(1));
    expect(heard).toEqual([]);
  });
});

describe('notifications/cancelled of the server', () => {
  it('ends a subscription it names, as an answer would, and once', () => {
    const { calls, take } = made();
    const { heard } = opened(calls, 1, true);
    take('notifications/cancelled', { requestId: 1, reason: 'going down' });
    take('notifications/cancelled', { requestId: 1 });
    take('notifications/tools/list_changed', of(1));
    expect(heard).toEqual([{ result: {} }]);
    expect(calls.size).toBe(0);
  });

  it.each([[1], [9], ['1'], [null], [undefined]])('ends no other call: %j', (requestId) => {
    const { calls, take } = made();
    const { heard } = opened(calls, 1, false);
    take('notifications/cancelled', { requestId });
    take('notifications/cancelled');
    expect(heard).toEqual([]);
    expect(calls.size).toBe(1);
  });

  it('withdraws a request of the server itself, though a call of ours has the same id', () => {
    const { calls, responder, serving, take } = made();
    const { heard } = opened(calls, 5, false);
    responder.serve({ jsonrpc: '2.0', id: 5, method: 'roots/list' });
    expect(serving.observed).toBe(true);
    take('notifications/cancelled', { requestId: 5 });
    expect(serving.observed).toBe(false);
    expect(heard).toEqual([]);
    expect(calls.size).toBe(1);
  });
});

describe('a log message', () => {
  const logging = () => {
    const { calls, ...made_ } = made();
    const heard: string[] = [];
    for (const id of [1, 2]) {
      const settle = (): void => undefined;
      calls.add({
        id,
        method: 'tools/call',
        succeed: settle,
        fail: settle,
        log: ({ data }) => heard.push(`${id} ${String(data)}`),
      });
    }
    calls.add({ id: 3, method: 'tools/call', succeed: () => undefined, fail: () => undefined });
    return { heard, take: made_.take };
  };

  it('is about every call that wants any, where it came on a wire that all share', () => {
    const { heard, take } = logging();
    take('notifications/message', { level: 'info', data: 'a' });
    expect(heard).toEqual(['1 a', '2 a']);
  });

  it('has a logger where that is a text', () => {
    const { channels, take } = made();
    const seen: unknown[] = [];
    channels.logs$.subscribe((log) => seen.push(log));
    take('notifications/message', { level: 'info', logger: 'db', data: 1 });
    take('notifications/message', { level: 'info', logger: 7, data: 2 });
    expect(seen).toStrictEqual([
      { level: 'info', logger: 'db', data: 1 },
      { level: 'info', data: 2 },
    ]);
  });

  it('is about the call on whose channel it came, and about no other', () => {
    const { heard, take } = logging();
    take('notifications/message', { level: 'info', data: 'a' }, 2);
    take('notifications/message', { level: 'info', data: 'b' }, 3);
    take('notifications/message', { level: 'info', data: 'c' }, 9);
    expect(heard).toEqual(['2 a']);
  });
});

describe('a progress report', () => {
  const reported = (params: object) => {
    const { calls, channels, take } = made();
    const told: unknown[] = [];
    const heard: unknown[] = [];
    const warnings: unknown[] = [];
    channels.progress$.subscribe((progress) => told.push(progress));
    channels.warnings$.subscribe(({ kind }) => warnings.push(kind));
    calls.add({
      id: 1,
      method: 'tools/call',
      progressToken: 't',
      succeed: () => undefined,
      fail: () => undefined,
      progress: (progress) => heard.push(progress),
    });
    take('notifications/progress', { progressToken: 't', ...params });
    expect(heard).toEqual(told);
    return { told, warnings };
  };
  const report = { requestId: 1, progressToken: 't', method: 'tools/call' };

  it.each([['half'], [null], [undefined], [[1]]])('is dropped without a word where it says %p', (progress) => {
    expect(reported({ progress, total: 2 })).toEqual({ told: [], warnings: [] });
  });

  it.each([[Infinity], [-Infinity], [Number.NaN]])('is left out where it says %p, with a warning', (progress) => {
    expect(reported({ progress, total: 2 })).toEqual({ told: [], warnings: ['malformed-entry'] });
  });

  it.each([[Infinity], [-Infinity], [Number.NaN]])('goes without a total of %p, with a warning', (total) => {
    expect(reported({ progress: 1, total })).toEqual({
      told: [{ ...report, progress: 1 }],
      warnings: ['malformed-entry'],
    });
  });

  it.each([[null], [undefined], ['all'], [{}]])('may have a total of %p, which is none', (total) => {
    expect(reported({ progress: 1, total })).toEqual({ told: [{ ...report, progress: 1 }], warnings: [] });
  });

  it.each([
    [0, 0],
    [-1, 1],
    [5, 2],
    [1e308, 1e-308],
  ])('is handed on as it is where it is finite: %p of %p', (progress, total) => {
    expect(reported({ progress, total })).toEqual({ told: [{ ...report, progress, total }], warnings: [] });
  });

  it('for a token nobody gave is dropped without a warning, whatever it says', () => {
    const { told, warnings } = reported({ progressToken: 'x', progress: Infinity });
    expect([told, warnings]).toEqual([[], []]);
  });
});
