import { describe, expect, it, jest } from '@jest/globals';
import { NEVER, type Observable, Subject } from 'rxjs';
import {
  type AuthorizationState,
  MemoryTokenStore,
  oauth,
  type OAuthOptions,
  type TokenStore,
} from '../../src/auth/index.js';
import { connectHttp } from '../../src/bridge/connect/http.js';
import { openHeadless, REDIRECT } from '../support/auth/headless.js';
import { type Realm, type RealmOptions, startRealm } from '../support/auth/realm.js';
import { rejection, watch } from '../support/client/watch.js';
import { until } from '../support/http/turns.js';
import { reply } from '../support/http/loopback.js';

const providerOf = (options: Partial<OAuthOptions> = {}) =>
  oauth({ redirectUri: REDIRECT, open: openHeadless, ...options });

const clientOf = ({ url }: Realm, authProvider = providerOf()) => connectHttp({ url, authProvider, era: 'modern' });

const listed = async (realm: Realm, authProvider = providerOf()) => {
  const client = clientOf(realm, authProvider);
  try {
    return (await client.promises.listTools()).length;
  } finally {
    await client.close();
  }
};

/** Has the tokens that a store keeps seem to have expired. */
const expire = (store: MemoryTokenStore, key: string) => {
  store.set(key, { ...store.get(key), expiresAt: 1, refreshAt: 1 });
};

const keyOf = ({ origin, url }: Realm) => `tokens ${origin} registered ${url}`;

describe('a server that wants an authorization', () => {
  it('gets one: found out, registered for, asked for, exchanged, and shown in each state', async () => {
    const realm = await startRealm();
    const provider = providerOf();
    const states = watch(provider.states$);
    expect(await listed(realm, provider)).toBe(2);
    const common = { server: realm.url, issuer: realm.origin };
    expect(states.values).toEqual([
      { status: 'discovering', server: realm.url },
      { status: 'registering', ...common },
      { status: 'authorizing', ...common, url: expect.any(String), host: new URL(realm.origin).host },
      { status: 'exchanging', ...common },
      { status: 'authorized', ...common, scopes: [], expiresAt: expect.any(Number) },
    ]);
    const [query] = realm.authorized;
    expect(Object.fromEntries(query!)).toMatchObject({
      response_type: 'code',
      client_id: 'client-1',
      redirect_uri: REDIRECT,
      code_challenge_method: 'S256',
      resource: realm.url,
    });
    expect(query!.has('scope')).toBe(false);
    expect(Object.fromEntries(realm.asked[0]!)).toMatchObject({
      grant_type: 'authorization_code',
      resource: realm.url,
      redirect_uri: REDIRECT,
      client_id: 'client-1',
    });
    expect(realm.registered).toMatchObject([{ application_type: 'native', redirect_uris: [REDIRECT] }]);
  });

  it('gets one flow, however many calls wait for it', async () => {
    const realm = await startRealm();
    const client = clientOf(realm);
    const calls = Array.from({ length: 5 }, () => client.promises.callTool('look', {}));
    expect(await Promise.all(calls)).toHaveLength(5);
    expect([realm.registered.length, realm.authorized.length, realm.asked.length]).toEqual([1, 1, 1]);
    await client.close();
  });

  it('is given up with the last who waits, and whoever asks again begins anew', async () => {
    const realm = await startRealm();
    const signals: AbortSignal[] = [];
    const provider = providerOf({
      open: async ({ signal, url }) => {
        signals.push(signal);
        return signals.length === 1 ? new Promise<URL>(() => {}) : openHeadless({ url });
      },
    });
    const first = watch(provider.authorize(realm.url));
    const second = watch(provider.authorize(realm.url));
    await until(() => signals.length === 1);
    first.subscription.unsubscribe();
    expect(signals[0]!.aborted).toBe(false);
    second.subscription.unsubscribe();
    expect(signals[0]!.aborted).toBe(true);
    expect(await watch(provider.authorize(realm.url)).end).toBeUndefined();
    expect(signals).toHaveLength(2);
  });

  it('is asked of nobody once it was given up, whatever it was about', async () => {
    const realm = await startRealm();
    const opened: string[] = [];
    const flow: { leave?: () => void } = {};
    const provider = providerOf({
      redirectUri: () => {
        flow.leave?.();
        return REDIRECT;
      },
      client: { clientId: 'mine' },
      open: async (request) => {
        opened.push(request.url);
        return openHeadless(request);
      },
    });
    const states = watch(provider.states$);
    const seen = watch(provider.authorize(realm.url));
    flow.leave = () => {
      seen.subscription.unsubscribe();
    };
    await until(() => states.values.length > 1);
    expect(states.values).toEqual([
      { status: 'discovering', server: realm.url },
      { status: 'failed', server: realm.url, error: expect.objectContaining({ problem: 'cancelled' }) },
    ]);
    expect(opened).toEqual([]);
  });

  it.each([
    [500_000, undefined],
    [1_200_000, 1_800_000],
  ])(
    'outlasts the timeouts of the probe and of the call for %i ms while a person is asked',
    async (ms, openTimeoutMs) => {
      const realm = await startRealm();
      const asked = new Subject<string>();
      const opened: string[] = [];
      const provider = providerOf({
        openTimeoutMs,
        open: ({ url }) => {
          opened.push(url);
          return asked;
        },
      });
      jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
      try {
        const client = connectHttp({ url: realm.url, authProvider: provider });
        const call = watch(client.callTool('look', {}));
        await until(() => opened.length === 1);
        await jest.advanceTimersByTimeAsync(ms);
        expect(call.error).toBeUndefined();
        asked.next(String(await openHeadless({ url: opened[0]! })));
        asked.complete();
        await call.end;
        expect([call.error, call.values.length]).toEqual([undefined, 1]);
        await client.close();
      } finally {
        jest.useRealTimers();
      }
    },
  );

  it('is not waited for longer than openTimeoutMs', async () => {
    const realm = await startRealm();
    const provider = providerOf({ open: () => NEVER, openTimeoutMs: 1 });
    expect(await watch(provider.authorize(realm.url)).end).toMatchObject({ problem: 'denied' });
  });

  it('is an UnauthorizedError where nobody can be asked', async () => {
    const realm = await startRealm();
    const provider = oauth({ redirectUri: REDIRECT });
    const states = watch(provider.states$);
    expect(await rejection(listed(realm, provider))).toMatchObject({ name: 'UnauthorizedError' });
    expect(states.values.at(-1)).toMatchObject({ status: 'failed', error: { problem: 'denied' } });
  });

  it('is told by what is kept: another provider on the same store asks nobody', async () => {
    const realm = await startRealm();
    const store = new MemoryTokenStore();
    await listed(realm, providerOf({ store }));
    expect(await listed(realm, oauth({ redirectUri: REDIRECT, store }))).toBe(2);
    expect(realm.authorized).toHaveLength(1);
  });

  it('may be logged out of: tokens are forgotten, and revoked', async () => {
    const revoked: string[] = [];
    const realm = await startRealm({
      metadata: (origin) => ({ revocation_endpoint: `${origin}/revoke` }),
      routes: {
        '/revoke': ({ body }, response) => {
          revoked.push(body);
          return reply(response, 200);
        },
      },
    });
    const store = new MemoryTokenStore();
    const provider = providerOf({ store });
    await listed(realm, provider);
    const { refreshToken } = store.get(keyOf(realm))!;
    await watch(provider.forget(realm.url)).end;
    expect(store.get(keyOf(realm))).toBeUndefined();
    expect(revoked.map((body) => new URLSearchParams(body).get('token'))).toEqual([refreshToken]);
    expect(await listed(realm, provider)).toBe(2);
    expect(realm.authorized).toHaveLength(2);
  });

  it('steps up by what is wanted together with what was asked for before, and is not asked for more than three', async () => {
    const realm = await startRealm({ challenge: () => 'Bearer scope="read"' });
    const store = new MemoryTokenStore();
    const provider = providerOf({ store });
    await listed(realm, provider);
    const narrow = {
      ...({ url: realm.url, target: realm.url, method: 'POST', status: 403, token: undefined } as const),
      challenge: 'Bearer error="insufficient_scope", scope="write"',
    };
    const outcomes = [1, 2, 3].map(() => watch(provider.onUnauthorized(narrow) as Observable<boolean>));
    await Promise.all(outcomes.map(({ end }) => end));
    expect(realm.authorized.map((query) => query.get('scope'))).toEqual(['read', 'read write']);
    const again = watch(provider.onUnauthorized(narrow) as Observable<boolean>);
    await again.end;
    expect(again.values).toEqual([true]);
    const last = watch(provider.onUnauthorized(narrow) as Observable<boolean>);
    await last.end;
    expect(last.values).toEqual([false]);
    expect(realm.authorized).toHaveLength(3);
  });

  it.each(['Bearer error="invalid_request"', undefined])(
    'has nothing to do with another 403: %s',
    async (challenge) => {
      const provider = providerOf();
      const url = 'https://mcp.example/mcp';
      expect(provider.onUnauthorized({ url, target: url, method: 'POST', status: 403, token: 'a', challenge })).toBe(
        false,
      );
    },
  );
});

describe('tokens that expired', () => {
  const authorized = async (options: RealmOptions = {}) => {
    const realm = await startRealm(options);
    const store = new MemoryTokenStore();
    await listed(realm, providerOf({ store }));
    return { realm, store };
  };

  it('are refreshed once for twenty calls at once, by a refresh token that is good once', async () => {
    const { realm, store } = await authorized();
    expire(store, keyOf(realm));
    realm.revoke();
    const provider = providerOf({ store });
    const states: AuthorizationState[] = [];
    provider.states$.subscribe((state) => states.push(state));
    const client = clientOf(realm, provider);
    const calls = Array.from({ length: 20 }, () => client.promises.callTool('look', {}));
    expect(await Promise.all(calls)).toHaveLength(20);
    expect(realm.refreshes).toEqual([200]);
    expect(states.map(({ status }) => status)).toEqual(['refreshing', 'authorized']);
    await client.close();
  });

  it('are refreshed once for twenty calls that are refused at once', async () => {
    const { realm, store } = await authorized();
    const client = clientOf(realm, providerOf({ store }));
    await client.promises.listTools();
    realm.revoke();
    const calls = Array.from({ length: 20 }, () => client.promises.callTool('look', {}));
    expect(await Promise.all(calls)).toHaveLength(20);
    expect(realm.refreshes).toEqual([200]);
    expect(realm.authorized).toHaveLength(1);
    await client.close();
  });

  it('are refreshed once by two providers that share a store', async () => {
    const { realm, store } = await authorized();
    expire(store, keyOf(realm));
    expect(await Promise.all([1, 2, 3].map(() => listed(realm, providerOf({ store }))))).toEqual([2, 2, 2]);
    expect(realm.refreshes).toEqual([200]);
  });

  it('are kept where they were replaced while a refresh of the old ones was refused', async () => {
    const { realm, store } = await authorized();
    const key = keyOf(realm);
    const old = { ...store.get(key) };
    // Somebody who knows of no lock refreshes while we do.
    const unlocked: TokenStore = {
      get: (name) => store.get(name),
      set: (name, record) => store.set(name, record),
      delete: (name) => store.delete(name),
    };
    const other = { ...old, accessToken: 'access-other', refreshToken: 'refresh-other' };
    realm.good.add('access-other');
    store.set(key, { ...old, refreshToken: 'used', expiresAt: 1, refreshAt: 1 });
    const racing = providerOf({
      store: unlocked,
      fetch: async (input, init) => {
        if (input.endsWith('/token')) store.set(key, other);
        return fetch(input, init);
      },
    });
    expect(await listed(realm, racing)).toBe(2);
    expect(realm.refreshes).toEqual([400]);
    expect(store.get(key)).toEqual(other);
  });

  it('are forgotten where the refresh token is refused, and somebody is asked again', async () => {
    const { realm, store } = await authorized();
    store.set(keyOf(realm), { ...store.get(keyOf(realm)), refreshToken: 'used', expiresAt: 1, refreshAt: 1 });
    expect(await listed(realm, providerOf({ store }))).toBe(2);
    expect([realm.refreshes, realm.authorized.length]).toEqual([[400], 2]);
  });

  it('stay where the authorization server is out of order, and are used as long as they are good', async () => {
    let broken = false;
    const { realm, store } = await authorized();
    const key = keyOf(realm);
    const fetchOf: OAuthOptions['fetch'] = async (input, init) =>
      broken && input.endsWith('/token') ? new Response('', { status: 503 }) : fetch(input, init);
    broken = true;
    store.set(key, { ...store.get(key), refreshAt: 1 });
    expect(await listed(realm, providerOf({ store, fetch: fetchOf }))).toBe(2);
    expire(store, key);
    expect(await rejection(listed(realm, providerOf({ store, fetch: fetchOf })))).toMatchObject({
      name: 'AuthorizationError',
      problem: 'network',
    });
    broken = false;
    expect(await listed(realm, providerOf({ store, fetch: fetchOf }))).toBe(2);
    expect(realm.authorized).toHaveLength(1);
  });

  it.each([
    [404, 'Not Found', 'token'],
    [403, 'Forbidden', 'token'],
    [400, 'invalid_request', 'token'],
    [408, 'Request Timeout', 'network'],
    [400, 'temporarily_unavailable', 'network'],
    [400, 'server_error', 'network'],
  ])('stay where what answers in its place knows nothing of them: %i %s', async (status, code, problem) => {
    const { realm, store } = await authorized();
    const key = keyOf(realm);
    expire(store, key);
    let isBroken = true;
    const fetchOf: OAuthOptions['fetch'] = async (input, init) =>
      isBroken && input.endsWith('/token')
        ? new Response(JSON.stringify({ error: code }), { status, headers: { 'content-type': 'application/json' } })
        : fetch(input, init);
    const provider = oauth({ redirectUri: REDIRECT, store, fetch: fetchOf });
    const states = watch(provider.states$);
    const context = { url: realm.url, target: realm.url, method: 'POST' } as const;
    await Promise.allSettled([provider.token(context)]);
    expect(states.values.at(-1)).toMatchObject({ status: 'failed', error: { problem } });
    isBroken = false;
    expect(await provider.token(context)).toMatch(/^Bearer access-/);
    expect(realm.refreshes).toEqual([200]);
  });

  it.each([
    ['refused', { error: 'invalid_grant' }, 400, 'token'],
    ['not answered as it should be', 'nothing', 200, 'response'],
    ['not had for now', '', 503, 'network'],
  ])('are told to have failed to be refreshed where that is %s', async (_what, body, status, problem) => {
    const { realm, store } = await authorized();
    expire(store, keyOf(realm));
    const fetchOf: OAuthOptions['fetch'] = async (input, init) =>
      input.endsWith('/token')
        ? new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
        : fetch(input, init);
    const provider = oauth({ redirectUri: REDIRECT, store, fetch: fetchOf });
    const states = watch(provider.states$);
    const context = { url: realm.url, target: realm.url, method: 'POST' } as const;
    await Promise.allSettled([1, 2, 3].map(() => provider.token(context) as Promise<unknown>));
    expect(states.values).toEqual([
      { status: 'refreshing', server: realm.url, issuer: realm.origin },
      { status: 'failed', server: realm.url, error: expect.objectContaining({ problem }) },
    ]);
  });

  it('are told to be fine again, with their new end, where they were refreshed before it', async () => {
    const { realm, store } = await authorized();
    store.set(keyOf(realm), { ...store.get(keyOf(realm)), refreshAt: 1 });
    const provider = providerOf({ store });
    const states = watch(provider.states$);
    expect(await listed(realm, provider)).toBe(2);
    const common = { server: realm.url, issuer: realm.origin };
    expect(states.values).toEqual([
      { status: 'refreshing', ...common },
      { status: 'authorized', ...common, scopes: [], expiresAt: store.get(keyOf(realm))!['expiresAt'] },
    ]);
  });

  it('are told to have failed where the store cannot even be locked', async () => {
    const { realm, store } = await authorized();
    expire(store, keyOf(realm));
    const locked: TokenStore = {
      get: (key) => store.get(key),
      set: (key, record) => store.set(key, record),
      delete: (key) => store.delete(key),
      lock: () => {
        throw new Error('EROFS');
      },
    };
    const provider = providerOf({ store: locked });
    const states = watch(provider.states$);
    const failure = { problem: 'application', message: 'store.lock failed: EROFS' };
    expect(await rejection(listed(realm, provider))).toMatchObject(failure);
    expect(states.values).toMatchObject([{ status: 'failed', error: failure }]);
  });

  it('are asked for anew where there is no refresh token', async () => {
    const { realm, store } = await authorized({ unrefreshed: true });
    expire(store, keyOf(realm));
    expect(await listed(realm, providerOf({ store }))).toBe(2);
    expect([realm.refreshes, realm.authorized.length]).toEqual([[], 2]);
  });
});
