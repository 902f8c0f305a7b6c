// What a caller may say about how a server is reached, seen from the server.
import { describe, expect, it } from '@jest/globals';
import { BehaviorSubject } from 'rxjs';
import {
  type AuthChallenge,
  type AuthProvider,
  connectHttp,
  EraCache,
  type HttpOptions,
  type McpClient,
} from '../../src/index.js';
import { closing } from '../support/client/connect.js';
import { rejection, thrownBy } from '../support/client/watch.js';
import { type Handler, type Loopback, messageOf, reply, serve, stream } from '../support/http/loopback.js';
import { peer } from '../support/http/peer.js';
import { until } from '../support/http/turns.js';

const client = ({ url }: Loopback, options: Partial<HttpOptions> = {}): McpClient =>
  closing(connectHttp({ url, eraCache: new EraCache(), ...options }));

const legacy = (): Handler =>
  peer({ era: 'legacy', session: () => 's1', get: (_received, response) => stream(response).write(': open\n\n') });

const field = ({ received }: Loopback, name: string): unknown[] => received.map(({ headers }) => headers[name]);

/** Uses a legacy server in every way it can be reached: POST, GET and DELETE. */
const useAll = async (server: Loopback, one: McpClient): Promise<void> => {
  await one.promises.callTool('pay');
  await until(() => server.received.some(({ method }) => method === 'GET'));
  await one.close();
  expect(new Set(server.received.map(({ method }) => method))).toEqual(new Set(['POST', 'GET', 'DELETE']));
};

describe('headers', () => {
  it.each([
    ['an object', { 'X-Tenant': 'blue' }],
    ['a function', () => ({ 'X-Tenant': 'blue' })],
    ['a function with a Promise', async () => ({ 'X-Tenant': 'blue' })],
    ['an Observable', new BehaviorSubject({ 'X-Tenant': 'blue' })],
    ['a Headers', new Headers({ 'X-Tenant': 'blue' })],
    ['a function with a Headers', () => new Headers({ 'X-Tenant': 'blue' })],
  ])('of %s go with everything that is sent', async (_what, headers) => {
    const server = await serve(legacy());
    await useAll(server, client(server, { headers }));
    expect(new Set(field(server, 'x-tenant'))).toEqual(new Set(['blue']));
  });

  it('are read anew for each request', async () => {
    const server = await serve(peer({ era: 'modern' }));
    let count = 0;
    const tenant$ = new BehaviorSubject({ tenant: 'blue' });
    const counted = client(server, { headers: () => ({ count: String((count += 1)) }) });
    await counted.promises.callTool('pay');
    await counted.promises.callTool('pay');
    expect(field(server, 'count')).toEqual(['1', '2', '3', '4']);
    const observed = client(server, { headers: tenant$ });
    await observed.promises.callTool('pay');
    tenant$.next({ tenant: 'red' });
    await observed.promises.callTool('pay');
    expect(field(server, 'tenant').slice(-2)).toEqual(['blue', 'red']);
  });

  it('never displace those of the protocol', async () => {
    const server = await serve(peer({ era: 'modern' }));
    const headers = {
      Accept: 'text/html',
      'Content-Type': 'text/plain',
      'Mcp-Method': 'evil',
      'MCP-Protocol-Version': '1',
    };
    await client(server, { headers }).promises.callTool('pay');
    expect(server.received.at(-1)?.headers).toMatchObject({
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-method': 'tools/call',
      'mcp-protocol-version': '2026-07-28',
    });
  });

  it('that cannot be had fail the call, which is not sent and could be tried again', async () => {
    const server = await serve(peer({ era: 'modern' }));
    let fails = false;
    const headers = (): Record<string, string> => {
      if (fails) throw new Error('the vault is shut');
      return {};
    };
    const one = client(server, { headers });
    await one.promises.listTools();
    fails = true;
    const error = await rejection(one.promises.callTool('pay'));
    expect(error).toMatchObject({
      name: 'TransportError',
      cause: new Error('the vault is shut'),
      message: 'headers failed: the vault is shut',
    });
    fails = false;
    await expect(one.promises.callTool('pay')).resolves.toBeDefined();
    expect(server.received.filter((received) => messageOf(received).method === 'tools/call')).toHaveLength(1);
  });
});

describe('an authProvider', () => {
  /** A server that wants one of these tokens, and says so. */
  const guarded =
    (accepts: () => string, behind: Handler): Handler =>
    (received, response, request) =>
      received.headers['authorization'] === `Bearer ${accepts()}`
        ? behind(received, response, request)
        : reply(response, 401, '', { 'www-authenticate': 'Bearer realm="mcp"' });

  const provider = (tokens: readonly string[]) => {
    const challenges: AuthChallenge[] = [];
    let at = 0;
    const authProvider: AuthProvider = {
      token: () => tokens[at],
      onUnauthorized: (challenge) => {
        challenges.push(challenge);
        at += 1;
        return at < tokens.length;
      },
    };
    return { authProvider, challenges };
  };

  it('gives everything that is sent its token', async () => {
    const server = await serve(guarded(() => 'a', legacy()));
    await useAll(server, client(server, { authProvider: provider(['a']).authProvider }));
    expect(new Set(field(server, 'authorization'))).toEqual(new Set(['Bearer a']));
  });

  it('is told of a refusal, and the request is sent once more with the new token', async () => {
    const server = await serve(guarded(() => 'b', peer({ era: 'modern' })));
    const { authProvider, challenges } = provider(['a', 'b']);
    await client(server, { authProvider }).promises.callTool('pay');
    expect(challenges).toEqual([
      { url: server.url, target: server.url, method: 'POST', status: 401, challenge: 'Bearer realm="mcp"', token: 'a' },
    ]);
    expect(field(server, 'authorization')).toEqual(['Bearer a', 'Bearer b', 'Bearer b', 'Bearer b']);
  });

  it('is told in the middle of a session, too: the call is run once', async () => {
    let accepted = 'a';
    const ran: string[] = [];
    const server = await serve(guarded(() => accepted, peer({ era: 'legacy', session: () => 's1', ran })));
    const { authProvider } = provider(['a', 'b']);
    const one = client(server, { authProvider });
    await one.promises.callTool('pay');
    accepted = 'b';
    await one.promises.callTool('pay');
    expect(ran).toEqual(['pay', 'pay']);
    expect(server.received.filter((received) => messageOf(received).method === 'initialize')).toHaveLength(1);
  });

  it('that has no other token leaves the refusal as it is: it says nothing of the era', async () => {
    const server = await serve(guarded(() => 'z', peer({ era: 'legacy' })));
    const { authProvider } = provider(['a']);
    expect(await rejection(client(server, { authProvider }).promises.listTools())).toMatchObject({
      name: 'UnauthorizedError',
      challenge: 'Bearer realm="mcp"',
    });
    expect(server.received).toHaveLength(1);
  });

  it('is not needed for a server that wants none: without one a 401 is raised at once', async () => {
    const server = await serve(guarded(() => 'z', peer({ era: 'modern' })));
    expect(await rejection(client(server).promises.listTools())).toMatchObject({ name: 'UnauthorizedError' });
    expect(server.received).toHaveLength(1);
  });

  it('is asked about a 403 as well, which is raised with its body where that does not help', async () => {
    const server = await serve((_received, response) => reply(response, 403, 'not you'));
    const { authProvider, challenges } = provider(['a']);
    expect(await rejection(client(server, { authProvider }).promises.listTools())).toMatchObject({
      name: 'HttpError',
      status: 403,
      body: 'not you',
    });
    expect([challenges.length, server.received.length]).toEqual([1, 1]);
  });

  it('survives that the server breaks off while it is asked', async () => {
    const server = await serve((_received, response) => {
      response.writeHead(401, { 'content-length': '1000' }).write('half of ');
    });
    const authProvider: AuthProvider = {
      token: () => 'a',
      onUnauthorized: async () => {
        server.cut();
        await until(() => server.open === 0);
        for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
        return false;
      },
    };
    expect(await rejection(client(server, { authProvider }).promises.listTools())).toMatchObject({
      name: 'UnauthorizedError',
    });
  });
});

describe('allowedHosts', () => {
  it('must have the host of the server among them', () => {
    expect(
      thrownBy(() => connectHttp({ url: 'https://mcp.example/mcp', allowedHosts: ['other.example'] })),
    ).toMatchObject({ name: 'OptionError', option: 'allowedHosts' });
  });
});

describe('a fetch of the user’s own', () => {
  it('does everything that is sent', async () => {
    const server = await serve(legacy());
    const seen: unknown[] = [];
    const fetch: typeof globalThis.fetch = (input, init) => {
      seen.push(init?.method);
      return globalThis.fetch(input, init);
    };
    await useAll(server, client(server, { fetch }));
    expect(seen).toEqual(server.received.map(({ method }) => method));
  });

  it('may fail, which is a NetworkError with its reason', async () => {
    const fetch = (): Promise<Response> => Promise.reject(new TypeError('offline'));
    const one = closing(connectHttp({ url: 'https://mcp.example/mcp', fetch, eraCache: new EraCache() }));
    expect(await rejection(one.promises.listTools())).toMatchObject({
      name: 'NetworkError',
      cause: new TypeError('offline'),
    });
  });
});

describe('keepAliveMs', () => {
  it('takes a stream for dead that is silent for longer, and ends a call that waits for it', async () => {
    const server = await serve(peer({ era: 'modern', call: (response) => stream(response).write(': begun\n\n') }));
    const one = client(server, { keepAliveMs: 30 });
    await one.promises.listTools();
    expect(await rejection(one.promises.callTool('pay', {}, { timeoutMs: 0, maxTotalMs: 0 }))).toMatchObject({
      name: 'OutcomeUnknownError',
      cause: {
        name: 'NetworkError',
        message: `the connection to ${server.url} broke: silent for longer than keepAliveMs (30 ms)`,
      },
    });
  });

  it('has the stream of the server’s own opened anew', async () => {
    const server = await serve(legacy());
    const one = client(server, { keepAliveMs: 20, retry: { firstDelayMs: 1 } });
    await one.promises.callTool('pay');
    await server.until(() => server.received.filter(({ method }) => method === 'GET').length >= 2);
  });
});
