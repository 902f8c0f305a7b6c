import { describe, expect, it } from '@jest/globals';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { connectStdio } from '../../src/bridge/stdio.js';
import {
  CancelledError,
  type ClientOptions,
  connectHttp,
  connectInMemory,
  EraCache,
  type McpClient,
  type ToolCallEvent,
} from '../../src/index.js';
import { closing } from '../support/client/connect.js';
import { rejection, watch } from '../support/client/watch.js';
import { type Loopback, messageOf, serve } from '../support/http/loopback.js';
import { webHandler } from '../support/http/web.js';
import { createDock, createGate, type Gate } from '../support/servers/dock.mjs';
import { program } from '../support/programs/program.js';

const WAYS = ['in memory', 'over HTTP'] as const;
const ERAS = ['modern', 'legacy'] as const;
const PLACES = WAYS.flatMap((way) => ERAS.map((era) => [way, era] as const));

const serveDock = (gate: Gate): Promise<Loopback> =>
  serve(webHandler(createMcpHandler(() => createDock(gate), { legacy: 'stateless' }).fetch));

/** A client of a real server in this process, whose gate is in the hand of the spec. */
const dock = async (
  way: (typeof WAYS)[number],
  options: ClientOptions = {},
): Promise<{ readonly gate: Gate; readonly client: McpClient }> => {
  const gate = createGate();
  const given = { eraCache: new EraCache(), ...options };
  if (way === 'over HTTP') {
    const { url } = await serveDock(gate);
    return { gate, client: closing(connectHttp({ url, ...given })) };
  }
  const server = { connect: (transport: never) => serveStdio(() => createDock(gate), { transport, legacy: 'serve' }) };
  return { gate, client: closing(connectInMemory(server as never, given)) };
};

const word = (n: number): string => `w${String(n).padStart(3, '0')}`;
const look = (n: number, name = 'look') => ({ id: `id-${word(n)}`, name, arguments: { word: word(n) } });
const looks = (count: number, name = 'look') => Array.from({ length: count }, (_, n) => look(n, name));

const released = (n: number) => ({
  role: 'tool',
  tool_call_id: `id-${word(n)}`,
  content: `${word(n)} released`,
  is_error: false,
});

/** Lets everything go, the newest first, each time only when as many are held as may be. */
const drain = async (gate: Gate, count: number, limit: number): Promise<void> => {
  for (let left = count; left > 0; left -= 1) {
    await gate.until(() => gate.held.length === Math.min(limit, left));
    gate.release(gate.held.at(-1) ?? '');
  }
};

describe.each(PLACES)('a batch on a real server %s, %s', (way, era) => {
  it.each([1, 2, 4, 7, 12])(
    'of safe calls has exactly %i of 12 under way, and all their answers in order',
    async (limit) => {
      const { gate, client } = await dock(way, { era, toolConcurrency: limit });
      const batch = client.promises.executeToolCalls(looks(12));
      await drain(gate, 12, limit);
      expect(await batch).toEqual(Array.from({ length: 12 }, (_, n) => released(n)));
      expect(gate.peak).toBe(limit);
      expect(gate.came).toHaveLength(12);
    },
  );

  it('has four under way where nobody says how many', async () => {
    const { gate, client } = await dock(way, { era });
    const batch = client.promises.executeToolCalls(looks(9));
    await drain(gate, 9, 4);
    await batch;
    expect(gate.peak).toBe(4);
  });

  it('takes the limit of the batch before that of the client', async () => {
    const { gate, client } = await dock(way, { era, toolConcurrency: 2 });
    const batch = client.promises.executeToolCalls(looks(9), { toolConcurrency: 5 });
    await drain(gate, 9, 5);
    await batch;
    expect(gate.peak).toBe(5);
  });

  it.each([
    ['a call that may act twice', [look(0), look(1, 'load'), look(2)], {}],
    ['overlap: never', looks(3), { overlap: 'never' }],
    ['untrusted annotations', looks(3), { trustAnnotations: 'none' }],
    ['tools that only read, by default', looks(3, 'peek'), {}],
  ] as const)('has one under way at a time, in order, with %s', async (_what, calls, options) => {
    const { gate, client } = await dock(way, { era, ...options });
    const batch = client.promises.executeToolCalls(calls);
    await drain(gate, 3, 1);
    expect(await batch).toEqual([0, 1, 2].map(released));
    expect([gate.peak, gate.came.map((came) => came.split(' ')[1])]).toEqual([1, [0, 1, 2].map(word)]);
  });

  it('with read-only has what reads around what writes under way together, and what writes alone', async () => {
    const { gate, client } = await dock(way, { era, overlap: 'read-only' });
    const calls = [look(0, 'peek'), look(1), look(2, 'load'), look(3, 'peek'), look(4)];
    const batch = client.promises.executeToolCalls(calls);
    for (const run of [[0, 1], [2], [3, 4]]) {
      await gate.until(() => gate.held.length === run.length);
      expect([...gate.held].sort()).toEqual(run.map(word));
      for (const n of run) gate.release(word(n));
    }
    expect(await batch).toEqual(calls.map((_, n) => released(n)));
  });

  it('makes what is asked several times once, and answers each', async () => {
    const { gate, client } = await dock(way, { era });
    const again = { ...look(0), id: 'again', arguments: '{ "word": "w000" }' };
    const batch = client.promises.executeToolCalls([look(0), look(1), again]);
    await drain(gate, 2, 2);
    expect(await batch).toEqual([released(0), released(1), { ...released(0), tool_call_id: 'again' }]);
    expect([...gate.came].sort()).toEqual(['look w000', 'look w001']);
  });

  it('that is left tells the server of what runs, and what waits never comes', async () => {
    const { gate, client } = await dock(way, { era, toolConcurrency: 3 });
    const batch = watch(client.executeToolCalls(looks(8)));
    await gate.until(() => gate.held.length === 3);
    batch.subscription.unsubscribe();
    await gate.until(() => gate.gone.length === 3);
    // A call behind them has come and gone: nothing was under way before it.
    await client.promises.callTool('echo', { word: 'still there' });
    expect(gate.came).toHaveLength(3);
  });

  it('that is aborted rejects, and tells the server', async () => {
    const { gate, client } = await dock(way, { era });
    const abort = new AbortController();
    const batch = client.promises.executeToolCalls([look(0, 'load'), look(1, 'load')], { signal: abort.signal });
    await gate.until(() => gate.held.length === 1);
    abort.abort();
    expect(await rejection(batch)).toBeInstanceOf(CancelledError);
    await gate.until(() => gate.gone.length === 1);
    expect(gate.came).toEqual(['load w000']);
  });

  it('whose client is closed in the middle has an error in each slot that was not answered', async () => {
    const { gate, client } = await dock(way, { era, toolConcurrency: 2 });
    const batch = client.promises.executeToolCalls(looks(6));
    await gate.until(() => gate.held.length === 2);
    gate.release(word(0));
    await gate.until(() => gate.held.includes(word(2)));
    await client.close();
    const [first, ...others] = await batch;
    expect(first).toEqual(released(0));
    expect(others.map(({ content }) => JSON.stringify(content).split(/\W/)[1])).toEqual(
      Array.from({ length: 5 }, () => 'TransportClosedError'),
    );
  });

  it('answers what the server does not know or take, and goes on', async () => {
    const { gate, client } = await dock(way, { era });
    const calls = [{ id: 'a', name: 'nobody' }, { id: 'b', name: 'load', arguments: { word: 7 } }, look(0, 'load')];
    const batch = client.promises.executeToolCalls(calls);
    await drain(gate, 1, 1);
    expect(await batch).toMatchObject([
      { tool_call_id: 'a', is_error: true, content: expect.stringContaining('nobody') },
      { tool_call_id: 'b', is_error: true, content: expect.stringMatching(/word/) },
      { is_error: false, content: 'w000 released' },
    ]);
  });

  it('answers a call whose arguments have no form in JSON with what is wrong, and goes on', async () => {
    const { client } = await dock(way, { era, overlap: () => true });
    const cycle: Record<string, unknown> = { word: 'x' };
    cycle['self'] = cycle;
    const calls = [1n, cycle, 'fine'].map((w, n) => ({ id: String(n), name: 'echo', arguments: { word: w } }));
    const results = await client.promises.executeToolCalls(calls);
    expect(results.map(({ is_error: isError }) => isError)).toEqual([true, true, false]);
    expect(String(results[0]?.error)).toMatch(/BigInt/);
  });

  it('of 200 calls has each answer in its slot', async () => {
    const { client } = await dock(way, { era, overlap: ({ name }) => name === 'echo', toolConcurrency: 16 });
    const calls = Array.from({ length: 200 }, (_, n) => look(n, 'echo'));
    expect(await client.promises.executeToolCalls(calls)).toEqual(
      calls.map((_, n) => ({ ...released(n), content: word(n) })),
    );
  });
});

describe('a batch over HTTP', () => {
  it('mirrors the arguments of each call that its tool marks, and the server takes them', async () => {
    const gate = createGate();
    const server = await serveDock(gate);
    const client = closing(connectHttp({ url: server.url, eraCache: new EraCache() }));
    const moor = (n: number, pier: string) => ({ ...look(n, 'moor'), arguments: { word: word(n), pier } });
    const batch = client.promises.executeToolCalls([moor(0, 'north'), moor(1, 'südlich'), look(2)]);
    await drain(gate, 3, 3);
    expect(await batch).toEqual([0, 1, 2].map(released));
    const piers = server.received
      .filter((one) => messageOf(one).method === 'tools/call')
      .map((one) => [(messageOf(one).params?.['arguments'] as { word: string }).word, one.headers['mcp-param-pier']]);
    expect(Object.fromEntries(piers)).toEqual({
      w000: 'north',
      w001: expect.stringMatching(/^=\?base64\?.+\?=$/),
      w002: undefined,
    });
  });

  it('whose connections are cut loses what was under way, and goes on with what waits', async () => {
    const gate = createGate();
    const server = await serveDock(gate);
    const client = closing(connectHttp({ url: server.url, eraCache: new EraCache(), toolConcurrency: 2 }));
    const batch = client.promises.executeToolCalls(looks(4));
    await gate.until(() => gate.held.length === 2);
    const lost = [...gate.held];
    server.cut();
    await gate.until(() => gate.gone.length === 2 && gate.held.length === 2);
    await drain(gate, 2, 2);
    const results = await batch;
    expect(lost.sort()).toEqual([0, 1].map(word));
    expect(results.slice(0, 2)).toMatchObject(
      [0, 1].map(() => ({ is_error: true, content: expect.stringMatching(/^OutcomeUnknownError/) })),
    );
    expect(results.slice(2)).toEqual([2, 3].map(released));
  });
});

describe.each(ERAS)('a batch on a child process, %s', (era) => {
  const SCRIPT = program('servers', 'dock-stdio');
  const child = (options: ClientOptions = {}): McpClient =>
    closing(connectStdio({ command: process.execPath, args: [SCRIPT], eraCache: new EraCache(), era, ...options }));
  const echo = (id: string) => ({ id, name: 'echo', arguments: { word: id } });

  it('that dies in the middle loses what was under way, and goes on in the next child', async () => {
    const client = child({ overlap: () => true, toolConcurrency: 3 });
    const results = await client.promises.executeToolCalls([
      look(0, 'load'),
      look(1, 'load'),
      { id: 'sink', name: 'sink', arguments: { after: 2 } },
      echo('a'),
      echo('b'),
    ]);
    expect(results.map(({ tool_call_id: id, is_error: isError }) => [id, isError])).toEqual([
      ['id-w000', true],
      ['id-w001', true],
      ['sink', true],
      ['a', false],
      ['b', false],
    ]);
    for (const { content } of results.slice(0, 3)) expect(content).toMatch(/^OutcomeUnknownError/);
  });

  it('that dies, and may not be started again, ends each call that is left with what happened', async () => {
    const client = child({ restart: false } as never);
    const sink = { id: 'sink', name: 'sink', arguments: { after: 0 } };
    const results = await client.promises.executeToolCalls([echo('a'), sink, echo('b'), echo('c')]);
    expect(results.map(({ is_error: isError }) => isError)).toEqual([false, true, true, true]);
    for (const { content } of results.slice(2)) expect(content).toMatch(/^(ServerGone|TransportClosed)Error/);
  });

  it('tells what happens to each call, as events', async () => {
    const seen = watch(child().executeToolCalls([echo('a'), { id: 'x', name: 'nobody' }], { observe: 'events' }));
    await seen.end;
    expect(seen.values.map(({ kind, index }: ToolCallEvent) => `${kind} ${String(index)}`)).toEqual([
      'started 0',
      'result 0',
      'started 1',
      'result 1',
    ]);
  });
});
