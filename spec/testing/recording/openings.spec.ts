// A recording is played to a client that knows more of the server's era than the recorded one did, or less.
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import {
  type ClientOptions,
  connectHttp,
  EraCache,
  type McpClient,
  UnsupportedVersionError,
} from '../../../src/index.js';
import { connectStdio } from '../../../src/bridge/stdio.js';
import { faultyTransport, fixtureServer, record, type Recording, replay } from '../../../src/testing/index.js';
import type { Connector } from '../../../src/transport/index.js';
import { closing, connect } from '../../support/client/connect.js';
import { rejection } from '../../support/client/watch.js';
import { event, type Handler, messageOf, reply, serve, stream } from '../../support/http/loopback.js';

const echo = async (mcp: McpClient, message = 'a'): Promise<unknown> =>
  (await mcp.promises.callTool('echo', { message })).content;

/** The first requests of each life that was recorded. */
const openings = ({ lines }: { readonly lines: readonly string[] }) =>
  lines.flatMap((line) => {
    const { life, kind, message } = JSON.parse(line) as { life: number; kind: string; message?: { method?: string } };
    const method = message?.method ?? '';
    return kind === 'out' && ['server/discover', 'initialize'].includes(method) ? [`${life} ${method}`] : [];
  });

/** A client of a process that is never started: what it knows of the era is in the cache. */
const overStdio = (eraCache: EraCache, wire: Connector, options: ClientOptions = {}): McpClient =>
  closing(
    connectStdio({
      command: 'never-started',
      eraCache,
      wire: ({ identity }) => Object.assign(wire, { identity }),
      ...options,
    }),
  );

const recordedBy = async (
  eraCache: EraCache,
  era: 'modern' | 'legacy',
  deed: (mcp: McpClient) => Promise<unknown> = echo,
): Promise<readonly string[]> => {
  const wire = record(fixtureServer({ era }).connector);
  const mcp = overStdio(eraCache, wire);
  await deed(mcp);
  await mcp.close();
  return wire.lines;
};

const replayedBy = async (eraCache: EraCache, lines: readonly string[]): Promise<readonly unknown[]> => {
  const server = replay(lines, { keepTimes: false });
  const mcp = overStdio(eraCache, server);
  const said = await echo(mcp);
  await mcp.close();
  return [said, server.remaining];
};

const SAID = [[{ type: 'text', text: 'a' }], []];

describe('a recording of a legacy server', () => {
  it('by a client that knew its era is played to one that does not', async () => {
    const known = new EraCache();
    await recordedBy(known, 'legacy');
    const lines = await recordedBy(known, 'legacy');
    expect(openings({ lines })).toEqual(['1 initialize']);
    expect(await replayedBy(new EraCache(), lines)).toEqual(SAID);
  });

  it('by a client that did not know its era is played to one that does', async () => {
    const known = new EraCache();
    const lines = await recordedBy(known, 'legacy');
    expect(openings({ lines })).toEqual(['1 server/discover', '1 initialize']);
    expect(await replayedBy(known, lines)).toEqual(SAID);
  });

  it('is played as often as one likes in one process', async () => {
    const known = new EraCache();
    const lines = await recordedBy(known, 'legacy');
    for (let time = 1; time <= 3; time += 1) expect(await replayedBy(known, lines)).toEqual(SAID);
  });

  it('refuses a client that speaks nothing but the other era', async () => {
    const known = new EraCache();
    await recordedBy(known, 'legacy');
    const mcp = connect(replay(await recordedBy(known, 'legacy')), { era: 'modern' });
    expect(await rejection(echo(mcp))).toBeInstanceOf(UnsupportedVersionError);
  });
});

it('a recording of a modern server is played to a client that took it for a legacy one', async () => {
  const wrong = new EraCache();
  await recordedBy(wrong, 'legacy');
  const lines = await recordedBy(new EraCache(), 'modern');
  expect(await replayedBy(wrong, lines)).toEqual(SAID);
});

it('a recording in which the server was started again is played to a client that does not know its era', async () => {
  const wire = record(
    faultyTransport(fixtureServer({ era: 'legacy' }).connector, { faults: [{ kind: 'cut', at: 3 }] }),
  );
  const three = async (mcp: McpClient): Promise<unknown[]> => {
    const outcomes: unknown[] = [];
    for (const message of ['a', 'b', 'c'])
      outcomes.push(await echo(mcp, message).catch((reason: Error) => reason.name));
    return outcomes;
  };
  const first = overStdio(new EraCache(), wire);
  const then = await three(first);
  await first.close();
  expect(openings(wire)).toEqual(['1 server/discover', '1 initialize', '2 initialize']);
  const server = replay(wire.lines, { keepTimes: false });
  const second = connect(server);
  const again = await three(second);
  expect(again.slice(1)).toEqual(then.slice(1));
  expect(again[0]).toMatch(/Error$/);
  await second.close();
  expect(server.remaining).toEqual([]);
});

it('a life in which the server died of the probe is passed over by a client that knows its era', async () => {
  const known = new EraCache();
  await recordedBy(known, 'legacy');
  const legacy = (await recordedBy(known, 'legacy')).map((line) => line.replace('"life":1', '"life":2'));
  const lines = [
    '{"life":1,"at":0,"kind":"open","cancelBy":"notice","mirrorsHeaders":false}',
    '{"life":1,"at":0,"kind":"out","message":{"jsonrpc":"2.0","id":1,"method":"server/discover"}}',
    '{"life":1,"at":0,"kind":"end","reason":"it died"}',
    ...legacy,
  ];
  expect(await replayedBy(known, lines)).toEqual(SAID);
  expect(await replayedBy(new EraCache(), lines)).toEqual(SAID);
});

const answered = ({ id, method }: { readonly id?: unknown; readonly method?: string }): object =>
  method === 'initialize' || method === 'ping'
    ? {
        jsonrpc: '2.0',
        id,
        result:
          method === 'ping'
            ? {}
            : { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'a', version: '1' } },
      }
    : { jsonrpc: '2.0', id, error: { code: -32_601, message: 'Method not found' } };

/** A legacy server of Streamable HTTP, which knows no request before `initialize`. */
const overPosts: Handler = (received, response) => {
  if (received.method !== 'POST') return reply(response, 405);
  const message = messageOf(received);
  if (message.id === undefined) return reply(response, 202);
  if (message.method === 'server/discover') return reply(response, 400, 'no session');
  return reply(response, 200, answered(message));
};

/** A legacy server of HTTP+SSE. */
const overEvents = (): Handler => {
  let open: ServerResponse | undefined;
  return (received, response) => {
    if (received.method === 'GET') {
      open = stream(response);
      return open.write(event('/messages', { type: 'endpoint' }));
    }
    if (!received.path.startsWith('/messages')) return reply(response, 405);
    const message = messageOf(received);
    if (message.id !== undefined) open?.write(event(answered(message)));
    return reply(response, 202);
  };
};

describe.each<readonly [string, () => Handler]>([
  ['Streamable HTTP', () => overPosts],
  ['HTTP+SSE', overEvents],
])('a recording of a legacy server over %s', (_form, handler) => {
  const pinged = async (
    url: string,
    eraCache: EraCache,
    wire: (connector: Connector) => Connector,
  ): Promise<unknown> => {
    const mcp = closing(connectHttp({ url, eraCache, wire }));
    const answer = await mcp.promises.ping();
    await mcp.close();
    return answer;
  };
  const recorded = async (eraCache: EraCache) => {
    const { url } = await serve(handler());
    const wires: Recording[] = [];
    const recording = (connector: Connector): Connector => {
      const wire = record(connector);
      wires.push(wire);
      return wire;
    };
    const answers = [await pinged(url, eraCache, recording), await pinged(url, eraCache, recording)];
    expect(answers[0]).toEqual(answers[1]);
    return { url, answer: answers[0], probed: wires[0]!.lines, knowing: wires[1]!.lines };
  };

  it.each<readonly [string, string, boolean]>([
    ['that knew its era', 'does not', false],
    ['that knew its era', 'does', true],
    ['that did not know it', 'does not', false],
    ['that did not know it', 'does', true],
  ])('by a client %s is played to one that %s', async (recorder, _player, knows) => {
    const known = new EraCache();
    const { url, answer, probed, knowing } = await recorded(known);
    const lines = recorder === 'that knew its era' ? knowing : probed;
    expect(openings({ lines }).length > 1).toBe(recorder !== 'that knew its era');
    const server = replay(lines, { keepTimes: false });
    expect(await pinged(url, knows ? known : new EraCache(), () => server)).toEqual(answer);
    expect(server.remaining).toEqual([]);
  });
});
