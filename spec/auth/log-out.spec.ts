import { describe, expect, it } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import type { Observable } from 'rxjs';
import { type AuthorizationState, MemoryTokenStore, oauth, type TokenStore } from '../../src/auth/index.js';
import { openHeadless, REDIRECT } from '../support/auth/headless.js';
import { type Realm, type RealmOptions, startRealm } from '../support/auth/realm.js';
import { rejection, watch } from '../support/client/watch.js';
import { type Received, reply } from '../support/http/loopback.js';
import { until } from '../support/http/turns.js';

const keyOf = ({ origin, url }: Realm) => `tokens ${origin} registered ${url}`;
const contextOf = ({ url }: Realm) => ({ url, target: url, method: 'POST' }) as const;

/** A realm that takes note of what is revoked, and whose token endpoint may be held up. */
const revoking = async (hold: (received: Received) => Promise<void> | undefined = () => undefined) => {
  const revoked: (string | null)[] = [];
  let count = 0;
  const options: RealmOptions = {
    metadata: (origin) => ({ revocation_endpoint: `${origin}/revoke` }),
    routes: {
      '/revoke': ({ body }: Received, response: ServerResponse) => {
        revoked.push(new URLSearchParams(body).get('token'));
        response.writeHead(200).end();
      },
      '/token': async (received: Received, response: ServerResponse) => {
        count += 1;
        const name = `token-${String(count)}`;
        await hold(received);
        return reply(response, 200, { access_token: name, token_type: 'Bearer', refresh_token: `${name}-again` });
      },
    },
  };
  return { realm: await startRealm(options), revoked };
};

describe('a log-out', () => {
  it('while a code is exchanged holds: what it brings is revoked, and kept nowhere', async () => {
    let answer = (): void => undefined;
    const { realm, revoked } = await revoking(() => new Promise<void>((resolve) => (answer = resolve)));
    const store = new MemoryTokenStore();
    const provider = oauth({ redirectUri: REDIRECT, open: openHeadless, store });
    const states: AuthorizationState[] = [];
    provider.states$.subscribe((state) => states.push(state));
    const waiting = watch(provider.authorize(realm.url));
    await until(() => realm.loopback.received.some(({ path }) => path === '/token'));
    await watch(provider.forget(realm.url)).end;
    answer();
    expect(await waiting.end).toMatchObject({ name: 'AuthorizationError', problem: 'cancelled' });
    expect(states.at(-1)).toMatchObject({ status: 'failed', error: { problem: 'cancelled' } });
    await until(() => revoked.length > 0);
    expect(revoked).toEqual(['token-1-again']);
    expect(store.get(keyOf(realm))).toBeUndefined();
    expect(await provider.token(contextOf(realm))).toBeUndefined();
    // Whoever logs in again is.
    const again = watch(provider.authorize(realm.url));
    await until(() => realm.loopback.received.filter(({ path }) => path === '/token').length === 2);
    answer();
    expect(await again.end).toBeUndefined();
    expect(await provider.token(contextOf(realm))).toBe('Bearer token-2');
  });

  it('while refused tokens are refreshed holds', async () => {
    let answer = (): void => undefined;
    const { realm, revoked } = await revoking(({ body }) =>
      body.includes('grant_type=refresh_token') ? new Promise<void>((resolve) => (answer = resolve)) : undefined,
    );
    const store = new MemoryTokenStore();
    const provider = oauth({ redirectUri: REDIRECT, open: openHeadless, store });
    await watch(provider.authorize(realm.url)).end;
    const refusal = { ...contextOf(realm), status: 401, challenge: undefined, token: 'Bearer token-1' } as const;
    const renewed = watch(provider.onUnauthorized(refusal) as Observable<boolean>);
    await until(() => realm.loopback.received.filter(({ path }) => path === '/token').length === 2);
    const forgotten = watch(provider.forget(realm.url)).end;
    answer();
    await Promise.all([renewed.end, forgotten]);
    expect(renewed.values).not.toContain(true);
    expect(revoked).toEqual(['token-2-again']);
    expect(await provider.token(contextOf(realm))).toBeUndefined();
    expect(store.get(`server ${realm.url} registered`)).toBeUndefined();
  });

  it('holds although the store has yet to answer who asked before', async () => {
    const { realm } = await revoking();
    const memory = new MemoryTokenStore();
    await watch(oauth({ redirectUri: REDIRECT, open: openHeadless, store: memory }).authorize(realm.url)).end;
    let isSlow = false;
    let answer = (): void => undefined;
    const store: TokenStore = {
      get: async (key) => {
        const record = memory.get(key);
        if (isSlow && key.startsWith('tokens ')) {
          isSlow = false;
          await new Promise<void>((resolve) => (answer = resolve));
        }
        return record;
      },
      set: (key, record) => memory.set(key, record),
      delete: (key) => memory.delete(key),
    };
    const provider = oauth({ redirectUri: REDIRECT, store });
    isSlow = true;
    const early = provider.token(contextOf(realm)) as Promise<unknown>;
    await until(() => !isSlow);
    await watch(provider.forget(realm.url)).end;
    answer();
    await early;
    expect(await provider.token(contextOf(realm))).toBeUndefined();
  });

  it.each(['get', 'delete'] as const)('from a store that fails (%s) is told, and revokes what can be', async (name) => {
    const { realm, revoked } = await revoking();
    const memory = new MemoryTokenStore();
    let isBroken = false;
    const store: TokenStore = {
      get: (key) => memory.get(key),
      set: (key, record) => memory.set(key, record),
      delete: (key) => memory.delete(key),
    };
    const broken: TokenStore = {
      ...store,
      [name]: (key: string) => {
        if (isBroken) throw new Error('EROFS');
        return memory[name](key);
      },
    };
    const provider = oauth({ redirectUri: REDIRECT, open: openHeadless, store: broken });
    await watch(provider.authorize(realm.url)).end;
    isBroken = true;
    expect(await watch(provider.forget(realm.url)).end).toMatchObject({
      problem: 'application',
      cause: Error('EROFS'),
    });
    if (name === 'delete') expect(revoked).toEqual(['token-1-again']);
    // What is at hand is forgotten in any case.
    else
      expect(await rejection(provider.token(contextOf(realm)) as Promise<unknown>)).toMatchObject({
        cause: Error('EROFS'),
      });
  });
});
