// Clients over real HTTP that share one store of results.
import { describe, expect, it } from '@jest/globals';
import Keyv from 'keyv';
import { of } from 'rxjs';
import { type CacheEntry, type CacheStore, connectHttp, EraCache } from '../../src/index.js';
import type { HttpParameters } from '../../src/transport/http/index.js';
import { closing } from '../support/client/connect.js';
import { type Loopback, messageOf, reply, serve } from '../support/http/loopback.js';

/** A server whose lists are for who asks alone, and say who that is. */
const privately = (): Promise<Loopback> =>
  serve((received, response) => {
    const { id, method } = messageOf(received);
    const common = { resultType: 'complete', ttlMs: 60_000, cacheScope: 'private' };
    const result =
      method === 'server/discover'
        ? { ...common, supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }
        : { ...common, tools: [{ name: String(received.headers.authorization), inputSchema: { type: 'object' } }] };
    reply(response, 200, { jsonrpc: '2.0', id, result });
  });

const lists = ({ received }: Loopback): number => received.filter(({ body }) => body.includes('tools/list')).length;

/** What a client that lives for one list was told. */
const listed = async (cache: CacheStore, parameters: HttpParameters): Promise<string | undefined> => {
  const mcp = closing(connectHttp({ eraCache: new EraCache(), ...parameters, cache }));
  const [tool] = await mcp.promises.listTools();
  await mcp.close();
  return tool?.name;
};

describe.each<[string, () => CacheStore]>([
  ['a Map', () => new Map<string, CacheEntry>()],
  ['a Keyv', () => new Keyv<CacheEntry>()],
])('private results over HTTP, in %s', (_what, storeOf) => {
  it('are shared by clients with the same credentials, and by nobody else', async () => {
    const server = await privately();
    const [store, { url }] = [storeOf(), server];
    const told: unknown[] = [];
    for (const authorization of ['one', 'two', 'one', 'two', 'one'])
      told.push(await listed(store, { url, headers: { authorization } }));
    told.push(await listed(store, { url }), await listed(store, { url }));
    expect(told).toEqual(['one', 'two', 'one', 'two', 'one', 'undefined', 'undefined']);
    expect(lists(server)).toBe(3);
  });
});

describe('a store of private results over HTTP', () => {
  it('has one entry for each credential, with nothing of it', async () => {
    const server = await privately();
    const store = new Map<string, CacheEntry>();
    for (let times = 0; times < 5; times += 1)
      await listed(store, { url: `${server.url}?key=hidden`, headers: { 'X-Api-Key': 'hidden as well' } });
    expect([store.size, lists(server)]).toEqual([1, 1]);
    expect(JSON.stringify([...store])).not.toContain('hidden');
  });

  it.each<[string, Partial<HttpParameters>]>([
    ['an authProvider', { authProvider: { token: () => 'one', onUnauthorized: () => false } }],
    ['a function', { headers: () => ({ authorization: 'Bearer one' }) }],
    ['an Observable', { headers: of({ authorization: 'Bearer one' }) }],
    [
      'a fetch',
      { fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, authorization: 'Bearer one' } }) },
    ],
  ])('is given none where who asks is known to %s alone: the client keeps them', async (_whom, parameters) => {
    const server = await privately();
    const store = new Map<string, CacheEntry>();
    const mcp = closing(connectHttp({ url: server.url, ...parameters, cache: store }));
    const [first, second] = [await mcp.promises.listTools(), await mcp.promises.listTools()];
    expect([first[0]?.name, second[0]?.name, lists(server), store.size]).toEqual(['Bearer one', 'Bearer one', 1, 0]);
    expect(await listed(store, { url: server.url, ...parameters })).toBe('Bearer one');
    expect([lists(server), store.size]).toEqual([2, 0]);
  });

  it('gives none to who has changed the headers that were given', async () => {
    const server = await privately();
    const store = new Map<string, CacheEntry>();
    await listed(store, { url: server.url, headers: { authorization: 'one' } });
    const headers: Record<string, string> = { authorization: 'one' };
    const mcp = closing(connectHttp({ url: server.url, headers, cache: store }));
    const asked = async (): Promise<string | undefined> => (await mcp.promises.listTools())[0]?.name;
    expect(await asked()).toBe('one');
    headers['authorization'] = 'two';
    expect([await asked(), lists(server), store.size]).toEqual(['two', 2, 1]);
    expect(await listed(store, { url: server.url, headers: { authorization: 'two' } })).toBe('two');
    expect([lists(server), store.size]).toEqual([3, 2]);
  });
});
