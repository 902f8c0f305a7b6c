import { describe, expect, it } from '@jest/globals';
import { connectHttp, EraCache, type HttpOptions, type McpClient } from '../../src/index.js';
import { closing } from '../support/client/connect.js';
import { rejection, watch } from '../support/client/watch.js';
import { event, type Loopback, messageOf, reply, serve, stream } from '../support/http/loopback.js';
import { asJson, asStream, peer, type Writing } from '../support/http/peer.js';

/** A legacy server that can forget its sessions, as one does that is started anew. */
const start = async (call: Writing = asJson, options: Partial<HttpOptions> = {}) => {
  const ran: string[] = [];
  let started = 1;
  const server = await serve(peer({ era: 'legacy', ran, call, session: () => `session ${started}` }));
  const client = closing(connectHttp({ url: server.url, eraCache: new EraCache(), ...options }));
  await client.promises.listTools();
  return {
    server,
    client,
    ran,
    forget: () => {
      started += 1;
    },
  };
};

const count = ({ received }: Loopback, method: string): number =>
  received.filter((one) => messageOf(one).method === method).length;

const callAll = (client: McpClient, calls: number): Promise<unknown> =>
  Promise.all(Array.from({ length: calls }, (_, n) => client.promises.callTool(n % 2 === 0 ? 'pay' : 'look')));

describe('case 23: a session that the server has forgotten', () => {
  it('is renewed by the next call, which is run once, whatever it may do', async () => {
    const { server, client, ran, forget } = await start();
    forget();
    await client.promises.callTool('pay');
    expect([ran, count(server, 'initialize')]).toEqual([['pay'], 2]);
    await client.promises.callTool('pay');
    expect([ran, count(server, 'initialize')]).toEqual([['pay', 'pay'], 2]);
  });

  it('is renewed once for all that wait for it, and each is run once', async () => {
    const { server, client, ran, forget } = await start(asStream);
    forget();
    await callAll(client, 10);
    expect(ran).toHaveLength(10);
    expect(count(server, 'initialize')).toBe(2);
  });

  it('is renewed again, as often as it is forgotten', async () => {
    const { server, client, ran, forget } = await start();
    for (let n = 0; n < 5; n += 1) {
      forget();
      await client.promises.callTool('pay');
    }
    expect([ran.length, count(server, 'initialize')]).toEqual([5, 6]);
  });

  it('is renewed by a live list as well', async () => {
    const { server, client, forget } = await start();
    forget();
    const seen = watch(client.tools$);
    await client.promises.ping();
    expect(count(server, 'initialize')).toBe(2);
    seen.subscription.unsubscribe();
  });

  it('leaves it open whether a call ran that was under way, and runs it once', async () => {
    const begun: Writing = (response) => stream(response).write(': begun\n\n');
    const { client, server, ran, forget } = await start(begun);
    const call = rejection(client.promises.callTool('pay', {}, { timeoutMs: 0, maxTotalMs: 0 }));
    await server.until(() => ran.length === 1);
    forget();
    // The server is gone, and with it everything that was open.
    server.cut();
    expect(await call).toMatchObject({ name: 'OutcomeUnknownError' });
    expect(ran).toEqual(['pay']);
  });

  it('has a safe call that was under way run again: it is lost first, and refused then', async () => {
    const ways: Writing[] = [(response) => stream(response).write(': begun\n\n')];
    const { client, server, ran, forget } = await start((...args) => (ways.shift() ?? asJson)(...args), {
      trustAnnotations: 'all',
    });
    const call = client.promises.callTool('look');
    await server.until(() => ran.length === 1);
    forget();
    server.cut();
    await expect(call).resolves.toBeDefined();
    expect([ran, count(server, 'initialize')]).toEqual([['look', 'look'], 2]);
  });

  it('ends a call where the server forgets each session at once, as the server told it', async () => {
    let started = 0;
    const server = await serve(
      peer({
        era: 'legacy',
        session: () => {
          started += 1;
          return `session ${started}`;
        },
      }),
    );
    const client = closing(connectHttp({ url: server.url, era: 'legacy', eraCache: new EraCache() }));
    expect(await rejection(client.promises.callTool('pay'))).toMatchObject({
      name: 'HttpError',
      status: 404,
    });
    expect(count(server, 'initialize')).toBeLessThanOrEqual(3);
  });

  it('is found by the stream of the server’s own, too', async () => {
    let known = true;
    const behind = peer({
      era: 'legacy',
      session: () => (known ? 'session 1' : 'session 2'),
      get: ({ headers }, response) =>
        headers['mcp-session-id'] === (known ? 'session 1' : 'session 2')
          ? stream(response).write(event({ jsonrpc: '2.0', method: 'notifications/hello' }))
          : reply(response, 404),
    });
    const server = await serve(behind);
    const client = closing(connectHttp({ url: server.url, eraCache: new EraCache(), retry: { firstDelayMs: 1 } }));
    const states = watch(client.state$).values;
    const hello = watch(client.notifications$).values;
    await client.promises.listTools();
    while (hello.length === 0) await new Promise((resolve) => setImmediate(resolve));
    known = false;
    server.cut();
    while (!states.some(({ status }) => status === 'failed')) await new Promise((resolve) => setImmediate(resolve));
    await client.promises.callTool('pay');
    expect(count(server, 'initialize')).toBe(2);
  });
});
