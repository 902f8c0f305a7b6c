// The questions of a legacy server are requests of its own; the same hooks answer them.
import { describe, expect, it } from '@jest/globals';
import { finalize, map, NEVER, type Observable, of, timer } from 'rxjs';
import {
  CancelledError,
  type ClientOptions,
  type Hooks,
  type McpClient,
  ProtocolError,
  TimeoutError,
  TransportClosedError,
} from '../../src/index.js';
import { type ScriptedTransport, type Script, scriptedTransport } from '../../src/testing/index.js';
import { form, page, SAMPLE, SAMPLING } from '../support/answering.js';
import { connect } from '../support/client/connect.js';
import { methodsOf, OPENING, scriptedLives, sentTo } from '../support/client/scripted.js';
import { inVirtualTime } from '../support/client/virtual-time.js';
import { watch } from '../support/client/watch.js';

const { error, silence } = scriptedTransport;

/** A connected client of a legacy server. */
const connected = (
  script: Script,
  options: ClientOptions = {},
): { readonly server: ScriptedTransport; readonly client: McpClient } => {
  const server = scriptedTransport({ 'tools/list': { tools: [] }, ...script }, { era: 'legacy' });
  const client = connect(server, { era: 'legacy', ...options });
  watch(client.server());
  return { server, client };
};

const ask = (server: ScriptedTransport, method: string, params?: object, id: number | string = 'q1'): void => {
  server.push({ id, method, ...(params === undefined ? undefined : { params }) } as never);
};

/** What a server was answered, by the id of its request. */
const answersOf = (server: ScriptedTransport): Record<string, unknown> =>
  Object.fromEntries(
    server.sent.flatMap((message) =>
      'method' in message ? [] : [[String(message.id), 'error' in message ? message.error : message.result]],
    ),
  );

const after = <T>(ms: number, value: T): Observable<T> => timer(ms).pipe(map(() => value));

/** A hook that answers never, or after a while, and how often it is open. */
const slow = (answer$: Observable<unknown> = NEVER) => {
  const state = { open: 0 };
  const hook = (): Observable<never> => {
    state.open += 1;
    return answer$.pipe(
      finalize(() => {
        state.open -= 1;
      }),
    ) as Observable<never>;
  };
  return { state, hooks: { onElicit: hook, onElicitUrl: hook, onSample: hook, onListRoots: hook } satisfies Hooks };
};

const DECLINE = { action: 'decline' } as const;

describe('a legacy server that asks', () => {
  it('is answered by the hooks, with the bare result', () => {
    const { server } = connected(
      {},
      {
        onElicit: () => ({ action: 'cancel' }),
        onElicitUrl: () => ({ action: 'accept' }),
        onSample: () => SAMPLE,
        onListRoots: () => [{ uri: 'file:///a', name: 'a' }],
      },
    );
    ask(server, 'elicitation/create', form(), 0);
    ask(server, 'elicitation/create', { ...page(), elicitationId: 'e' }, 1);
    ask(server, 'sampling/createMessage', SAMPLING, 'two');
    ask(server, 'roots/list', undefined, 3);
    ask(server, 'ping', undefined, 4);
    expect(answersOf(server)).toEqual({
      0: { action: 'cancel' },
      1: { action: 'accept' },
      two: SAMPLE,
      3: { roots: [{ uri: 'file:///a', name: 'a' }] },
      4: {},
    });
  });

  it('gets a form that is checked, and has its gaps filled', async () => {
    const answered: unknown[] = [];
    const { server } = connected({}, { onElicit: () => ({ action: 'accept', content: { name: 'Tom' } }) });
    const sent$ = server.sent$;
    const done = new Promise<void>((resolve) => {
      sent$.subscribe({
        next: (message) => {
          if ('method' in message) return;
          answered.push('error' in message ? message.error : message.result);
          if (answered.length === 2) resolve();
        },
      });
    });
    ask(server, 'elicitation/create', form({ name: { type: 'string' }, kind: { type: 'string', default: 'cat' } }), 1);
    ask(server, 'elicitation/create', form({ name: { type: 'number' } }), 2);
    await done;
    expect(answered).toEqual([{ action: 'accept', content: { name: 'Tom', kind: 'cat' } }, DECLINE]);
  });

  it('is told what is not declared, and nobody is asked', () => {
    const { server } = connected({}, { onElicit: () => NEVER });
    ask(server, 'elicitation/create', page(), 1);
    ask(server, 'sampling/createMessage', SAMPLING, 2);
    ask(server, 'roots/list', undefined, 3);
    ask(server, 'tasks/list', undefined, 4);
    expect(answersOf(server)).toEqual({
      1: { code: -32602, message: 'this client did not declare elicitation in the mode "url"' },
      2: { code: -32601, message: 'this client does not serve sampling/createMessage' },
      3: { code: -32601, message: 'this client does not serve roots/list' },
      4: { code: -32601, message: 'this client does not serve tasks/list' },
    });
  });

  it('is answered -1 where a sampling is refused, and -32602 where it wants tools that were not declared', () => {
    const { server } = connected(
      {},
      {
        onSample: () => {
          throw new Error('the user said no');
        },
      },
    );
    ask(server, 'sampling/createMessage', SAMPLING, 1);
    ask(server, 'sampling/createMessage', { ...SAMPLING, tools: [] }, 2);
    expect(answersOf(server)).toEqual({
      1: { code: -1, message: 'the request to sample was refused' },
      2: { code: -32602, message: 'this client did not declare tools in sampling' },
    });
  });

  it('may sample with tools where that was declared', () => {
    const { server } = connected({}, { onSample: () => SAMPLE, capabilities: { sampling: { tools: {} } } });
    expect(sentTo(server, 'initialize')[0]?.params?.['capabilities']).toEqual({ sampling: { tools: {} } });
    ask(server, 'sampling/createMessage', { ...SAMPLING, tools: [], toolChoice: { mode: 'auto' } });
    expect(answersOf(server)).toEqual({ q1: SAMPLE });
  });

  it('is answered before its handshake is over, as some want to be', () => {
    const servers: unknown[] = [];
    const server = scriptedTransport({ initialize: silence }, { era: 'legacy' });
    const client = connect(server, {
      era: 'legacy',
      onListRoots: ({ server: known }) => {
        servers.push(known);
        return [];
      },
    });
    watch(client.server());
    ask(server, 'roots/list');
    expect(answersOf(server)).toEqual({ q1: { roots: [] } });
    expect(servers).toEqual([expect.objectContaining({ era: 'legacy', info: undefined })]);
  });

  it('is known to the hook by its name once the handshake is over', () => {
    const names: unknown[] = [];
    const { server } = connected(
      {},
      {
        onElicit: ({ server: known }) => {
          names.push(known.info?.name);
          return DECLINE;
        },
      },
    );
    ask(server, 'elicitation/create', form());
    expect(names).toEqual(['scripted']);
  });

  it('is served a hundred times in a second at most', () => {
    inVirtualTime(({ at }) => {
      let asked = 0;
      const { server, client } = connected(
        {},
        {
          onElicit: () => {
            asked += 1;
            return DECLINE;
          },
        },
      );
      const warnings = watch(client.warnings$).values;
      at(10, () => {
        for (let id = 1; id <= 1_000; id += 1) ask(server, 'elicitation/create', form(), id);
        expect(asked).toBe(100);
        expect(warnings.map(({ kind }) => kind)).toEqual(['too-many-requests']);
        expect(answersOf(server)[1_000]).toMatchObject({ code: -32603 });
      });
      at(1_010, () => {
        ask(server, 'elicitation/create', form(), 2_000);
        expect(answersOf(server)[2_000]).toEqual(DECLINE);
      });
    });
  });

  it('may have its hook given up after inputTimeoutMs, and gets a cancel', () => {
    inVirtualTime(({ at }) => {
      const { state, hooks } = slow();
      const { server } = connected({}, { ...hooks, inputTimeoutMs: 300 });
      ask(server, 'elicitation/create', form(), 1);
      ask(server, 'sampling/createMessage', SAMPLING, 2);
      ask(server, 'roots/list', undefined, 3);
      at(299, () => expect([state.open, answersOf(server)]).toEqual([3, {}]));
      at(301, () => {
        expect(state.open).toBe(0);
        expect(answersOf(server)).toEqual({
          1: { action: 'cancel' },
          2: { code: -1, message: 'the request to sample was refused' },
          3: { roots: [] },
        });
      });
    });
  });
});

describe('a hook that a legacy server has opened', () => {
  it('is unsubscribed when the server withdraws its question, and nothing is answered', () => {
    const { state, hooks } = slow();
    const { server } = connected({}, hooks);
    ask(server, 'elicitation/create', form(), 7);
    ask(server, 'sampling/createMessage', SAMPLING, '7');
    expect(state.open).toBe(2);
    server.push({ method: 'notifications/cancelled', params: { requestId: 7, reason: 'no matter' } });
    server.push({ method: 'notifications/cancelled', params: { requestId: 8 } });
    expect([state.open, answersOf(server)]).toEqual([1, {}]);
  });

  it('lets the clocks of every call stand still, and the timeout starts anew when it is closed', () => {
    inVirtualTime(({ at }) => {
      const { server, client } = connected(
        { 'tools/call': silence },
        { requestTimeoutMs: 100, onElicit: () => after(5_000, DECLINE) },
      );
      const seen = [1, 2].map(() => watch(client.callTool('t')));
      at(90, () => ask(server, 'elicitation/create', form()));
      at(5_091, () => expect(answersOf(server)).toEqual({ q1: DECLINE }));
      at(5_189, () => expect(seen.map(({ marks }) => marks)).toEqual([[], []]));
      at(5_191, () => {
        for (const { error: reason } of seen) expect(reason).toBeInstanceOf(TimeoutError);
      });
    });
  });

  it('lets the clocks go on when the server withdraws its question', () => {
    inVirtualTime(({ at }) => {
      const { hooks } = slow();
      const { server, client } = connected({ 'tools/call': silence }, { requestTimeoutMs: 100, ...hooks });
      const seen = watch(client.callTool('t'));
      at(50, () => ask(server, 'elicitation/create', form(), 7));
      at(500, () => server.push({ method: 'notifications/cancelled', params: { requestId: 7 } }));
      at(1_000, () => expect(seen.marks).toEqual([[600, expect.any(TimeoutError)]]));
    });
  });

  it('does not keep a call alive for ever: a server that asks without end meets the cap', () => {
    inVirtualTime(({ at }) => {
      const { server, client } = connected(
        { 'tools/call': silence },
        { requestTimeoutMs: 100, maxTotalMs: 300, onListRoots: () => [] },
      );
      const seen = watch(client.callTool('t'));
      for (let ms = 50; ms < 2_000; ms += 50) at(ms, () => ask(server, 'roots/list', undefined, ms));
      at(2_000, () => expect(seen.marks).toEqual([[300, expect.objectContaining({ timeoutMs: 300 })]]));
    });
  });

  it('is abandoned with the call it may be for: the server hears of that, and then gets its cancel', () => {
    const { state, hooks } = slow();
    const { server, client } = connected({ 'tools/call': silence }, hooks);
    const seen = watch(client.callTool('t'));
    ask(server, 'elicitation/create', form(), 7);
    ask(server, 'sampling/createMessage', SAMPLING, 8);
    expect(state.open).toBe(2);
    seen.subscription.unsubscribe();
    expect(state.open).toBe(0);
    expect(answersOf(server)).toEqual({
      7: { action: 'cancel' },
      8: { code: -1, message: 'the request to sample was refused' },
    });
    expect(methodsOf(server)).toEqual([...OPENING.legacy, 'tools/call', 'notifications/cancelled', 'answer', 'answer']);
  });

  it('is abandoned when the signal of that call is aborted', () => {
    const { state, hooks } = slow();
    const { server, client } = connected({ 'tools/call': silence }, hooks);
    const controller = new AbortController();
    const seen = watch(client.callTool('t', {}, { signal: controller.signal }));
    ask(server, 'elicitation/create', form(), 7);
    controller.abort('enough');
    expect(seen.error).toBeInstanceOf(CancelledError);
    expect([state.open, answersOf(server)]).toEqual([0, { 7: { action: 'cancel' } }]);
  });

  it('is abandoned with a call that was repeated after the loss of its wire', () => {
    const { state, hooks } = slow();
    const lives = scriptedLives(() => scriptedTransport({ 'resources/read': silence }, { era: 'legacy' }));
    const seen = watch(connect(lives, { era: 'legacy', ...hooks }).readResource('a:b'));
    lives.opened[0]!.die();
    const server = lives.opened[1]!;
    ask(server, 'elicitation/create', form(), 7);
    expect(state.open).toBe(1);
    seen.subscription.unsubscribe();
    expect([state.open, answersOf(server)]).toEqual([0, { 7: { action: 'cancel' } }]);
  });

  it('stays open as long as one of several such calls is wanted', () => {
    const { state, hooks } = slow();
    const { server, client } = connected({ 'tools/call': silence }, hooks);
    const [one, two] = [1, 2].map(() => watch(client.callTool('t')));
    ask(server, 'elicitation/create', form(), 7);
    one?.subscription.unsubscribe();
    expect(state.open).toBe(1);
    // What began later cannot be what it is for.
    watch(client.callTool('later'));
    two?.subscription.unsubscribe();
    expect([state.open, answersOf(server)]).toEqual([0, { 7: { action: 'cancel' } }]);
  });

  it('stays open when the call is answered meanwhile, and where no call was in flight', () => {
    const { state, hooks } = slow();
    const { server, client } = connected({ 'tools/call': silence }, hooks);
    ask(server, 'elicitation/create', form(), 6);
    const seen = watch(client.callTool('t'));
    ask(server, 'elicitation/create', form(), 7);
    server.push({ id: 2, result: { content: [] } });
    expect(seen.completed).toBe(true);
    watch(client.callTool('other')).subscription.unsubscribe();
    expect([state.open, answersOf(server)]).toEqual([2, {}]);
  });

  it('for roots stays open whoever leaves: a server asks for them on its own account', () => {
    const { state, hooks } = slow();
    const { server, client } = connected({ 'tools/call': silence }, hooks);
    const seen = watch(client.callTool('t'));
    ask(server, 'roots/list');
    seen.subscription.unsubscribe();
    expect([state.open, answersOf(server)]).toEqual([1, {}]);
  });

  it('is unsubscribed by close(), and nothing is answered', async () => {
    const { state, hooks } = slow();
    const { server, client } = connected({ 'tools/call': silence }, hooks);
    const seen = watch(client.callTool('t'));
    ask(server, 'elicitation/create', form());
    await client.close();
    expect([state.open, answersOf(server)]).toEqual([0, {}]);
    expect(seen.error).toBeInstanceOf(TransportClosedError);
  });

  it('is waited for by close({ drainMs }) as long as its call is', () => {
    inVirtualTime(({ at }) => {
      const { server, client } = connected({ 'tools/call': silence }, { onElicit: () => after(100, DECLINE) });
      const seen = watch(client.callTool('t'));
      ask(server, 'elicitation/create', form());
      at(10, () => void client.close({ drainMs: 1_000 }));
      at(101, () => {
        expect(answersOf(server)).toEqual({ q1: DECLINE });
        server.push({ id: 2, result: { content: [] } });
        expect(seen.completed).toBe(true);
      });
    });
  });

  it('is unsubscribed when the wire dies', () => {
    const { state, hooks } = slow();
    const { server } = connected({}, hooks);
    ask(server, 'elicitation/create', form());
    server.die();
    expect(state.open).toBe(0);
  });
});

describe('a refusal with -32042', () => {
  const matter = { mode: 'url', message: 'm', url: 'https://example.com/connect', elicitationId: 'e1' };
  const REQUIRED = error(-32042, 'sign in first', { elicitations: [matter] });
  const accept = { action: 'accept' } as const;
  const COMPLETE = { method: 'notifications/elicitation/complete', params: { elicitationId: 'e1' } };

  /** A server that refuses the first call, and does the second. */
  const refusing = (): Script => {
    let calls = 0;
    return { 'tools/call': () => ((calls += 1) === 1 ? REQUIRED : { content: [] }) };
  };

  it.each([
    ['the server says', accept],
    ['the user says', { ...accept, completed: true }],
  ])('is answered by the hook, and the call sent again as it was, when %s that it is done', (_who, answer) => {
    const { server, client } = connected(refusing(), { onElicitUrl: () => answer });
    const seen = watch(client.callTool('t', { a: 1 }, { meta: { 'com.example/k': 'v' } }));
    if (!('completed' in answer)) {
      expect(seen.marks).toEqual([]);
      server.push({ ...COMPLETE, params: { elicitationId: 'other' } });
      expect(sentTo(server, 'tools/call')).toHaveLength(1);
      server.push(COMPLETE);
    }
    server.push(COMPLETE);
    expect(seen.completed).toBe(true);
    const [first, second, ...more] = sentTo(server, 'tools/call');
    expect(second?.params).toEqual(first?.params);
    expect(second?.params).toEqual({ name: 't', arguments: { a: 1 }, _meta: { 'com.example/k': 'v' } });
    expect(second?.id).not.toBe(first?.id);
    expect(more).toEqual([]);
  });

  it.each([
    ['is declined', () => DECLINE],
    ['is dismissed', () => ({ action: 'cancel' }) as const],
  ])('is the error of the call where it %s', (_how, onElicitUrl) => {
    const { server, client } = connected(refusing(), { onElicitUrl });
    const seen = watch(client.callTool('t'));
    expect(seen.error).toBeInstanceOf(ProtocolError);
    expect(seen.error).toMatchObject({ code: -32042, data: { elicitations: [matter] } });
    expect(sentTo(server, 'tools/call')).toHaveLength(1);
  });

  it('is the error of the call where no hook is there for it', () => {
    const { client } = connected(refusing(), { onElicit: () => DECLINE });
    expect(watch(client.callTool('t')).error).toMatchObject({ code: -32042 });
  });

  it('is the error of the call where it comes again', () => {
    const { server, client } = connected(
      { 'tools/call': REQUIRED },
      { onElicitUrl: () => ({ ...accept, completed: true }) },
    );
    expect(watch(client.callTool('t')).error).toMatchObject({ code: -32042 });
    expect(sentTo(server, 'tools/call')).toHaveLength(2);
  });

  it('is the error of the call after inputTimeoutMs where nobody ever says that it is done', () => {
    inVirtualTime(({ at }) => {
      const { client } = connected(refusing(), {
        onElicitUrl: () => accept,
        inputTimeoutMs: 700,
        requestTimeoutMs: 100,
      });
      const seen = watch(client.callTool('t'));
      at(2_000, () => expect(seen.marks).toEqual([[700, expect.objectContaining({ code: -32042 })]]));
    });
  });

  it('is the error of the call where the wire is lost on which its completion would be told', () => {
    const lives = scriptedLives(() => scriptedTransport(refusing(), { era: 'legacy' }));
    const client = connect(lives, { era: 'legacy', onElicitUrl: () => accept });
    const seen = watch(client.callTool('t'));
    expect(seen.marks).toEqual([]);
    lives.opened[0]!.die();
    expect(seen.error).toMatchObject({ code: -32042 });
  });

  it('shows its question and the answer among the events of the call', () => {
    const { client } = connected(refusing(), { onElicitUrl: () => ({ ...accept, completed: true }) });
    const seen = watch(client.callTool('t', {}, { observe: 'events' }));
    const question = { kind: 'input', key: 'e1', method: 'elicitation/create', params: matter };
    expect(seen.values).toEqual([
      question,
      { ...question, answer: accept },
      { kind: 'result', result: { resultType: 'complete', content: [] } },
    ]);
  });

  it.each<readonly [string, Observable<unknown>]>([
    ['while its hook is open', NEVER],
    ['while its completion is waited for', of(accept)],
  ])('is abandoned with its call %s', async (_when, answer$) => {
    const { state, hooks } = slow(answer$);
    const { server, client } = connected({ 'tools/call': REQUIRED }, hooks);
    const controller = new AbortController();
    const [left, aborted, closed] = [
      watch(client.callTool('a')),
      watch(client.callTool('b', {}, { signal: controller.signal })),
      watch(client.callTool('c')),
    ] as const;
    expect([left, aborted, closed].map(({ marks }) => marks)).toEqual([[], [], []]);
    left.subscription.unsubscribe();
    controller.abort('enough');
    expect(aborted.error).toEqual(new CancelledError('tools/call', undefined, 'enough'));
    await client.close();
    expect(closed.error).toBeInstanceOf(TransportClosedError);
    expect([state.open, sentTo(server, 'tools/call').length]).toEqual([0, 3]);
  });

  it('is waited for by close({ drainMs }), and the call is sent again', () => {
    inVirtualTime(({ at }) => {
      const { server, client } = connected(refusing(), {
        onElicitUrl: () => after(100, { ...accept, completed: true }),
      });
      const seen = watch(client.callTool('t'));
      at(10, () => void client.close({ drainMs: 1_000 }));
      at(101, () => {
        expect([seen.completed, seen.error]).toEqual([true, undefined]);
        expect(sentTo(server, 'tools/call')).toHaveLength(2);
      });
    });
  });
});
