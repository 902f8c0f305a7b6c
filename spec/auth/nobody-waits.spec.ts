// What nobody waits for troubles nobody: it goes with the token there is, or not at all.
import { describe, expect, it } from '@jest/globals';
import { type AuthorizationState, oauth, type OAuthOptions } from '../../src/auth/index.js';
import { loopbackRedirect } from '../../src/auth/node/index.js';
import { connectHttp } from '../../src/bridge/connect/http.js';
import { EraCache } from '../../src/index.js';
import { openHeadless, REDIRECT } from '../support/auth/headless.js';
import { type RealmOptions, startRealm } from '../support/auth/realm.js';
import { rejection, watch } from '../support/client/watch.js';
import { messageOf, reply } from '../support/http/loopback.js';
import { peer } from '../support/http/peer.js';
import { until } from '../support/http/turns.js';

const hang = (): void => undefined;

/** A server, a client of it, and what became of it all so far. */
const start = async (realmOptions: RealmOptions, options: Partial<OAuthOptions> = {}) => {
  const realm = await startRealm(realmOptions);
  const authProvider = oauth({ redirectUri: REDIRECT, open: openHeadless, ...options });
  const client = connectHttp({ url: realm.url, authProvider, eraCache: new EraCache() });
  const warnings: string[] = [];
  client.warnings$.subscribe((warning) => warnings.push(warning.message));
  const states: AuthorizationState[] = [];
  authProvider.states$.subscribe((state) => states.push(state));
  const came = () =>
    realm.loopback.received.filter(({ path, method }) => path === '/mcp' && method === 'POST').map(messageOf);
  /** How often a message came, whether it was let in or not. */
  const count = (method: string) => came().filter((message) => message.method === method).length;
  return { realm, authProvider, client, warnings, states, count };
};

const modern = peer({ era: 'modern' });
const LEGACY = { era: 'legacy', call: hang } as const;

describe('what nobody waits for', () => {
  it('asks nobody: the notice that a call was cancelled', async () => {
    const { realm, client, warnings, count } = await start({ peer: LEGACY, unrefreshed: true });
    const call = watch(client.callTool('look', {}));
    await until(() => count('tools/call') === 1);
    realm.revoke();
    call.subscription.unsubscribe();
    await until(() => warnings.length > 0 || realm.authorized.length > 1);
    expect(warnings).toEqual([expect.stringContaining('notifications/cancelled could not be sent')]);
    expect([realm.authorized.length, count('notifications/cancelled')]).toEqual([1, 1]);
    await client.close();
  });

  it('goes with a token that is to be had without asking', async () => {
    const { realm, client, states, count } = await start({ peer: LEGACY });
    const call = watch(client.callTool('look', {}));
    await until(() => count('tools/call') === 1);
    realm.revoke();
    states.length = 0;
    call.subscription.unsubscribe();
    await until(() => count('notifications/cancelled') === 2);
    expect([realm.authorized.length, realm.refreshes]).toEqual([1, [200]]);
    expect(states.map(({ status }) => status)).toEqual(['refreshing', 'authorized']);
    await client.close();
  });

  it.each(['modern', 'legacy'] as const)('asks nobody: a ping, of a %s server', async (era) => {
    const { realm, client } = await start({ peer: { era }, unrefreshed: true });
    await client.promises.listTools();
    realm.revoke();
    expect(await rejection(client.promises.ping())).toMatchObject({ name: 'UnauthorizedError' });
    expect(realm.authorized).toHaveLength(1);
    // What somebody waits for asks all the same.
    await client.promises.callTool('look', {});
    expect(realm.authorized).toHaveLength(2);
    expect(await client.promises.ping()).toBe(true);
    await client.close();
  });

  it('asks nobody: the own stream of a legacy server, and it is opened when somebody has given what it lacked', async () => {
    let opened = 0;
    let isGuarded = true;
    const { realm, client, warnings } = await start({
      unrefreshed: true,
      peer: {
        era: 'legacy',
        get: (_received, response) => {
          if (isGuarded) return reply(response, 401, '', { 'www-authenticate': 'Bearer scope="stream"' });
          opened += 1;
          response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
          return undefined;
        },
      },
    });
    await client.promises.listTools();
    await until(() => warnings.length > 0 || realm.authorized.length > 1);
    expect(warnings).toEqual([expect.stringContaining("the server's own stream cannot be had")]);
    expect(realm.authorized).toHaveLength(1);
    isGuarded = false;
    await client.promises.callTool('look', {});
    expect(opened).toBe(0);
    realm.revoke();
    await client.promises.callTool('look', {});
    await until(() => opened === 1);
    expect(realm.authorized).toHaveLength(2);
    await client.close();
  });

  it('asks nobody: the notice that ends a handshake, which is sent again by the first call that waits', async () => {
    const { realm, client, count } = await start({ peer: { era: 'legacy' }, free: ['initialize', 'server/discover'] });
    expect((await client.promises.server()).era).toBe('legacy');
    await until(() => count('notifications/initialized') === 1);
    expect(realm.authorized).toHaveLength(0);
    await Promise.all([client.promises.callTool('look', {}), client.promises.callTool('pay', {})]);
    expect(realm.authorized).toHaveLength(1);
    // Refused, refused again on behalf of the calls, and let in.
    expect(count('notifications/initialized')).toBe(3);
    const order = realm.loopback.received
      .filter(({ method, headers }) => method === 'POST' && headers['authorization'] !== undefined)
      .map((received) => messageOf(received).method);
    expect(order[0]).toBe('notifications/initialized');
    await client.close();
  });
});

describe('a call in many rounds', () => {
  it('asks for no more than three authorizations, whatever the server answers between them', async () => {
    const scopes = 'abcdefghij';
    let granted = '';
    const realm = await startRealm({
      challenge: () => 'Bearer',
      routes: {
        '/mcp': (received, response) => {
          const { id, method } = messageOf(received);
          if (!realm.good.has(String(received.headers['authorization']).slice(7)))
            return reply(response, 401, '', { 'www-authenticate': 'Bearer scope="login"' });
          if (method !== 'tools/call') return modern(received, response, undefined as never);
          const got = realm.authorized.at(-1)!.get('scope') ?? '';
          const isNew = got !== granted;
          granted = got;
          const next = scopes[realm.authorized.length] ?? '';
          if (!isNew)
            return reply(response, 403, '', {
              'www-authenticate': `Bearer error="insufficient_scope", scope="${next}"`,
            });
          const inputRequests = { roots: { method: 'roots/list' } };
          return reply(response, 200, { jsonrpc: '2.0', id, result: { resultType: 'input_required', inputRequests } });
        },
      },
    });
    const authProvider = oauth({ redirectUri: REDIRECT, open: openHeadless });
    const client = connectHttp({ url: realm.url, authProvider, era: 'modern', onListRoots: () => [] });
    await client.promises.listTools();
    expect(realm.authorized).toHaveLength(1);
    expect(await rejection(client.promises.callTool('look', {}))).toMatchObject({ name: 'HttpError', status: 403 });
    expect(realm.authorized.length - 1).toBe(3);
    await client.close();
  });
});

describe('a flow for a client that is still in its handshake', () => {
  it('ends with the last call that waits for it, and its listener with it', async () => {
    const opened: string[] = [];
    const redirect = loopbackRedirect({
      open: (url) => {
        opened.push(new URL(url).searchParams.get('redirect_uri')!);
      },
    });
    const { client, states } = await start({}, redirect);
    const first = watch(client.callTool('look', {}));
    const second = watch(client.listTools());
    await until(() => opened.length === 1);
    first.subscription.unsubscribe();
    expect((await fetch(`${opened[0]!}?state=other`)).status).toBe(400);
    second.subscription.unsubscribe();
    await until(() => states.at(-1)?.status === 'failed');
    expect(states.at(-1)).toMatchObject({ error: { problem: 'cancelled' } });
    await expect(fetch(`${opened[0]!}?state=other`)).rejects.toThrow();
    const [state] = watch(client.state$).values;
    expect(state).toEqual({ status: 'idle' });
    await client.close();
  });

  it('is not begun for calls that were given up before the server asked for it, and is for the next', async () => {
    let refuse = (): void => undefined;
    const { realm, client, states } = await start({
      challenge: () => 'Bearer',
      routes: {
        '/mcp': async (_received, response) => {
          await new Promise<void>((resolve) => (refuse = resolve));
          return reply(response, 401, '', { 'www-authenticate': 'Bearer' });
        },
      },
    });
    const call = watch(client.callTool('look', {}));
    await until(() => realm.loopback.received.length === 1);
    call.subscription.unsubscribe();
    refuse();
    await until(() => watch(client.state$).values.at(-1)?.status === 'idle');
    expect(states).toEqual([]);
    const next = watch(client.listTools());
    await until(() => realm.loopback.received.length === 2);
    refuse();
    await until(() => states.length > 0);
    next.subscription.unsubscribe();
    await client.close();
  });

  it('goes on where another call comes before it is over', async () => {
    const answers: (() => void)[] = [];
    const { realm, client } = await start(
      {},
      {
        open: async (request) => {
          await new Promise<void>((resolve) => answers.push(resolve));
          return openHeadless(request);
        },
      },
    );
    const first = watch(client.callTool('look', {}));
    await until(() => answers.length === 1);
    const second = client.promises.listTools();
    first.subscription.unsubscribe();
    answers[0]!();
    expect(await second).toHaveLength(2);
    expect(realm.authorized).toHaveLength(1);
    await client.close();
  });
});
