import { describe, expect, it } from '@jest/globals';
import {
  type ClientOptions,
  type McpClient,
  OutcomeUnknownError,
  ServerGoneError,
  TimeoutError,
  TransportClosedError,
} from '../../src/index.js';
import { McpClient as Client } from '../../src/bridge/index.js';
import { type Script, type ScriptedTransport, scriptedTransport } from '../../src/testing/index.js';
import { closing, connect } from '../support/client/connect.js';
import { ERAS, methodsOf, OPENING, scriptedLives, sentTo } from '../support/client/scripted.js';
import { inVirtualTime } from '../support/client/virtual-time.js';
import { watch, type Watched } from '../support/client/watch.js';

const silence = scriptedTransport.silence;

const tool = (name: string, annotations?: object): object => ({ name, inputSchema: { type: 'object' }, annotations });

const TOOLS = {
  tools: [tool('plain'), tool('reads', { readOnlyHint: true }), tool('again', { idempotentHint: true })],
};

const DEATH = new ServerGoneError(3, null, 'my-server', 'out of memory');

/** Lives of a server: in the first `silentLives` of them it answers nothing but lists of tools, afterwards everything. */
const server = (
  silentLives = 1,
  { era = 'modern', reopens = true, ...options }: ClientOptions & { era?: 'modern' | 'legacy'; reopens?: boolean } = {},
): { client: McpClient; lives: ReturnType<typeof scriptedLives>; life: (n: number) => ScriptedTransport } => {
  const answers: Script = {
    'tools/call': ({ name }) => ({ content: [{ type: 'text', text: name }] }),
    'resources/read': { contents: [] },
    'prompts/get': { messages: [] },
    'prompts/list': { prompts: [] },
    'resources/list': { resources: [] },
    'completion/complete': { completion: { values: [] } },
  };
  const nothing = Object.fromEntries(Object.keys(answers).map((method) => [method, silence]));
  const lives = scriptedLives(
    (life) => scriptedTransport({ 'tools/list': TOOLS, ...(life <= silentLives ? nothing : answers) }, { era }),
    { reopens },
  );
  const client = closing(new Client(lives, { era, ...options }, options.trustAnnotations ?? 'all'));
  return { client, lives, life: (n) => lives.opened[n - 1] as ScriptedTransport };
};

const READS: readonly (readonly [string, (client: McpClient) => Watched<unknown>])[] = [
  ['resources/read', (client) => watch<unknown>(client.readResource('a:b'))],
  ['prompts/get', (client) => watch<unknown>(client.getPrompt('p'))],
  ['prompts/list', (client) => watch<unknown>(client.listPrompts())],
  ['resources/list', (client) => watch<unknown>(client.listResources())],
  [
    'completion/complete',
    (client) => watch<unknown>(client.complete({ type: 'ref/prompt', name: 'p' }, { name: 'a', value: '' })),
  ],
];

describe.each(ERAS)('a tool in flight when a %s server dies', (era) => {
  it('is an OutcomeUnknownError at once, with the death as its cause, and is not called again', () => {
    const { client, lives, life } = server(1, { era });
    const seen = watch(client.callTool('plain'));
    life(1).die(DEATH);
    expect(seen.error).toBeInstanceOf(OutcomeUnknownError);
    expect(seen.error).toMatchObject({ name: 'OutcomeUnknownError', method: 'tools/call', id: 2 });
    expect((seen.error as OutcomeUnknownError).cause).toBe(DEATH);
    expect(lives.opened).toHaveLength(1);
    expect(watch(client.callTool('plain')).completed).toBe(true);
    expect(methodsOf(life(2))).toEqual([...OPENING[era], 'tools/call']);
  });

  it.each(READS)('is not harmed by %s, which is asked once more on a new connection', (method, call) => {
    const { client, lives, life } = server(1, { era });
    const seen = call(client);
    life(1).die(DEATH);
    expect([seen.completed, seen.error]).toEqual([true, undefined]);
    expect(lives.opened).toHaveLength(2);
    expect(methodsOf(life(2))).toEqual([...OPENING[era], method]);
  });

  it.each(READS)('as %s is, is never asked a third time', (_method, call) => {
    const { client, lives, life } = server(2, { era });
    const seen = call(client);
    life(1).die(new ServerGoneError(1, null, 'my-server', 'first'));
    expect(seen.marks).toEqual([]);
    life(2).die(DEATH);
    expect(seen.error).toBe(DEATH);
    expect(lives.opened).toHaveLength(2);
  });
});

describe('a tool the server calls read-only or idempotent', () => {
  it.each(['reads', 'again'])('is called once more where annotations are trusted with that: %s', (name) => {
    const { client, life } = server(1);
    watch(client.listTools());
    const seen = watch(client.callTool(name, { a: 1 }));
    life(1).die(DEATH);
    expect(seen.values).toEqual([{ content: [{ type: 'text', text: name }], resultType: 'complete' }]);
    expect(sentTo(life(2), 'tools/call')[0]?.params).toMatchObject({ name, arguments: { a: 1 } });
  });

  it('is never called a third time', () => {
    const { client, lives, life } = server(2);
    watch(client.listTools());
    const seen = watch(client.callTool('reads'));
    life(1).die(new ServerGoneError(1, null, 'my-server', 'first'));
    life(2).die(DEATH);
    // On the second connection nothing was listed: there it is a tool like any other.
    expect(seen.error).toBeInstanceOf(OutcomeUnknownError);
    expect((seen.error as OutcomeUnknownError).cause).toBe(DEATH);
    expect(lives.opened).toHaveLength(2);
  });

  it.each(['overlap', 'none'] as const)('is not called again where trustAnnotations is %p', (trustAnnotations) => {
    const { client, lives, life } = server(1, { trustAnnotations });
    watch(client.listTools());
    const seen = watch(client.callTool('reads'));
    life(1).die(DEATH);
    expect(seen.error).toBeInstanceOf(OutcomeUnknownError);
    expect(lives.opened).toHaveLength(1);
  });

  it('is not called again where nobody has listed the tools, or the server said that they changed', () => {
    for (const prepare of [
      () => undefined,
      (client: McpClient, first: () => ScriptedTransport) => {
        watch(client.listTools());
        first().push({ method: 'notifications/tools/list_changed' });
      },
    ]) {
      const { client, life } = server(1);
      prepare(client, () => life(1));
      const seen = watch(client.callTool('reads'));
      life(1).die(DEATH);
      expect(seen.error).toBeInstanceOf(OutcomeUnknownError);
    }
  });

  it('is not called again by default over a wire of one’s own', () => {
    const lives = scriptedLives((life) =>
      scriptedTransport({ 'tools/list': TOOLS, 'tools/call': life === 1 ? silence : { content: [] } }),
    );
    const client = connect(lives);
    watch(client.listTools());
    const seen = watch(client.callTool('reads'));
    lives.opened[0]?.die(DEATH);
    expect(seen.error).toBeInstanceOf(OutcomeUnknownError);
  });

  it('keeps its events over the repeat: the token is asked for again', () => {
    const { client, life } = server(2);
    watch(client.listTools());
    const seen = watch(client.callTool('reads', {}, { observe: 'events', progressToken: 'mine' }));
    life(1).die(DEATH);
    life(2).push({ method: 'notifications/progress', params: { progressToken: 'mine', progress: 1 } });
    life(2).push({ id: 2, result: { content: [] } });
    expect(seen.values.map(({ kind }) => kind)).toEqual(['progress', 'result']);
  });
});

describe('a repeat', () => {
  it('is part of the time of its call', () => {
    inVirtualTime(({ at }) => {
      const { client, life } = server(2);
      const seen = watch(client.readResource('a:b', { timeoutMs: 100 }));
      at(60, () => life(1).die(DEATH));
      at(1_000, () => {
        expect(seen.marks).toEqual([[100, new TimeoutError('resources/read', 2, 100)]]);
        expect(methodsOf(life(2))).toEqual(['server/discover', 'resources/read', 'notifications/cancelled']);
      });
    });
  });

  it('is given up like any other request', () => {
    const { client, life } = server(2);
    const seen = watch(client.readResource('a:b'));
    life(1).die(DEATH);
    seen.subscription.unsubscribe();
    expect(methodsOf(life(1))).toEqual(['server/discover', 'resources/read']);
    expect(methodsOf(life(2))).toEqual(['server/discover', 'resources/read', 'notifications/cancelled']);
  });

  it('that cannot connect fails with what prevents it', () => {
    const lives = scriptedLives((life) =>
      scriptedTransport(
        life === 1 ? { 'resources/read': silence } : { initialize: scriptedTransport.error(-32603, 'broken') },
        { era: 'legacy' },
      ),
    );
    const client = connect(lives, { era: 'legacy' });
    const seen = watch(client.readResource('a:b'));
    lives.opened[0]?.die(DEATH);
    expect(seen.error).toMatchObject({ name: 'ProtocolError', message: 'broken' });
  });

  it('happens only if the caller waits: many calls share the one new connection', () => {
    const { client, lives, life } = server(1);
    const calls = [1, 2, 3].map((n) => watch(client.readResource(`a:${n}`)));
    calls[1]?.subscription.unsubscribe();
    life(1).die(DEATH);
    expect(calls.map(({ completed }) => completed)).toEqual([true, false, true]);
    expect(lives.opened).toHaveLength(2);
    expect(sentTo(life(2), 'resources/read').map(({ params }) => params?.['uri'])).toEqual(['a:1', 'a:3']);
  });
});

describe('where the wire may not be opened again', () => {
  it('what was safe to repeat fails with the death, and so does everything after it', () => {
    const { client, lives, life } = server(1, { reopens: false });
    const read = watch(client.readResource('a:b'));
    const call = watch(client.callTool('plain'));
    life(1).die(DEATH);
    expect(read.error).toBe(DEATH);
    expect(call.error).toBeInstanceOf(OutcomeUnknownError);
    expect((call.error as OutcomeUnknownError).cause).toBe(DEATH);
    expect(client.alive).toBe(false);
    for (const later of [watch(client.callTool('plain')), watch(client.listTools()), watch(client.server())]) {
      expect((later as Watched<unknown>).error).toBe(DEATH);
    }
    expect(lives.opened).toHaveLength(1);
  });

  it('the client is not alive any more when the call in flight hears of it', () => {
    const { client, life } = server(1, { reopens: false });
    const seen: boolean[] = [];
    client.callTool('plain').subscribe({ error: () => seen.push(client.alive) });
    life(1).die(DEATH);
    expect(seen).toEqual([false]);
  });

  it('a transport handed to connect is one life', () => {
    const transport = scriptedTransport({ 'resources/read': silence });
    const client = connect(transport);
    const seen = watch(client.readResource('a:b'));
    transport.die(DEATH);
    expect(seen.error).toBe(DEATH);
    expect(client.alive).toBe(false);
    expect(watch(client.server()).error).toBe(DEATH);
  });
});

describe('a wire that is no longer alive but has not said why', () => {
  /** Like a process that has exited and whose last output is still being read. */
  const sicken = (transport: ScriptedTransport): void => {
    Object.defineProperty(transport, 'alive', { value: false });
  };

  it('is waited for, so that what is in flight fails with the true reason, and then replaced', () => {
    const { client, lives, life } = server(1);
    const inFlight = watch(client.callTool('plain'));
    sicken(life(1));
    const next = watch(client.callTool('plain'));
    expect([inFlight.marks, next.marks, lives.opened.length]).toEqual([[], [], 1]);
    life(1).die(DEATH);
    expect((inFlight.error as OutcomeUnknownError).cause).toBe(DEATH);
    expect(next.completed).toBe(true);
    expect(lives.opened).toHaveLength(2);
  });

  it('is waited for no longer than a second', () => {
    inVirtualTime(({ at }) => {
      const { client, lives, life } = server(1);
      const inFlight = watch(client.callTool('plain'));
      sicken(life(1));
      const next = watch(client.callTool('plain'));
      at(999, () => expect(lives.opened).toHaveLength(1));
      at(1_000, () => {
        expect(next.completed).toBe(true);
        expect((inFlight.error as OutcomeUnknownError).cause).toBeInstanceOf(TransportClosedError);
      });
    });
  });
});
