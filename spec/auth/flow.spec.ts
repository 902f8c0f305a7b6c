import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { concat, from, NEVER, of, throwError } from 'rxjs';
import { type AuthorizationState, MemoryTokenStore, oauth, type TokenStore } from '../../src/auth/index.js';
import { Store } from '../../src/auth/flow.js';
import { Refresher, type Refreshing } from '../../src/auth/refresher.js';
import type { Tokens } from '../../src/auth/records.js';
import { connectHttp } from '../../src/bridge/connect/http.js';
import { openHeadless, REDIRECT } from '../support/auth/headless.js';
import { type Realm, startRealm } from '../support/auth/realm.js';
import { rejection, watch } from '../support/client/watch.js';
import { until } from '../support/http/turns.js';

const failing = (message: string) => (): never => {
  throw new Error(message);
};

/** A store in memory, some of whose members do otherwise. */
const storeWith = (own: Partial<TokenStore>): { readonly memory: MemoryTokenStore; readonly store: TokenStore } => {
  const memory = new MemoryTokenStore();
  const store = {
    get: (key: string) => memory.get(key),
    set: (key: string, record: Record<string, unknown>) => {
      memory.set(key, record);
    },
    delete: (key: string) => {
      memory.delete(key);
    },
    ...own,
  };
  return { memory, store };
};

/** How some calls with one provider end, one after another. */
const calls = async (realm: Realm, store: TokenStore, count: number): Promise<readonly unknown[]> => {
  const authProvider = oauth({ redirectUri: REDIRECT, open: openHeadless, store });
  const client = connectHttp({ url: realm.url, authProvider, era: 'modern' });
  const ends: unknown[] = [];
  for (let n = 0; n < count; n += 1)
    ends.push(
      await client.promises.callTool('look', {}).then(
        () => 'answered',
        (reason: unknown) => String(reason),
      ),
    );
  await client.close();
  return ends;
};

const keyOf = ({ origin, url }: Realm) => `tokens ${origin} registered ${url}`;

describe('a store that keeps nothing', () => {
  it.each([
    ['whose disk is full', { set: failing('ENOSPC') }, /store\.set failed: ENOSPC/],
    ['that cannot be locked', { lock: failing('EROFS') }, /store\.lock failed: EROFS/],
    ['whose lock fails', { lock: () => throwError(() => new Error('EROFS')) }, /store\.lock failed: EROFS/],
  ])('%s is told, and nobody is asked twice', async (_what, own, message) => {
    const realm = await startRealm();
    const ends = await calls(realm, storeWith(own).store, 4);
    const told = ends.filter((end) => end !== 'answered');
    for (const end of told) expect(end).toMatch(message);
    expect(told.length).toBeGreaterThan(0);
    expect(ends.at(-1)).toBe('answered');
    expect([realm.registered.length, realm.authorized.length]).toEqual([1, 1]);
  });

  it('loses no tokens that were refreshed: what brought them is used up', async () => {
    const realm = await startRealm();
    const { memory, store } = storeWith({});
    await calls(realm, store, 1);
    memory.set(keyOf(realm), { ...memory.get(keyOf(realm)), expiresAt: 1, refreshAt: 1 });
    const full = { ...store, set: failing('ENOSPC') };
    expect(await calls(realm, full, 3)).toEqual([expect.stringMatching(/ENOSPC/), 'answered', 'answered']);
    expect([realm.refreshes, realm.authorized.length]).toEqual([[200], 1]);
  });

  it('gives way to what somebody else has kept since', async () => {
    let isFull = true;
    const { memory, store } = storeWith({});
    const full: TokenStore = {
      ...store,
      set: (key, record) => {
        if (isFull) throw new Error('ENOSPC');
        memory.set(key, record);
      },
    };
    const kept = new Store(full);
    memory.set('a', { n: 1 });
    await rejection(kept.set('a', { n: 2 }));
    expect(await kept.get('a')).toEqual({ n: 2 });
    memory.set('a', { n: 3 });
    expect(await kept.get('a')).toEqual({ n: 3 });
    memory.set('a', { n: 1 });
    expect(await kept.get('a')).toEqual({ n: 1 });
    await rejection(kept.set('a', { n: 4 }));
    isFull = false;
    await kept.keep('a', { n: 5 });
    expect([await kept.get('a'), memory.get('a')]).toEqual([{ n: 5 }, { n: 5 }]);
    isFull = true;
    await rejection(kept.keep('a', { n: 6 }));
    await kept.delete('a');
    expect(await kept.get('a')).toBeUndefined();
  });
});

describe('a store that does not answer', () => {
  afterEach(() => void jest.useRealTimers());

  it.each([
    ['store.get', { get: () => NEVER }, (store: Store) => store.get('a')],
    ['store.get', { get: () => concat(of(undefined), NEVER) }, (store: Store) => store.get('a')],
    ['store.set', { set: () => NEVER }, (store: Store) => store.set('a', {})],
    ['store.delete', { delete: () => new Promise<void>(() => undefined) }, (store: Store) => store.delete('a')],
    ['store.lock', { lock: () => NEVER }, (store: Store) => store.locked('a', () => Promise.resolve())],
  ])('has failed: %s', async (culprit, own, ask) => {
    jest.useFakeTimers();
    const failed = watch(from(ask(new Store(storeWith(own).store))));
    await jest.advanceTimersByTimeAsync(59_999);
    expect(failed.error).toBeUndefined();
    await jest.advanceTimersByTimeAsync(1);
    expect(failed.error).toMatchObject({
      ...{ name: 'AuthorizationError', problem: 'application' },
      message: `${culprit} failed: it has not answered within 60 s`,
    });
  });

  it('is asked again by the next one who needs a refresh', async () => {
    jest.useFakeTimers();
    let asked = 0;
    const get = (): typeof NEVER | undefined => (asked++ === 0 ? NEVER : undefined);
    const refresher = new Refresher(new Store(storeWith({ get }).store));
    const refresh = (): Promise<unknown> => refresher.refresh('a', {} as Tokens, {} as Refreshing);
    const ended = Promise.all([rejection(refresh()), rejection(refresh())]);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(await ended).toEqual([expect.objectContaining({ problem: 'application' }), expect.anything()]);
    expect(await refresh()).toBeUndefined();
    expect(asked).toBe(2);
  });

  it('holds a lock as long as the work takes, however long that is', async () => {
    jest.useFakeTimers();
    const { memory, store } = storeWith({});
    const locking = new Store({ ...store, lock: (key) => memory.lock(key) });
    const done = locking.locked('a', () => new Promise((resolve) => setTimeout(resolve, 90_000, 'done')));
    await jest.advanceTimersByTimeAsync(90_000);
    expect(await done).toBe('done');
  });
});

describe('a store that is odd', () => {
  it.each([5, 'text', [], [1], { accessToken: 5 }, { nothing: true }, null])(
    'has nothing where it has something else: %j',
    async (junk) => {
      const realm = await startRealm();
      const { memory, store } = storeWith({});
      const odd = { ...store, get: (key: string) => memory.get(key) ?? (junk as never) };
      expect(await calls(realm, odd, 2)).toEqual(['answered', 'answered']);
      expect(realm.authorized).toHaveLength(1);
    },
  );

  it('that never answers ends with the call', async () => {
    const realm = await startRealm();
    const { store } = storeWith({ get: () => NEVER });
    const client = connectHttp({
      url: realm.url,
      authProvider: oauth({ redirectUri: REDIRECT, store }),
      era: 'modern',
    });
    const ended = rejection(client.promises.callTool('look', {}));
    await client.close();
    expect(await ended).toMatchObject({ name: 'TransportClosedError' });
  });

  it.each([
    ['store.get', { get: failing('lost') }, {}],
    ['store.set', { set: failing('lost') }, { redirectUri: REDIRECT }],
    ['redirectUri', {}, {}],
    ['open', {}, { redirectUri: REDIRECT, open: failing('lost') }],
  ])('or other code of the application’s that throws is told in a last state: %s', async (culprit, own, options) => {
    const realm = await startRealm();
    const { store } = storeWith(own);
    const provider = oauth({ redirectUri: failing('lost'), open: openHeadless, store, ...options });
    const states = watch(provider.states$);
    const error = await watch(provider.authorize(realm.url)).end;
    const failure = {
      ...{ name: 'AuthorizationError', problem: 'application', cause: new Error('lost') },
      message: `${culprit} failed: lost`,
    };
    expect(error).toMatchObject(failure);
    expect(states.values.at(-1)).toEqual({ status: 'failed', server: realm.url, error });
    const client = connectHttp({ url: realm.url, authProvider: provider, era: 'modern' });
    const told = states.values.length;
    if (culprit !== 'store.set') {
      expect(await rejection(client.promises.listTools())).toMatchObject(failure);
      expect(states.values.slice(told).at(-1)).toMatchObject({ status: 'failed', error: failure });
    }
    await client.close();
  });
});

describe('tokens that are forgotten while they are refreshed', () => {
  it('are not used again, and the new ones are revoked', async () => {
    const revoked: (string | null)[] = [];
    let answer = (): void => undefined;
    const realm = await startRealm({
      metadata: (origin) => ({ revocation_endpoint: `${origin}/revoke` }),
      routes: {
        '/revoke': ({ body }, response) => {
          revoked.push(new URLSearchParams(body).get('token'));
          response.writeHead(200).end();
        },
        '/token': async ({ body }, response) => {
          const isRefresh = body.includes('grant_type=refresh_token');
          if (isRefresh) await new Promise<void>((resolve) => (answer = resolve));
          const name = isRefresh ? 'second' : 'first';
          response.writeHead(200, { 'content-type': 'application/json' });
          response.end(JSON.stringify({ access_token: name, token_type: 'Bearer', refresh_token: `${name} again` }));
        },
      },
    });
    const store = new MemoryTokenStore();
    const provider = oauth({ redirectUri: REDIRECT, open: openHeadless, store });
    await watch(provider.authorize(realm.url)).end;
    store.set(keyOf(realm), { ...store.get(keyOf(realm)), expiresAt: 1, refreshAt: 1 });
    const other = oauth({ redirectUri: REDIRECT, store });
    const states: AuthorizationState[] = [];
    other.states$.subscribe((state) => states.push(state));
    const context = { url: realm.url, target: realm.url, method: 'POST' } as const;
    const token = other.token(context) as Promise<unknown>;
    await until(() => realm.loopback.received.filter(({ path }) => path === '/token').length === 2);
    const forgotten = watch(other.forget(realm.url)).end;
    answer();
    await Promise.all([token, forgotten]);
    expect(await other.token(context)).toBeUndefined();
    expect(store.get(keyOf(realm))).toBeUndefined();
    expect(revoked).toEqual(['second again']);
  });
});
