import { describe, expect, it } from '@jest/globals';
import { InvalidMessageError, MessageTooLargeError, ProtocolError } from '../../src/errors/index.js';
import type { RequestId } from '../../src/jsonrpc/index.js';
import { type OpenCall, OpenCalls } from '../../src/session/open-calls.js';

const made = (id: RequestId, more: Partial<OpenCall> = {}): OpenCall & { readonly outcomes: unknown[] } => {
  const outcomes: unknown[] = [];
  return {
    id,
    method: 'tools/call',
    succeed: (result) => outcomes.push({ result }),
    fail: (reason) => outcomes.push(reason),
    ...more,
    outcomes,
  };
};

const answer = (id: RequestId) => ({ jsonrpc: '2.0', id, result: {} }) as const;

describe('OpenCalls', () => {
  it('settle the call an answer belongs to, once', () => {
    const calls = new OpenCalls();
    const call = made(1);
    calls.add(call);
    expect(calls.settle({ jsonrpc: '2.0', id: 1, result: { a: 1 } })).toBe(true);
    expect(calls.settle(answer(1))).toBe(false);
    expect(call.outcomes).toEqual([{ result: { a: 1 } }]);
    expect(calls.size).toBe(0);
  });

  it.each<RequestId>([0, '', -1, 'a'])('find the call under the id %j', (id) => {
    const calls = new OpenCalls();
    const call = made(id);
    calls.add(call);
    expect(calls.settle(answer(id))).toBe(true);
    expect(call.outcomes).toHaveLength(1);
  });

  it('take a number and its text for two ids', () => {
    const calls = new OpenCalls();
    calls.add(made(1));
    expect(calls.settle(answer('1'))).toBe(false);
    expect(calls.size).toBe(1);
  });

  it('settle nothing by a request of the server, though it has the id of a call', () => {
    const calls = new OpenCalls();
    calls.add(made(1));
    expect(calls.settle({ jsonrpc: '2.0', id: 1, method: 'ping' })).toBe(false);
    expect(calls.settle({ jsonrpc: '2.0', method: 'ping' })).toBe(false);
    expect(calls.size).toBe(1);
  });

  it('settle nothing by what has no id', () => {
    const calls = new OpenCalls();
    calls.add(made(0));
    expect(calls.settle({ jsonrpc: '2.0', error: { code: 1, message: '' } })).toBe(false);
    expect(calls.settle({ invalid: 'not JSON', excerpt: '' })).toBe(false);
  });

  it('fail a call with the error of the server, verbatim', () => {
    const calls = new OpenCalls();
    const call = made(1);
    calls.add(call);
    calls.settle({ jsonrpc: '2.0', id: 1, error: { code: 7, message: 'no', data: [1] } });
    expect(call.outcomes).toEqual([new ProtocolError(7, 'no', [1])]);
    expect(call.outcomes[0]).toMatchObject({ code: 7, data: [1] });
  });

  it('fail a call with what the wire says is wrong with its answer', () => {
    const calls = new OpenCalls();
    const [plain, large] = [made(1), made(2)];
    calls.add(plain);
    calls.add(large);
    const error = new MessageTooLargeError(100, 10);
    calls.settle({ invalid: 'too strange', excerpt: '', id: 1 });
    calls.settle({ invalid: 'too large', excerpt: '', id: 2, error });
    expect(plain.outcomes).toEqual([new InvalidMessageError('tools/call', 1, 'too strange')]);
    expect(large.outcomes[0]).toBe(error);
  });

  it('have forgotten the call by the time it hears its outcome', () => {
    const calls = new OpenCalls();
    let size = -1;
    let hasToken = true;
    calls.add(
      made(1, {
        progressToken: 't',
        succeed: () => {
          size = calls.size;
          hasToken = calls.hasToken('t');
        },
      }),
    );
    calls.settle(answer(1));
    expect([size, hasToken]).toEqual([0, false]);
  });

  it('let the answer to a call that was given up pass in silence, once', () => {
    const calls = new OpenCalls();
    const call = made(1);
    calls.add(call);
    calls.giveUp(call);
    expect(calls.settle(answer(1))).toBe(true);
    expect(calls.settle(answer(1))).toBe(false);
    expect(call.outcomes).toEqual([]);
  });

  it('remember 4096 calls that were given up, and forget the oldest first', () => {
    const calls = new OpenCalls();
    for (let id = 0; id < 4_097; id += 1) {
      const call = made(id);
      calls.add(call);
      calls.giveUp(call);
    }
    expect(calls.settle(answer(0))).toBe(false);
    expect(calls.settle(answer(1))).toBe(true);
    expect(calls.settle(answer(4_096))).toBe(true);
  });

  it('find a call by its progress token while it is open', () => {
    const calls = new OpenCalls();
    const [zero, text, none] = [made(1, { progressToken: 0 }), made(2, { progressToken: '0' }), made(3)];
    for (const call of [zero, text, none]) calls.add(call);
    expect([calls.byToken(0), calls.byToken('0'), calls.byToken(1)]).toEqual([zero, text, undefined]);
    calls.delete(zero);
    expect([calls.hasToken(0), calls.hasToken('0')]).toEqual([false, true]);
  });

  it('list the calls that want logs, oldest first, while they are open', () => {
    const calls = new OpenCalls();
    const [first, deaf, second] = [made(1, { log: () => undefined }), made(2), made(3, { log: () => undefined })];
    for (const call of [first, deaf, second]) calls.add(call);
    expect([...calls.listeners]).toEqual([first, second]);
    calls.giveUp(first);
    expect([...calls.listeners]).toEqual([second]);
  });

  it('know no token, and none that wants logs, before a call has one', () => {
    const calls = new OpenCalls();
    expect([calls.hasToken('t'), calls.byToken('t'), [...calls.listeners]]).toEqual([false, undefined, []]);
  });

  it('forget nothing, and complain of nothing, where a call is none of theirs', () => {
    const calls = new OpenCalls();
    calls.add(made(1));
    calls.delete(made(2, { progressToken: 't', log: () => undefined }));
    expect(calls.size).toBe(1);
  });

  it('fail everything that waits when the wire ends, and not what one of them starts then', () => {
    const calls = new OpenCalls();
    const later = made(3);
    const reason = new Error('gone');
    const first = made(1, {
      fail: () => {
        calls.add(later);
      },
    });
    const second = made(2);
    calls.add(first);
    calls.add(second);
    calls.failAll(reason);
    expect(second.outcomes).toEqual([reason]);
    expect(later.outcomes).toEqual([]);
    expect(calls.size).toBe(1);
  });
});
