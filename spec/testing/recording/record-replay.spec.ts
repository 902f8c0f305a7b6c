import { describe, expect, it } from '@jest/globals';
import { EMPTY, filter, firstValueFrom, Observable, VirtualTimeScheduler } from 'rxjs';
import { OptionError, TransportError } from '../../../src/errors/index.js';
import {
  connectInMemory,
  type ClientOptions,
  EraCache,
  type McpClient,
  type Outbound,
  type Transport,
} from '../../../src/index.js';
import { fixtureServer, record, type Recording, replay, scriptedTransport } from '../../../src/testing/index.js';
import { memoryConnector } from '../../../src/transport/memory/index.js';
import { closing, connect } from '../../support/client/connect.js';
import { ERAS, scriptedLives } from '../../support/client/scripted.js';
import { inVirtualTime } from '../../support/client/virtual-time.js';
import { rejection, thrownBy, watch } from '../../support/client/watch.js';
import { HandTransport } from '../../support/hand-transport.js';

const options = (era: 'modern' | 'legacy'): ClientOptions => ({
  era,
  logLevel: 'debug',
  onElicit: () => ({ action: 'accept' as const, content: { name: 'Ada' } }),
});

/** Something of everything, at the same time where that may be. */
const session = async (mcp: McpClient): Promise<unknown> => {
  const events = watch(mcp.callTool('slow', { steps: 2, ms: 0 }, { observe: 'events' }));
  const answers = await Promise.all([
    mcp.promises.callTool('echo', { message: 'hi' }),
    mcp.promises.callTool('ask'),
    mcp.promises.listResources(),
    rejection(mcp.promises.callTool('nope')).then(String),
  ]);
  await events.end;
  return [answers, events.values.map((event) => ({ ...event, requestId: 0, progressToken: 0 }))];
};

const parsed = ({ lines }: Recording) => lines.map((line) => JSON.parse(line) as Record<string, never>);

describe.each(ERAS)('a %s session that was recorded', (era) => {
  it('is the same when it is replayed, and nothing is left of it', async () => {
    const wire = record(memoryConnector(fixtureServer()));
    const first = connect(wire, { ...options(era), eraCache: new EraCache() });
    const then = await session(first);
    await first.close();
    const server = replay(wire.lines);
    expect(server.remaining).toHaveLength(wire.lines.length);
    const second = connect(server, {
      ...options(era),
      eraCache: new EraCache(),
      clientInfo: { name: 'other', version: '2' },
    });
    expect(await session(second)).toEqual(then);
    await second.close();
    expect(server.remaining).toEqual([]);
  });

  it('has its ids and tokens translated where the client’s are others', async () => {
    const wire = record(memoryConnector(fixtureServer()));
    const first = connect(wire, options(era));
    await first.promises.listPrompts();
    const call = watch(first.callTool('slow', { steps: 1, ms: 0 }, { observe: 'events', progressToken: 'mine' }));
    await call.end;
    await first.close();
    const lines = wire.lines.filter((line) => !line.includes('prompts/list') && !line.includes('"prompts":['));
    const second = connect(replay(lines), options(era));
    const again = watch(second.callTool('slow', { steps: 1, ms: 0 }, { observe: 'events', progressToken: 'another' }));
    await again.end;
    expect(again.values.map(({ kind }) => kind)).toEqual(call.values.map(({ kind }) => kind));
    expect(again.values).toContainEqual(expect.objectContaining({ kind: 'progress', progressToken: 'another' }));
  });
});

describe('record', () => {
  it('writes what is said, when, in which direction and life', () => {
    inVirtualTime(({ at }) => {
      const server = scriptedTransport({ 'tools/list': { tools: [] } });
      const wire = record(server);
      const mcp = connect(wire, { era: 'modern' });
      at(5, () => void watch(mcp.listTools()));
      at(9, () => {
        server.die();
        expect(parsed(wire).map(({ life, at: when, kind }) => [life, when, kind])).toEqual([
          [1, 0, 'open'],
          [1, 5, 'out'],
          [1, 5, 'in'],
          [1, 5, 'out'],
          [1, 5, 'in'],
          [1, 9, 'end'],
        ]);
      });
    });
  });

  it('writes the moments of virtual time also where it was made before that began', () => {
    const wire = record(memoryConnector(fixtureServer()));
    inVirtualTime(({ at }) => {
      const mcp = connect(wire, { era: 'modern', eraCache: new EraCache() });
      at(10, () => void watch(mcp.callTool('slow', { steps: 1, ms: 100 })));
    });
    const moments = parsed(wire).map(({ at }): unknown => at);
    expect([moments[0], moments.at(-1)]).toEqual([0, 100]);
  });

  it('tells of each line, those so far and each as it comes', () => {
    const told: string[] = [];
    const wire = record(scriptedTransport({ 'tools/list': { tools: [] } }), { onLine: (line) => told.push(line) });
    const before = watch(wire.lines$);
    watch(connect(wire, { era: 'modern' }).listTools());
    expect([before.values, watch(wire.lines$).values, told]).toEqual([wire.lines, wire.lines, wire.lines]);
    expect(wire.lines).toHaveLength(5);
  });

  it('changes nothing of the wire', async () => {
    const inner = new HandTransport(EMPTY);
    let released = 0;
    inner.delivering = () => new Observable(() => () => (released += 1));
    const wire = record(inner);
    expect([wire.cancelBy, wire.mirrorsHeaders, wire.alive, wire.stderr$]).toEqual(['notice', false, true, EMPTY]);
    const seen = watch(wire.inbound$);
    watch(wire.send({ jsonrpc: '2.0', method: 'x-test/a' }, { headers: { a: 'b' } })).subscription.unsubscribe();
    inner.inbox.next({ jsonrpc: '2.0', method: 'x-test/b' });
    inner.inbox.next({ invalid: 'not JSON', excerpt: 'x' });
    expect([inner.hints, released, seen.values.length]).toEqual([[{ headers: { a: 'b' } }], 1, 2]);
    await wire.close();
    expect([seen.completed, inner.closed]).toEqual([true, 1]);
  });

  it('keeps no secret: by its name, by its looks, and what the user says is one', () => {
    const inner = new HandTransport();
    const redact = (message: unknown) => JSON.parse(JSON.stringify(message).replaceAll('Ada', '[redacted]'));
    const wire = record(inner, { redact });
    const secrets = ['hunter2-hunter2', 'ghp_0123456789abcdef0123', 'sk-0123456789abcdef0123', 'Ada', 'p4ssw0rd'];
    const message: Outbound = {
      jsonrpc: '2.0',
      id: 1,
      method: 'x-test/a',
      params: {
        apiKey: 'hunter2-hunter2',
        nested: [{ password: ['p4ssw0rd'] }],
        text: 'use ghp_0123456789abcdef0123 or Bearer sk-0123456789abcdef0123, Ada',
        url: 'https://me:p4ssw0rd@example.com/?token=p4ssw0rd&page=2',
        _meta: { progressToken: 'kept' },
        schema: { properties: { token: { type: 'string', description: 'kept too' } } },
      },
    };
    watch(wire.send(message));
    const [, line = ''] = wire.lines;
    for (const secret of secrets) expect(line).not.toContain(secret);
    expect(line).toContain('"progressToken":"kept"');
    expect(line).toContain('kept too');
    expect(line).toContain('page=2');
    expect(inner.sent).toEqual([message]);
  });

  it.each([
    ['nothing', () => undefined],
    ['a text', () => 'x'],
    ['what is no message', () => ({ id: 1 })],
    ['a failure without its code', () => ({ error: { message: 'a' } })],
  ])('refuses, as it is written, %s that redact returns', (_what, redact) => {
    const inner = new HandTransport();
    const wire = record(inner, { redact });
    expect(watch(wire.send({ jsonrpc: '2.0', method: 'x-test/a' })).error).toMatchObject({ option: 'redact' });
    const seen = watch(wire.inbound$);
    inner.inbox.next({ jsonrpc: '2.0', method: 'x-test/b' });
    expect(seen.error).toBeInstanceOf(OptionError);
    expect(inner.sent).toEqual([]);
    expect(thrownBy(() => replay([...wire.lines, '{}']))).toBeInstanceOf(OptionError);
    expect(replay(wire.lines).remaining).toHaveLength(wire.lines.length);
  });

  it('writes nothing down behind the end, and no time before the last', async () => {
    const inner = new HandTransport();
    const scheduler = new VirtualTimeScheduler();
    const wire = record(inner, { scheduler });
    watch(wire.inbound$);
    scheduler.frame = 50;
    inner.inbox.next({ jsonrpc: '2.0', method: 'x-test/a' });
    scheduler.frame = 20;
    inner.inbox.next({ jsonrpc: '2.0', method: 'x-test/b' });
    inner.close = () => {
      inner.inbox.next({ jsonrpc: '2.0', method: 'x-test/late' });
      return Promise.resolve();
    };
    await wire.close();
    watch(wire.send({ jsonrpc: '2.0', method: 'x-test/later' }));
    expect(parsed(wire).map(({ at, kind }) => [at, kind])).toEqual([
      [0, 'open'],
      [50, 'in'],
      [50, 'in'],
      [50, 'end'],
    ]);
  });

  it('refuses what is no wire, and an option that does not exist', () => {
    expect(thrownBy(() => record({} as HandTransport))).toMatchObject({ option: 'wire' });
    expect(thrownBy(() => record(new HandTransport(), { redacted: 1 } as object))).toMatchObject({
      option: 'redacted',
    });
  });
});

/** A recording of a call that took 300 ms, and ended 200 ms later. */
const slow = (): readonly string[] => {
  let lines: readonly string[] = [];
  inVirtualTime(({ at }) => {
    const server = fixtureServer();
    const wire = record(memoryConnector(server));
    const mcp = connect(wire, { era: 'modern', eraCache: new EraCache() });
    at(10, () => void watch(mcp.callTool('slow', { steps: 3, ms: 100 }, { observe: 'events' })));
    at(510, () => {
      server.drop();
      lines = wire.lines;
    });
  });
  return lines;
};

describe('replay', () => {
  it('takes the time it took, and ends as it ended', () => {
    const lines = slow();
    inVirtualTime(({ at, now }) => {
      const began = now();
      const mcp = connect(replay(lines), { era: 'modern' });
      const states = watch(mcp.state$);
      const call = watch(mcp.callTool('slow', { steps: 3, ms: 100 }, { observe: 'events' }));
      at(1_000, () => {
        expect(call.marks.map(([when]) => when - began)).toEqual([100, 200, 300, 300, 300]);
        expect(states.marks.map(([when, state]) => [when - began, (state as { status?: string }).status])).toEqual([
          [0, 'idle'],
          [0, 'connecting'],
          [0, 'connected'],
          [500, 'failed'],
        ]);
      });
    });
  });

  it('takes no time where that is wished', () => {
    const mcp = connect(replay(slow(), { keepTimes: false }), { era: 'modern' });
    expect(watch(mcp.callTool('slow', { steps: 3, ms: 100 }, { observe: 'events' })).completed).toBe(true);
  });

  it('reads the text of a file as well as its lines', () => {
    const lines = slow();
    expect(replay(`${lines.join('\r\n')}\n\n`).remaining).toEqual(replay(lines).remaining);
  });

  it('says which request was not recorded, and what it goes on with', async () => {
    const mcp = connect(replay(slow(), { keepTimes: false }), { era: 'modern' });
    const reason = await rejection(mcp.promises.callTool('other'));
    expect(reason).toBeInstanceOf(TransportError);
    expect(String(reason)).toContain(
      'the client sent tools/call of "other", which was not recorded here: it goes on with tools/call of "slow"',
    );
  });

  it('plays one life after the other, and no more than there are', async () => {
    const lives = scriptedLives(() => scriptedTransport({ 'tools/list': { tools: [] } }));
    const wire = record(lives);
    const first = connect(wire, { era: 'modern', cache: false });
    await first.promises.listTools();
    lives.opened[0]?.die();
    await first.promises.listTools();
    await first.close();
    const second = connect(replay(wire.lines), { era: 'modern', cache: false });
    await second.promises.listTools();
    // As the recorded client did, it hears of the death before it goes on.
    await firstValueFrom(second.state$.pipe(filter(({ status }) => status !== 'connected')));
    await second.promises.listTools();
    expect(await rejection(connect(replay([]), { era: 'modern' }).promises.listTools())).toMatchObject({
      message: expect.stringContaining('it has no life 1'),
    });
  });

  it('takes any text where one was redacted, and other messages for what they are', async () => {
    const wire = record(memoryConnector(fixtureServer()), {
      redact: (message) => JSON.parse(JSON.stringify(message).replaceAll('geheim', '[redacted]')),
    });
    const first = connect(wire, { era: 'modern' });
    await first.promises.callTool('echo', { message: 'geheim' });
    const second = connect(replay(wire.lines), { era: 'modern' });
    expect(await second.promises.callTool('echo', { message: 'whatever' })).toMatchObject({
      content: [{ type: 'text', text: '[redacted]' }],
    });
    const third = connect(replay(wire.lines), { era: 'modern' });
    expect(await rejection(third.promises.callTool('echo', { message: 7 }))).toBeInstanceOf(TransportError);
  });

  it.each<readonly [string, unknown]>([
    ['a date', new Date(0)],
    ['a URL', new URL('https://a.example/')],
    ['NaN', Number.NaN],
    ['minus zero', -0],
    ['a list with a hole', [undefined, 1]],
    ['nothing', undefined],
    ['what has a form of its own', { toJSON: () => 'T' }],
  ])('is asked the same where an argument was %s', async (_what, value) => {
    const wire = record(scriptedTransport({ 'tools/call': { content: [] } }));
    await connect(wire, { era: 'modern' }).promises.callTool('x', { value });
    const [line] = parsed(wire).filter((each) => JSON.stringify(each).includes('"method":"tools/call"'));
    expect(line).toMatchObject({ message: { params: { arguments: JSON.parse(JSON.stringify({ value })) } } });
    expect(await connect(replay(wire.lines), { era: 'modern' }).promises.callTool('x', { value })).toMatchObject({
      content: [],
    });
  });

  it('says on whose channel a message came, by the client’s own ids', () => {
    const inner = Object.assign(new HandTransport(), { channelOf: () => 7 });
    const wire = record(inner);
    watch(wire.inbound$);
    watch(wire.send({ jsonrpc: '2.0', id: 7, method: 'tools/list' }));
    inner.inbox.next({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'a' } });
    const [transport] = watch(replay(wire.lines, { keepTimes: false })()).values as [Transport];
    const channels: unknown[] = [];
    transport.inbound$.subscribe((message) => channels.push(transport.channelOf?.(message)));
    watch(transport.send({ jsonrpc: '2.0', id: 12, method: 'tools/list' }));
    expect(channels).toEqual([12]);
  });

  it('leaves it to the wire to say that an argument has no form as JSON', async () => {
    const fails = async (wire: Transport) =>
      String(await rejection(connect(wire, { era: 'modern' }).promises.callTool('x', { value: 1n })));
    const script = () => scriptedTransport({ 'tools/call': { content: [] } });
    expect(await fails(record(script()))).toBe(await fails(script()));
  });

  it('takes any number where one was redacted, and any name', async () => {
    const wire = record(memoryConnector(fixtureServer()));
    const args = { message: 'a', pin: 1234, known: { 'sk-0123456789abcdef0123': 1, b: 2 } };
    await connect(wire, { era: 'modern' }).promises.callTool('echo', args);
    const same = { message: 'a', pin: 5, known: { 'sk-3210fedcba98765432100': 1, b: 2 } };
    const other = { ...args, pin: 'text' };
    const replayed = (given: Readonly<Record<string, unknown>>) =>
      connect(replay(wire.lines), { era: 'modern' }).promises.callTool('echo', given);
    expect(await replayed(same)).toMatchObject({ content: [{ type: 'text' }] });
    expect(await rejection(replayed(other))).toBeInstanceOf(TransportError);
    expect(await rejection(replayed({ ...args, known: { b: 2, c: 3 } }))).toBeInstanceOf(TransportError);
  });

  it.each([
    '{',
    '1',
    '{}',
    '{"life":1,"at":0,"kind":"in"}',
    '{"life":0,"at":0,"kind":"end"}',
    '{"life":1,"at":-1,"kind":"end"}',
  ])('refuses the line %s, and says which it is', (line) => {
    const refused = thrownBy(() => replay(['{"life":1,"at":0,"kind":"end"}', line]));
    expect(refused).toBeInstanceOf(OptionError);
    expect(String(refused)).toContain('line 2 is no line of a recording');
  });

  it('refuses an option that does not exist', () => {
    expect(thrownBy(() => replay([], { speed: 2 } as object))).toMatchObject({ option: 'speed' });
  });
});

it('a fixture server is recorded by connectInMemory’s own transport as well', async () => {
  const mcp = closing(connectInMemory(fixtureServer()));
  expect(await mcp.promises.ping()).toBe(true);
});
