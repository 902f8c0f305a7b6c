import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { MemoryTokenStore, oauth, type OAuthOptions } from '../../src/auth/index.js';
import { connectHttp } from '../../src/bridge/connect/http.js';
import { startGuarded } from '../support/auth/guarded.js';
import { REDIRECT } from '../support/auth/headless.js';
import { startOidc } from '../support/auth/oidc.js';
import { watch } from '../support/client/watch.js';

/** It warns of what only matters in production. */
beforeEach(() => {
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  jest.spyOn(console, 'info').mockImplementation(() => undefined);
});
afterEach(() => {
  jest.restoreAllMocks();
});

const start = async (options: Partial<OAuthOptions> = {}) => {
  const oidc = await startOidc();
  const server = await startGuarded(oidc);
  const store = new MemoryTokenStore();
  const open: OAuthOptions['open'] = ({ url, redirectUri }) => oidc.browse(url, redirectUri);
  const providerOf = () => oauth({ redirectUri: REDIRECT, store, open, ...options });
  const list = async (authProvider = providerOf()) => {
    const client = connectHttp({ url: server.url, authProvider });
    const tools = await client.promises.listTools();
    await client.close();
    return tools.length;
  };
  const key = `tokens ${oidc.origin} registered ${server.url}`;
  const expire = () => {
    store.set(key, { ...store.get(key), expiresAt: 1, refreshAt: 1 });
  };
  return { oidc, server, store, list, key, expire, providerOf };
};

describe('oidc-provider', () => {
  it('registers this client, has somebody sign in and agree, and gives tokens for the resource', async () => {
    const { list, store, key, oidc } = await start();
    expect(await list()).toBe(2);
    expect(store.get(key)).toMatchObject({ scheme: 'Bearer', asked: ['tools:read', 'offline_access'] });
    expect(store.get(key)).toHaveProperty('refreshToken');
    expect(oidc.events).toEqual(['success authorization_code']);
  });

  it('rotates refresh tokens: each is used once, by all who wait', async () => {
    const { list, store, key, oidc, expire } = await start();
    await list();
    const before = store.get(key)!;
    expire();
    expect(await Promise.all([list(), list(), list()])).toEqual([2, 2, 2]);
    const after = store.get(key)!;
    expect(after['refreshToken']).not.toBe(before['refreshToken']);
    expect(after['accessToken']).not.toBe(before['accessToken']);
    expire();
    expect(await list()).toBe(2);
    expect(oidc.events).toEqual(['success authorization_code', 'success refresh_token', 'success refresh_token']);
  });

  it('takes a refresh token that is used again for stolen, and somebody is asked anew', async () => {
    const { list, store, key, oidc, expire } = await start();
    await list();
    const { refreshToken } = store.get(key)!;
    expire();
    await list();
    store.set(key, { ...store.get(key), refreshToken, expiresAt: 1, refreshAt: 1 });
    expect(await list()).toBe(2);
    expect(oidc.events).toEqual([
      'success authorization_code',
      'success refresh_token',
      'invalid_grant refresh_token',
      'success authorization_code',
    ]);
  });

  it('binds tokens to a key, with nonces, and they are refreshed with that key by another provider', async () => {
    const { list, store, key, oidc, server, expire } = await start({ dpop: true });
    expect(await list()).toBe(2);
    expect(store.get(key)).toMatchObject({ scheme: 'DPoP', dpopKey: { kty: 'EC' } });
    expire();
    expect(await list()).toBe(2);
    expect(server.tokens.every((token) => token.startsWith('DPoP '))).toBe(true);
    expect(oidc.events).toEqual([
      'use_dpop_nonce authorization_code',
      'success authorization_code',
      'use_dpop_nonce refresh_token',
      'success refresh_token',
    ]);
  });

  it('knows a client by whatever port of this machine it comes from: it is registered once', async () => {
    const { list, store, key, oidc } = await start();
    await list();
    const client = store.get(`client ${oidc.origin}`);
    store.delete(key);
    const redirectUri = REDIRECT.replace('7777', '7778');
    const open: OAuthOptions['open'] = ({ url }) => oidc.browse(url, redirectUri);
    expect(await list(oauth({ redirectUri, store, open }))).toBe(2);
    expect(client).toMatchObject({ redirectUri: REDIRECT });
    expect(store.get(`client ${oidc.origin}`)).toEqual(client);
    expect(oidc.events).toEqual(['success authorization_code', 'success authorization_code']);
  });

  it('takes no other host for a client: it is registered anew', async () => {
    const { list, store, key, oidc } = await start();
    await list();
    store.delete(key);
    const redirectUri = REDIRECT.replace('127.0.0.1', 'localhost');
    const open: OAuthOptions['open'] = ({ url }) => oidc.browse(url, redirectUri);
    expect(await list(oauth({ redirectUri, store, open }))).toBe(2);
    expect(store.get(`client ${oidc.origin}`)).toMatchObject({ redirectUri });
  });

  it('revokes tokens when they are forgotten', async () => {
    const { list, store, key, oidc, server, providerOf, expire } = await start();
    const provider = providerOf();
    await list(provider);
    const tokens = store.get(key)!;
    expect(await watch(provider.forget(server.url)).end).toBeUndefined();
    expect(store.get(key)).toBeUndefined();
    store.set(key, tokens);
    expire();
    expect(await list()).toBe(2);
    expect(oidc.events.at(-1)).toBe('success authorization_code');
  });
});
