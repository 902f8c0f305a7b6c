import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { connectHttp, EraCache, type HttpOptions, type McpClient, TransportClosedError } from '../../src/index.js';
import { closing } from '../support/client/connect.js';
import { rejection } from '../support/client/watch.js';
import { json } from '../support/http/web.js';
import { webPeer, type WebRequest } from '../support/http/web-peer.js';

const busy = (status: number, retryAfter?: string): Response =>
  new Response('too much to do', { status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } });

/** A client of a server that answers the first requests of a method so. */
const start = (
  method: string,
  answers: readonly (() => Response)[],
  era: 'modern' | 'legacy' = 'modern',
  options: Partial<HttpOptions> = {},
) => {
  const rest = [...answers];
  const { fetch, requests } = webPeer(era, (request) => (request.method === method ? rest.shift()?.() : undefined));
  const client = closing(
    connectHttp({
      url: 'https://mcp.example/mcp',
      fetch,
      eraCache: new EraCache(),
      retry: { attempts: 3, firstDelayMs: 100, maxDelayMs: 10_000 },
      ...options,
    }),
  );
  const times = (): number[] => requests.filter((one: WebRequest) => one.method === method).map(({ at }) => at);
  return { client, times, requests };
};

describe.each(['modern', 'legacy'] as const)('case 27: a %s server that has too much to do', (era) => {
  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it.each([429, 502, 503, 504])('is reported as it is, for a call that may act twice: %i', async (status) => {
    const { client, times } = start('tools/call', [() => busy(status, '1')], era);
    expect(await rejection(client.promises.callTool('pay'))).toMatchObject({
      name: 'HttpError',
      status,
      body: 'too much to do',
      retryAfterMs: 1_000,
    });
    await jest.advanceTimersByTimeAsync(60_000);
    expect(times()).toHaveLength(1);
  });

  it.each([429, 502, 503, 504])(
    'is asked again, no sooner than it wants, where it is only read: %i',
    async (status) => {
      const { client, times } = start('tools/list', [() => busy(status, '3'), () => busy(status)], era);
      const list = client.promises.listTools();
      await jest.advanceTimersByTimeAsync(2_999);
      expect(times()).toHaveLength(1);
      await jest.advanceTimersByTimeAsync(1);
      expect(times()).toHaveLength(2);
      await jest.advanceTimersByTimeAsync(200);
      expect(await list).toHaveLength(2);
      expect(times()).toHaveLength(3);
    },
  );

  it('is asked again where the tool is safe to call and its word is trusted', async () => {
    const { client, times } = start('tools/call', [() => busy(503)], era, { trustAnnotations: 'all' });
    await client.promises.listTools();
    const call = client.promises.callTool('look');
    await jest.advanceTimersByTimeAsync(100);
    await expect(call).resolves.toBeDefined();
    expect(times()).toHaveLength(2);
  });

  it('is asked again where it says so in an error of the protocol, which is what is raised in the end', async () => {
    const error = { jsonrpc: '2.0', id: null, error: { code: -32_000, message: 'Too many requests' } };
    const refuse = (): Response => json(error, 429);
    const { client, times } = start('tools/list', [refuse, refuse, refuse, refuse], era);
    const failure = rejection(client.promises.listTools());
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await failure).toMatchObject({ name: 'ProtocolError', code: -32_000, cause: { status: 429 } });
    expect(times()).toHaveLength(4);
  });

  it('is asked no more often than is allowed, and each time later', async () => {
    const { client, times } = start(
      'tools/list',
      Array.from({ length: 9 }, () => () => busy(503)),
      era,
    );
    const failure = rejection(client.promises.listTools());
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await failure).toMatchObject({ name: 'HttpError', status: 503 });
    const [a = 0, b = 0, c = 0, d = 0, ...more] = times();
    expect(more).toEqual([]);
    expect(b - a).toBeLessThanOrEqual(100);
    expect(c - b).toBeGreaterThanOrEqual(99);
    expect(d - c).toBeGreaterThanOrEqual(199);
  });

  it('is not asked again where it wants to be left alone for longer than we wait', async () => {
    const { client, times } = start('tools/list', [() => busy(503, '11')], era);
    expect(await rejection(client.promises.listTools())).toMatchObject({ status: 503, retryAfterMs: 11_000 });
    await jest.advanceTimersByTimeAsync(60_000);
    expect(times()).toHaveLength(1);
  });

  it('is asked again within the time of the call, and not beyond it', async () => {
    const { client } = start('tools/list', [() => busy(503, '9')], era);
    const failure = rejection(client.promises.listTools({ timeoutMs: 5_000 }));
    await jest.advanceTimersByTimeAsync(5_000);
    expect(await failure).toMatchObject({ name: 'TimeoutError', timeoutMs: 5_000 });
  });

  it.each<readonly [string, string, (client: McpClient) => Promise<unknown>]>([
    ['a list', 'tools/list', (client) => client.promises.listTools()],
    ['a list for a model', 'tools/list', (client) => client.promises.toolsForLlm()],
    [
      'a tool that is safe to call',
      'tools/call',
      async (client) => {
        await client.promises.listTools();
        return client.promises.callTool('look');
      },
    ],
    ['the opening', 'server/discover', (client) => client.promises.server()],
  ])('is no longer waited for once the client is closed: %s', async (_what, method, ask) => {
    const { client, times } = start(method, [() => busy(503, '9')], era, { trustAnnotations: 'all' });
    if (method !== 'server/discover') await client.promises.server();
    const failure = rejection(ask(client));
    await jest.advanceTimersByTimeAsync(100);
    expect(times()).toHaveLength(1);
    const closed = client.close();
    expect(await failure).toBeInstanceOf(TransportClosedError);
    await closed;
    expect(jest.getTimerCount()).toBe(0);
    expect(times()).toHaveLength(1);
  });

  it('is waited for until the client has drained, and no longer', async () => {
    const { client, times } = start('tools/list', [() => busy(503, '2'), () => busy(503, '9')], era);
    await client.promises.server();
    const failure = rejection(client.promises.listTools());
    await jest.advanceTimersByTimeAsync(100);
    const closed = client.close({ drainMs: 3_000 });
    await jest.advanceTimersByTimeAsync(2_999);
    expect(times()).toHaveLength(2);
    await jest.advanceTimersByTimeAsync(1);
    expect(await failure).toBeInstanceOf(TransportClosedError);
    await closed;
    expect(jest.getTimerCount()).toBe(0);
  });

  it('costs a model nothing but an answer where the client is closed meanwhile', async () => {
    const { client } = start('tools/list', [() => busy(503, '9')], era);
    await client.promises.server();
    const results = client.promises.executeToolCalls([
      { id: '1', type: 'function', function: { name: 'look', arguments: '{}' } },
    ]);
    await jest.advanceTimersByTimeAsync(100);
    await client.close();
    expect(await results).toMatchObject([{ tool_call_id: '1', is_error: true }]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('when it is first asked is not taken for a server of another era: it is asked again', async () => {
    const { client, requests } = start('server/discover', [() => busy(503, '2'), () => busy(429)], era);
    const server = client.promises.server();
    await jest.advanceTimersByTimeAsync(2_500);
    expect(await server).toMatchObject({ era });
    expect(requests.slice(0, 3).map(({ method }) => method)).toEqual(
      Array.from({ length: 3 }, () => 'server/discover'),
    );
  });

  it('when it is first asked, and stays so, is reported as it is', async () => {
    const { client, requests } = start(
      'server/discover',
      Array.from({ length: 9 }, () => () => busy(503)),
      era,
    );
    const failure = rejection(client.promises.callTool('pay'));
    await jest.advanceTimersByTimeAsync(5_000);
    expect(await failure).toMatchObject({ name: 'HttpError', status: 503, body: 'too much to do' });
    expect(requests.map(({ method }) => method)).not.toContain('initialize');
  });
});
