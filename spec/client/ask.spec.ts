import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { finalize, map, NEVER, type Observable, timer } from 'rxjs';
import {
  CancelledError,
  type ClientOptions,
  type Hooks,
  InputLoopExceededError,
  InputRefusedError,
  type McpClient,
  OutcomeUnknownError,
  TimeoutError,
  TransportClosedError,
} from '../../src/index.js';
import { type ScriptEntry, type ScriptedTransport, scriptedTransport } from '../../src/testing/index.js';
import { form, SAMPLE, SAMPLING } from '../support/answering.js';
import { connect } from '../support/client/connect.js';
import { methodsOf, scriptedLives, sentTo } from '../support/client/scripted.js';
import { inVirtualTime } from '../support/client/virtual-time.js';
import { rejection, watch, type Watched } from '../support/client/watch.js';

const { error, silence, steps } = scriptedTransport;

const asks = (more: object): object => ({ resultType: 'input_required', ...more });
const FORM = { method: 'elicitation/create', params: form() };
const SAMPLED = { method: 'sampling/createMessage', params: SAMPLING };
const ROOTS = { method: 'roots/list', params: {} };
const ASKS_FORM = asks({ inputRequests: { who: FORM }, requestState: 's1' });

type Method = 'tools/call' | 'resources/read' | 'prompts/get';
type Call = (client: McpClient, options?: object) => Watched<unknown>;

const CALLS: readonly (readonly [Method, object, object, Call])[] = [
  [
    'tools/call',
    { name: 't', arguments: { a: 1 } },
    { content: [] },
    (client, options) => watch<unknown>(client.callTool('t', { a: 1 }, options)),
  ],
  [
    'resources/read',
    { uri: 'a:b' },
    { contents: [] },
    (client, options) => watch<unknown>(client.readResource('a:b', options)),
  ],
  [
    'prompts/get',
    { name: 'p', arguments: { a: '1' } },
    { messages: [] },
    (client, options) => watch<unknown>(client.getPrompt('p', { a: '1' }, options)),
  ],
];

/** A modern server whose n-th answer to one method is the n-th of these, and then silence. */
const serverOf = (method: Method, ...answers: readonly unknown[]): ScriptedTransport => {
  let asked = 0;
  return scriptedTransport({ [method]: (() => answers[asked++] ?? silence) as ScriptEntry });
};

const connected = (server: ScriptedTransport, options: ClientOptions = {}): McpClient =>
  connect(server, { era: 'modern', ...options });

/** A hook that answers never, or after a while, and whether it is open. */
const slow = <T>(answer$: Observable<T> = NEVER) => {
  const state = { opened: 0, open: 0 };
  const hook = (): Observable<T> => {
    state.opened += 1;
    state.open += 1;
    return answer$.pipe(
      finalize(() => {
        state.open -= 1;
      }),
    );
  };
  return Object.assign(state, { hook });
};

const after = <T>(ms: number, value: T): Observable<T> => timer(ms).pipe(map(() => value));

describe.each(CALLS)('%s that is answered by a question', (method, params, result, call) => {
  it('is sent again under a new id, with its own params, the answer and the state', () => {
    const server = serverOf(method, ASKS_FORM, result);
    const seen = call(connected(server, { onElicit: () => ({ action: 'decline' }) }), {
      meta: { 'com.example/k': 'v' },
    });
    expect(seen.values).toEqual([expect.objectContaining({ resultType: 'complete', ...result })]);
    expect(seen.completed).toBe(true);
    const [first, second] = sentTo(server, method);
    const { _meta, ...original } = first!.params!;
    expect(original).toEqual(params);
    expect(_meta).toMatchObject({ 'com.example/k': 'v' });
    expect(JSON.parse(JSON.stringify(second!.params))).toEqual({
      ...original,
      _meta,
      inputResponses: { who: { action: 'decline' } },
      requestState: 's1',
    });
    expect(second!.id).not.toBe(first!.id);
    expect(methodsOf(server)).toEqual(['server/discover', method, method]);
  });

  it('goes through three rounds, of which each carries its own state and answers', () => {
    const server = serverOf(
      method,
      asks({ inputRequests: { a: FORM }, requestState: '1' }),
      asks({ requestState: '2' }),
      asks({ inputRequests: { b: ROOTS, c: SAMPLED } }),
      result,
    );
    const seen = call(connected(server, { onSample: () => SAMPLE, onListRoots: () => [{ uri: 'file:///r' }] }));
    expect(seen.completed).toBe(true);
    const retries = sentTo(server, method).map(({ params: { _meta, ...sent } = {} }) => sent);
    expect(JSON.parse(JSON.stringify(retries))).toEqual([
      params,
      { ...params, inputResponses: { a: { action: 'decline' } }, requestState: '1' },
      { ...params, requestState: '2' },
      { ...params, inputResponses: { b: { roots: [{ uri: 'file:///r' }] }, c: SAMPLE } },
    ]);
  });

  it('ends where the server never stops asking', () => {
    const server = scriptedTransport({ [method]: ASKS_FORM });
    const seen = call(connected(server, { maxInputRounds: 3 }));
    expect(seen.error).toEqual(new InputLoopExceededError(3, method));
    expect(sentTo(server, method)).toHaveLength(4);
  });

  it('may go through eight rounds where nothing else is said', () => {
    const server = scriptedTransport({ [method]: ASKS_FORM });
    expect(call(connected(server)).error).toEqual(new InputLoopExceededError(8, method));
    expect(sentTo(server, method)).toHaveLength(9);
  });

  it('ends where a sampling is refused, and is not sent again', () => {
    const server = serverOf(method, asks({ inputRequests: { poem: SAMPLED } }), result);
    expect(call(connected(server)).error).toEqual(new InputRefusedError(method, ['poem']));
    expect(sentTo(server, method)).toHaveLength(1);
  });

  it('ends where the question is none', () => {
    const server = serverOf(method, asks({ inputRequests: { a: { method: 'ping' } } }), result);
    expect(call(connected(server)).error).toMatchObject({ name: 'InvalidMessageError', method });
  });

  it('abandons the hook when it is unsubscribed, and the server hears nothing: no request is out', () => {
    const server = serverOf(method, ASKS_FORM);
    const open = slow();
    const seen = call(connected(server, { onElicit: open.hook as Hooks['onElicit'] }));
    expect(open.open).toBe(1);
    seen.subscription.unsubscribe();
    expect(open.open).toBe(0);
    expect(methodsOf(server)).toEqual(['server/discover', method]);
  });

  it('abandons the hook when its signal is aborted, and ends with the reason', () => {
    const server = serverOf(method, ASKS_FORM);
    const open = slow();
    const controller = new AbortController();
    const { signal } = controller;
    const seen = call(connected(server, { onElicit: open.hook as Hooks['onElicit'] }), { signal });
    expect(open.open).toBe(1);
    controller.abort('enough');
    expect(seen.error).toEqual(new CancelledError(method, undefined, 'enough'));
    expect((seen.error as CancelledError).cause).toBe('enough');
    expect(open.open).toBe(0);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(methodsOf(server)).toEqual(['server/discover', method]);
  });

  it('is told to the server when it is given up after its questions', () => {
    const server = serverOf(method, ASKS_FORM);
    const seen = call(connected(server));
    seen.subscription.unsubscribe();
    expect(sentTo(server, 'notifications/cancelled').map((notice) => notice.params?.['requestId'])).toEqual([
      sentTo(server, method)[1]!.id,
    ]);
  });

  it.each([
    ['a form', FORM],
    ['a sampling', SAMPLED],
    ['roots', ROOTS],
  ])(
    'ends with TransportClosedError when the client is closed while a hook for %s is open',
    async (_what, question) => {
      const server = serverOf(method, asks({ inputRequests: { a: question } }));
      const open = slow();
      const client = connected(server, {
        onElicit: open.hook as Hooks['onElicit'],
        onSample: open.hook as Hooks['onSample'],
        onListRoots: open.hook as never,
      });
      const seen = call(client);
      expect(open.open).toBe(1);
      await client.close();
      expect(seen.error).toBeInstanceOf(TransportClosedError);
      expect([open.open, open.opened]).toEqual([0, 1]);
      expect(sentTo(server, method)).toHaveLength(1);
    },
  );
});

describe.each(CALLS.slice(1))('%s with onInput: return', (method, _params, result, call) => {
  it('is refused, for only a tool call can be suspended, and sends nothing', () => {
    const server = serverOf(method, result);
    const seen = call(connected(server), { onInput: 'return' });
    expect(seen.error).toMatchObject({ name: 'OptionError', option: 'onInput' });
    expect(server.sent).toEqual([]);
  });
});

describe('a hook', () => {
  it('has its answer checked and its gaps filled before it leaves', async () => {
    const params = form({ name: { type: 'string' }, kind: { type: 'string', default: 'cat' } }, { required: ['name'] });
    const question = asks({ inputRequests: { pet: { method: 'elicitation/create', params } } });
    const server = serverOf('tools/call', question, { content: [] }, question, { content: [] });
    const answers = [{ name: 'Tom' }, { name: 5 }];
    const client = connected(server, {
      onElicit: () => Promise.resolve({ action: 'accept', content: answers.shift() ?? {} }),
    });
    const warnings = watch(client.warnings$).values;
    await client.promises.callTool('t');
    await client.promises.callTool('t');
    const sent = sentTo(server, 'tools/call').map((request) => request.params?.['inputResponses']);
    expect(JSON.parse(JSON.stringify([sent[1], sent[3]]))).toEqual([
      { pet: { action: 'accept', content: { name: 'Tom', kind: 'cat' } } },
      { pet: { action: 'decline' } },
    ]);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatchObject({ kind: 'hook-failed' });
    expect(warnings[0]!.message).toContain('#/name');
  });

  it('is told which server asks', () => {
    const given: unknown[] = [];
    const server = scriptedTransport(
      { 'tools/call': (params) => (params['inputResponses'] === undefined ? ASKS_FORM : { content: [] }) },
      { serverInfo: { name: 'asker', version: '3' } },
    );
    const client = connected(server, {
      onElicit: (question) => {
        given.push(question);
        return { action: 'cancel' };
      },
    });
    watch(client.callTool('t'));
    expect(given).toEqual([
      {
        method: 'elicitation/create',
        params: FORM.params,
        server: expect.objectContaining({
          era: 'modern',
          protocolVersion: '2026-07-28',
          info: { name: 'asker', version: '3' },
        }),
      },
    ]);
  });

  it('may take longer than the call may, whose clocks start anew with each request', () => {
    inVirtualTime(({ at }) => {
      const server = serverOf('tools/call', after(80, ASKS_FORM), after(80, ASKS_FORM), after(80, { content: [] }));
      const client = connected(server, {
        requestTimeoutMs: 100,
        maxTotalMs: 100,
        onElicit: () => after(5_000, { action: 'decline' as const }),
      });
      const seen = watch(client.callTool('t'));
      at(20_000, () => {
        expect(seen.marks.map(([ms]) => ms)).toEqual([10_240, 10_240]);
        expect(seen.completed).toBe(true);
      });
    });
  });

  it('does not hold up a timeout of the request after it', () => {
    inVirtualTime(({ at }) => {
      const server = serverOf('tools/call', ASKS_FORM);
      const client = connected(server, {
        requestTimeoutMs: 100,
        onElicit: () => after(5_000, { action: 'decline' as const }),
      });
      const seen = watch(client.callTool('t'));
      at(20_000, () => {
        expect(seen.marks).toEqual([[5_100, expect.any(TimeoutError)]]);
        expect(sentTo(server, 'notifications/cancelled')).toHaveLength(1);
      });
    });
  });

  it('that does not answer is given up after inputTimeoutMs, and counts as cancelled', () => {
    inVirtualTime(({ at }) => {
      const server = serverOf('tools/call', ASKS_FORM, { content: [] });
      const open = slow();
      const client = connected(server, { inputTimeoutMs: 300, onElicit: open.hook as Hooks['onElicit'] });
      const warnings = watch(client.warnings$);
      const seen = watch(client.callTool('t'));
      at(299, () => expect([seen.marks, open.open]).toEqual([[], 1]));
      at(301, () => {
        expect([seen.completed, open.open]).toEqual([true, 0]);
        expect(sentTo(server, 'tools/call')[1]?.params?.['inputResponses']).toEqual({ who: { action: 'cancel' } });
        expect(warnings.values.map(({ message }) => message)).toEqual([
          'onElicit did not answer within 300 ms, and was given up',
        ]);
      });
    });
  });

  it('has ten minutes where nothing else is said', () => {
    inVirtualTime(({ at }) => {
      const server = serverOf('tools/call', ASKS_FORM, { content: [] });
      const seen = watch(connected(server, { onElicit: () => NEVER }).callTool('t'));
      at(599_999, () => expect(seen.marks).toEqual([]));
      at(600_001, () => expect(seen.completed).toBe(true));
    });
  });
});

describe('close({ drainMs })', () => {
  it('waits for a call that is in the hands of a hook, and lets it be sent again', () => {
    inVirtualTime(({ at }) => {
      const server = serverOf('tools/call', ASKS_FORM, ASKS_FORM, after(50, { content: [] }));
      const client = connected(server, { onElicit: () => after(100, { action: 'decline' as const }) });
      const seen = watch(client.callTool('t'));
      at(10, () => {
        void client.close({ drainMs: 10_000 });
        expect(watch(client.callTool('new')).error).toBeInstanceOf(TransportClosedError);
      });
      at(251, () => expect([seen.completed, seen.error]).toEqual([true, undefined]));
    });
  });

  it('ends such a call, and its hook, when the time is over', async () => {
    const server = serverOf('tools/call', ASKS_FORM);
    const open = slow();
    const client = connected(server, { onElicit: open.hook as Hooks['onElicit'] });
    const seen = watch(client.callTool('t'));
    await client.close({ drainMs: 1 });
    expect([open.open, (seen.error as Error).name]).toEqual([0, 'TransportClosedError']);
  });

  it('resolves when the last such call is given up', async () => {
    const server = serverOf('tools/call', ASKS_FORM);
    const client = connected(server, { onElicit: () => NEVER });
    const seen = watch(client.callTool('t'));
    const closed = client.close({ drainMs: 1_000_000 });
    seen.subscription.unsubscribe();
    await closed;
    expect(client.alive).toBe(false);
  });
});

describe('a wire that is lost', () => {
  it('while a hook is open, when no request is out, costs nothing: the answers go to the next life', () => {
    inVirtualTime(({ at }) => {
      const lives = scriptedLives((life) => serverOf('tools/call', ...(life === 1 ? [ASKS_FORM] : [{ content: [] }])));
      const client = connect(lives, { era: 'modern', onElicit: () => after(100, { action: 'decline' as const }) });
      const seen = watch(client.callTool('t'));
      at(50, () => lives.opened[0]!.die());
      at(150, () => {
        expect(seen.completed).toBe(true);
        expect(sentTo(lives.opened[1]!, 'tools/call')[0]?.params).toMatchObject({
          name: 't',
          inputResponses: { who: { action: 'decline' } },
          requestState: 's1',
        });
      });
    });
  });

  it('under the answers of a tool that is not known to be safe leaves the outcome unknown', () => {
    const lives = scriptedLives(() => serverOf('tools/call', ASKS_FORM));
    const seen = watch(connect(lives, { era: 'modern' }).callTool('t'));
    lives.opened[0]!.die();
    expect(seen.error).toBeInstanceOf(OutcomeUnknownError);
  });

  it('under the answers of a read is asked once more, with the answers', () => {
    const lives = scriptedLives((life) =>
      serverOf('resources/read', ...(life === 1 ? [ASKS_FORM] : [{ contents: [] }])),
    );
    const seen = watch(connect(lives, { era: 'modern' }).readResource('a:b'));
    lives.opened[0]!.die();
    expect(seen.completed).toBe(true);
    expect(sentTo(lives.opened[1]!, 'resources/read')[0]?.params).toMatchObject({ requestState: 's1' });
  });
});

describe('rounds of a call', () => {
  it('are each subscriber’s own', () => {
    let asked = 0;
    const server = scriptedTransport({
      'tools/call': (params) => (params['inputResponses'] === undefined ? ASKS_FORM : { content: [] }),
    });
    const client = connected(server, {
      onElicit: () => {
        asked += 1;
        return { action: 'decline' };
      },
    });
    const call$ = client.callTool('t');
    expect([watch(call$).completed, watch(call$).completed, asked]).toEqual([true, true, 2]);
  });

  it('are the same read’s for everybody who waits for it', () => {
    inVirtualTime(({ at }) => {
      let asked = 0;
      const server = serverOf('resources/read', ASKS_FORM, { contents: [] });
      const client = connected(server, {
        onElicit: () => {
          asked += 1;
          return after(10, { action: 'decline' as const });
        },
      });
      const [one, two] = [1, 2].map(() => watch(client.readResource('a:b')));
      at(20, () => expect([one?.completed, two?.completed, asked]).toEqual([true, true, 1]));
    });
  });

  it('make a result that is not kept, however long the server permits', () => {
    const kept = { contents: [], ttlMs: 60_000, cacheScope: 'private' };
    const server = serverOf('resources/read', ASKS_FORM, kept, kept);
    const client = connected(server);
    for (let reads = 0; reads < 4; reads += 1) watch(client.readResource('a:b'));
    // Two requests for the first, one for the second, and none for the others.
    expect(sentTo(server, 'resources/read')).toHaveLength(3);
  });

  it('may end in the server’s error', () => {
    const server = serverOf('prompts/get', ASKS_FORM, error(-32602, 'the state has expired'));
    expect(watch(connected(server).getPrompt('p')).error).toMatchObject({ code: -32602 });
  });

  it('keep the progress and logs of every request', () => {
    const { progress } = scriptedTransport;
    const server = serverOf('tools/call', steps(progress(1), ASKS_FORM), steps(progress(2), { content: [] }));
    const seen = watch(connected(server).callTool('t', {}, { observe: 'events', progressToken: 'mine' }));
    expect(seen.values.flatMap((event) => (event.kind === 'progress' ? [event.progress] : []))).toEqual([1, 2]);
  });

  it('reject a Promise with what ends them', async () => {
    const server = serverOf('tools/call', asks({ inputRequests: { a: SAMPLED } }));
    expect(await rejection(connected(server).promises.callTool('t'))).toBeInstanceOf(InputRefusedError);
  });

  it('of a list do not exist', () => {
    const server = scriptedTransport({ 'tools/list': ASKS_FORM });
    expect(watch(connected(server).listTools()).error).toMatchObject({
      name: 'InvalidMessageError',
      method: 'tools/list',
    });
  });
});
