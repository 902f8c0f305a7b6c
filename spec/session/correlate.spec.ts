import { describe, expect, it } from '@jest/globals';
import { Subject } from 'rxjs';
import { InvalidMessageError, ProtocolError } from '../../src/errors/index.js';
import type { Inbound, RequestId } from '../../src/jsonrpc/index.js';
import { correlate } from '../../src/session/correlate.js';
import { type OpenCall, OpenCalls } from '../../src/session/open-calls.js';
import { marbles } from '../support/marbles.js';

/** A call that hands its outcome on to a Subject. */
const openCall = (calls: OpenCalls, id: RequestId): Subject<unknown> => {
  const outcome = new Subject<unknown>();
  calls.add({
    id,
    method: 'tools/call',
    succeed: (result) => {
      outcome.next(result);
      outcome.complete();
    },
    fail: (reason) => {
      outcome.error(reason);
    },
  });
  return outcome;
};

const messages: Record<string, Inbound> = {
  n: { jsonrpc: '2.0', method: 'notifications/message', params: {} },
  q: { jsonrpc: '2.0', id: 1, method: 'roots/list' },
  a: { jsonrpc: '2.0', id: 1, result: 'one' },
  b: { jsonrpc: '2.0', id: 2, error: { code: -32603, message: 'two', data: 2 } },
  i: { invalid: 'it carries neither a result nor an error', excerpt: '{}', id: 3 },
  x: { invalid: 'not JSON', excerpt: 'hello' },
  u: { jsonrpc: '2.0', id: 99, result: {} },
  e: { jsonrpc: '2.0', error: { code: -32700, message: 'what?' } },
};

describe('correlate', () => {
  it('takes out each answer that a call waits for, and mirrors the rest in order', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const calls = new OpenCalls();
      const first$ = openCall(calls, 1);
      const second$ = openCall(calls, 2);
      const third$ = openCall(calls, 3);
      const inbound$ = hot('                             -n-b-q-a-i-x-u-e-a-|', messages);
      expectObservable(inbound$.pipe(correlate(calls))).toBe('-n---q-----x-u-e-a-|', messages);
      expectObservable(first$).toBe('                     -------(r|)', { r: 'one' });
      expectObservable(second$).toBe('                    ---#', undefined, new ProtocolError(-32603, 'two', 2));
      expectObservable(third$).toBe(
        '                                                 ---------#',
        undefined,
        new InvalidMessageError('tools/call', 3, 'it carries neither a result nor an error'),
      );
      expectSubscriptions(inbound$.subscriptions).toBe('  ^------------------!');
    });
  });

  it("passes the wire's error on, and leaves the calls to whoever ends them", () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const calls = new OpenCalls();
      const call$ = openCall(calls, 1);
      const inbound$ = hot('                             -n-#', messages, new Error('gone'));
      expectObservable(inbound$.pipe(correlate(calls))).toBe('-n-#', messages, new Error('gone'));
      expectObservable(call$).toBe('----');
      expectSubscriptions(inbound$.subscriptions).toBe('  ^--!');
    });
  });

  it('lets go of the wire when it is unsubscribed', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const inbound$ = hot('                                    -n-n-n', messages);
      expectObservable(inbound$.pipe(correlate(new OpenCalls())), '^---!').toBe('-n-n-', messages);
      expectSubscriptions(inbound$.subscriptions).toBe('         ^---!');
    });
  });

  it('hands an answer on within the emission that brought it', () => {
    const calls = new OpenCalls();
    const seen: unknown[] = [];
    openCall(calls, 1).subscribe((result) => seen.push(result));
    const inbound$ = new Subject<Inbound>();
    inbound$.pipe(correlate(calls)).subscribe((leftover) => seen.push(leftover));
    seen.push('before');
    inbound$.next({ jsonrpc: '2.0', id: 1, result: 'one' });
    seen.push('after');
    expect(seen).toEqual(['before', 'one', 'after']);
  });

  it('asks no call but the one that waits, however many are in flight', () => {
    const calls = new OpenCalls();
    const touched: RequestId[] = [];
    const watched = (id: number): OpenCall => ({
      get id() {
        touched.push(id);
        return id;
      },
      method: 'tools/call',
      succeed: () => undefined,
      fail: () => undefined,
    });
    for (let id = 1; id <= 10_000; id += 1) calls.add(watched(id));
    touched.length = 0;
    const inbound$ = new Subject<Inbound>();
    inbound$.pipe(correlate(calls)).subscribe();
    inbound$.next({ jsonrpc: '2.0', id: 5_000, result: {} });
    inbound$.next({ jsonrpc: '2.0', method: 'notifications/message' });
    expect(new Set(touched)).toEqual(new Set([5_000]));
    expect(calls.size).toBe(9_999);
  });
});
