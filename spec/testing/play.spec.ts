import { describe, expect, it } from '@jest/globals';
import { ignoreElements, NEVER, of, throwError, timer } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { ProtocolError } from '../../src/errors/index.js';
import type { JsonRpcRequest } from '../../src/jsonrpc/index.js';
import { scriptedTransport } from '../../src/testing/index.js';
import { play } from '../../src/testing/play.js';

const run = (body: Parameters<TestScheduler['run']>[0]): void => {
  new TestScheduler((actual, expected) => {
    expect(actual).toEqual(expected);
  }).run(body);
};

const request: JsonRpcRequest = {
  jsonrpc: '2.0',
  id: 3,
  method: 'tools/call',
  params: { name: 'add', _meta: { progressToken: 'p' } },
};

const answered = (result: object): object => ({ jsonrpc: '2.0', id: 3, result });
const failed = (code: number, message: string, data?: unknown): object => ({
  jsonrpc: '2.0',
  id: 3,
  error: data === undefined ? { code, message } : { code, message, data },
});
const reported = (progress: number): object => ({
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken: 'p', progress, total: undefined, message: undefined },
});

describe('play', () => {
  it('answers a result at once', () => {
    run(({ expectObservable }) => {
      expectObservable(play({ x: 1 }, request, false)).toBe('(a|)', { a: answered({ x: 1 }) });
    });
  });

  it('sends the notices of a stream as they come, and the last other value when the stream completes', () => {
    run(({ cold, expectObservable, expectSubscriptions }) => {
      const steps$ = cold('-p-x-q-y-|', {
        p: scriptedTransport.progress(1),
        q: scriptedTransport.progress(2),
        x: { not: 'last' },
        y: { is: 'last' },
      });
      expectObservable(play(steps$, request, false)).toBe('-p---q---(a|)', {
        p: reported(1),
        q: reported(2),
        a: answered({ is: 'last' }),
      });
      expectSubscriptions(steps$.subscriptions).toBe('^--------!');
    });
  });

  it('gives the stream up when it is unsubscribed', () => {
    run(({ cold, expectObservable, expectSubscriptions }) => {
      const steps$ = cold('-p-----(a|)', { p: scriptedTransport.progress(1), a: {} });
      expectObservable(play(steps$, request, false), '^---!').toBe('-p---', { p: reported(1) });
      expectSubscriptions(steps$.subscriptions).toBe('^---!');
    });
  });

  it('answers nothing to silence, to a stream that never ends, or to one that completes empty', () => {
    run(({ cold, expectObservable }) => {
      expectObservable(play(scriptedTransport.silence, request, false)).toBe('|');
      expectObservable(play(NEVER, request, false)).toBe('-');
      expectObservable(play(cold('--|'), request, false)).toBe('--|');
    });
  });

  it('makes an answer for each request with a function of its params', () => {
    run(({ expectObservable }) => {
      const entry = (params: object, asked: object): object => ({ params, same: asked === request });
      expectObservable(play(entry, request, false)).toBe('(a|)', {
        a: answered({ params: request.params, same: true }),
      });
      const bare: JsonRpcRequest = { jsonrpc: '2.0', id: 3, method: 'ping' };
      expectObservable(play((params) => ({ params }), bare, false)).toBe('(a|)', { a: answered({ params: {} }) });
    });
  });

  it('runs steps one after the other, an Observable among them as a pause', () => {
    run(({ expectObservable }) => {
      const entry = scriptedTransport.steps(
        scriptedTransport.progress(1),
        timer(2).pipe(ignoreElements()),
        scriptedTransport.progress(2),
        { done: true },
      );
      expectObservable(play(entry, request, false)).toBe('a-(bc|)', {
        a: reported(1),
        b: reported(2),
        c: answered({ done: true }),
      });
    });
  });

  it('sends logs and notices as they are written, and progress only to a request that asked for it', () => {
    run(({ expectObservable }) => {
      const entry = scriptedTransport.steps(
        scriptedTransport.log('info', { any: 'value' }, 'db'),
        scriptedTransport.progress(1, 4, 'a quarter'),
        scriptedTransport.notice('notifications/tools/list_changed'),
        scriptedTransport.notice('x-test/note', { n: 1 }),
        {},
      );
      const logged = {
        jsonrpc: '2.0',
        method: 'notifications/message',
        params: { level: 'info', logger: 'db', data: { any: 'value' } },
      };
      const changed = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };
      const noted = { jsonrpc: '2.0', method: 'x-test/note', params: { n: 1 } };
      const progressed = {
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: 'p', progress: 1, total: 4, message: 'a quarter' },
      };
      const rest = { l: logged, c: changed, n: noted, a: answered({}) };
      expectObservable(play(entry, request, false)).toBe('(lpcna|)', { ...rest, p: progressed });
      const { params: _params, ...bare } = request;
      expectObservable(play(entry, bare, false)).toBe('(lcna|)', rest);
    });
  });

  it('answers a JSON-RPC error: one that is written, one that is thrown, or -32603 for any other failure', () => {
    run(({ expectObservable }) => {
      const throws =
        (reason: unknown): (() => object) =>
        () => {
          throw reason;
        };
      const cases: readonly (readonly [object, object])[] = [
        [scriptedTransport.error(-32002, 'not here', { uri: 'x' }), failed(-32002, 'not here', { uri: 'x' })],
        [throws(new ProtocolError(-32602, 'no such tool', [1])), failed(-32602, 'no such tool', [1])],
        [throws(new Error('boom')), failed(-32603, 'boom')],
        [throws('text'), failed(-32603, 'text')],
        [throwError(() => new Error('later')), failed(-32603, 'later')],
        [
          () => 'text',
          failed(-32603, expect.stringContaining('"tools/call": an answer is an object') as unknown as string),
        ],
        [() => undefined, failed(-32603, expect.stringContaining('"tools/call"') as unknown as string)],
        [of(1), failed(-32603, expect.stringContaining('"tools/call"') as unknown as string)],
      ];
      for (const [entry, frame] of cases) expectObservable(play(entry, request, false)).toBe('(a|)', { a: frame });
    });
  });

  it('completes a modern result with what every modern result has, and leaves what is there', () => {
    run(({ expectObservable }) => {
      const modern = (method: string, entry: object): ReturnType<typeof play> =>
        play(entry, { ...request, method }, true);
      expectObservable(modern('tools/call', { content: [] })).toBe('(a|)', {
        a: answered({ resultType: 'complete', content: [] }),
      });
      expectObservable(modern('tools/call', { resultType: 'input_required' })).toBe('(a|)', {
        a: answered({ resultType: 'input_required' }),
      });
      expectObservable(modern('tools/list', { tools: [], ttlMs: 5 })).toBe('(a|)', {
        a: answered({ resultType: 'complete', ttlMs: 5, cacheScope: 'private', tools: [] }),
      });
      expectObservable(modern('tools/list', scriptedTransport.verbatim({}))).toBe('(a|)', { a: answered({}) });
    });
  });

  it('waits for a Promise, of an answer or of the steps to one', async () => {
    const frames = async (entry: object): Promise<readonly object[]> => {
      const played: object[] = [];
      await new Promise<void>((resolve, reject) => {
        play(entry, request, false).subscribe({
          next: (frame) => played.push(frame),
          error: reject,
          complete: resolve,
        });
      });
      return played;
    };
    expect(await frames(Promise.resolve({ x: 1 }))).toEqual([answered({ x: 1 })]);
    expect(await frames(async () => Promise.reject(new Error('late')))).toEqual([failed(-32603, 'late')]);
    const steps = scriptedTransport.steps(scriptedTransport.progress(1), {});
    expect(await frames(async () => Promise.resolve(steps))).toEqual([reported(1), answered({})]);
  });
});
