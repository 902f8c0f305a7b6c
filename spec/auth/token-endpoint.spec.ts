import { describe, expect, it } from '@jest/globals';
import { MemoryTokenStore, oauth, type OAuthOptions } from '../../src/auth/index.js';
import { openHeadless, REDIRECT } from '../support/auth/headless.js';
import { type Realm, startRealm } from '../support/auth/realm.js';
import { watch } from '../support/client/watch.js';
import { reply } from '../support/http/loopback.js';

/** What an authorization ends with where the token endpoint answers as it is told, and what is kept of it. */
const answered = async (
  status: number,
  body: object,
  { headers, ...options }: Partial<OAuthOptions> & { readonly headers?: Readonly<Record<string, string>> } = {},
) => {
  const realm = await startRealm({
    metadata: () => ({ dpop_signing_alg_values_supported: ['ES256'] }),
    routes: { '/token': (_received, response) => reply(response, status, body, headers) },
  });
  const store = new MemoryTokenStore();
  const seen = watch(oauth({ redirectUri: REDIRECT, open: openHeadless, store, ...options }).authorize(realm.url));
  const error = await seen.end;
  return { error, realm, store, kept: store.get(keyOf(realm)) };
};

const keyOf = ({ origin, url }: Realm) => `tokens ${origin} registered ${url}`;

const GOOD = { access_token: 'good', token_type: 'Bearer', expires_in: 3_600, refresh_token: 'again', scope: 'a b' };

describe('what a token endpoint gives', () => {
  it.each([
    [{ expires_in: null }, 'expiresAt'],
    [{ expires_in: 0 }, 'expiresAt'],
    [{ expires_in: -1 }, 'expiresAt'],
    [{ expires_in: 'soon' }, 'expiresAt'],
    [{ expires_in: 1e308 }, 'expiresAt'],
    [{ expires_in: 9e15 }, 'expiresAt'],
    [{ refresh_token: null }, 'refreshToken'],
    [{ refresh_token: '' }, 'refreshToken'],
    [{ refresh_token: 5 }, 'refreshToken'],
    [{ id_token: 'none' }, 'idToken'],
  ])('is used without what might as well be absent: %j', async (odd, member) => {
    const { error, kept } = await answered(200, { ...GOOD, ...odd });
    expect(error).toBeUndefined();
    expect(kept).toMatchObject({ accessToken: 'good' });
    expect(kept).not.toHaveProperty(member);
  });

  it.each([[null], [['a']], ['']])('is for the scopes that were asked for where it names none: %j', async (scope) => {
    const { kept } = await answered(200, { ...GOOD, scope }, { scopes: ['mine'] });
    expect(kept).toMatchObject({ scopes: ['mine'] });
  });

  it('is good for as long as it says, be that a text', async () => {
    const { kept } = await answered(200, { ...GOOD, expires_in: '3600' });
    expect(kept).toMatchObject({ expiresAt: expect.any(Number), scopes: ['a', 'b'] });
  });

  it.each([
    [{ access_token: 'a\r\nx: y' }, {}],
    [{ access_token: 'two words' }, {}],
    [{ access_token: 'tökén' }, {}],
    [{ access_token: '' }, {}],
    [{ access_token: undefined }, {}],
    [{ token_type: undefined }, {}],
    [{ token_type: 'mac' }, {}],
    [{ token_type: 'N_A' }, {}],
    [{ token_type: 'DPoP' }, {}],
    [{ token_type: 'Bearer' }, { dpop: true }],
  ])('is refused, and not kept, where no request can be made with it: %j', async (odd, options) => {
    const { error, realm, kept } = await answered(200, { ...GOOD, ...odd }, options);
    expect(error).toMatchObject({ name: 'AuthorizationError', problem: 'response', issuer: realm.origin });
    expect(JSON.stringify([error, String(error)])).not.toMatch(/again|two words|kén/);
    expect(kept).toBeUndefined();
  });
});

describe('a refusal of a token endpoint', () => {
  it.each([{}, { 'www-authenticate': 'Basic realm="tokens"' }])(
    'is told by its code, and a client that is not known is forgotten: %j',
    async (headers) => {
      const { error, realm, store } = await answered(401, { error: 'invalid_client' }, { headers });
      expect(error).toMatchObject({ problem: 'token', code: 'invalid_client' });
      expect(store.get(`client ${realm.origin}`)).toBeUndefined();
    },
  );

  it('leaves a client alone that it says nothing of', async () => {
    const { realm, store } = await answered(400, { error: 'invalid_grant' });
    expect(store.get(`client ${realm.origin}`)).toBeDefined();
  });

  it('has the client registered anew that is not known any longer at a refresh', async () => {
    let knows = true;
    const realm = await startRealm({
      routes: {
        '/token': (_received, response) =>
          knows
            ? reply(response, 200, GOOD)
            : reply(response, 401, { error: 'invalid_client' }, { 'www-authenticate': 'Basic realm="tokens"' }),
      },
    });
    realm.good.add('good');
    const store = new MemoryTokenStore();
    const provider = oauth({ redirectUri: REDIRECT, open: openHeadless, store });
    await watch(provider.authorize(realm.url)).end;
    const key = keyOf(realm);
    store.set(key, { ...store.get(key), expiresAt: 1, refreshAt: 1 });
    knows = false;
    const again = oauth({ redirectUri: REDIRECT, open: openHeadless, store });
    expect(await again.token({ url: realm.url, target: realm.url, method: 'POST' })).toBeUndefined();
    expect([store.get(key), store.get(`client ${realm.origin}`)]).toEqual([undefined, undefined]);
  });

  it('does not bring to light what it was told in confidence', async () => {
    const echoed: string[] = [];
    for (const pick of [
      (body: URLSearchParams) => body.get('code'),
      (body: URLSearchParams) => body.get('code_verifier'),
      (_body: URLSearchParams, authorization: string) => authorization.split(' ')[1],
      () => 'hid/d e+n',
      // As it was sent, in a form, and as it was put together for the header.
      () => 'hid%2Fd+e%2Bn',
      () => '100% of client_secret=hid%2Fd%20e%2Bn',
      (_body: URLSearchParams, authorization: string) =>
        Buffer.from(authorization.split(' ')[1] ?? '', 'base64').toString(),
    ]) {
      const realm = await startRealm({
        routes: {
          '/token': ({ body, headers }, response) => {
            const secret = pick(new URLSearchParams(body), String(headers['authorization'])) ?? '';
            echoed.push(secret);
            return reply(response, 400, { error: 'invalid_request', error_description: `refused: ${secret}` });
          },
        },
      });
      const client = { clientId: 'mine', clientSecret: 'hid/d e+n' };
      const error = await watch(oauth({ redirectUri: REDIRECT, open: openHeadless, client }).authorize(realm.url)).end;
      expect(error).toMatchObject({ problem: 'token', code: 'invalid_request' });
      expect(echoed.at(-1)).not.toBe('');
      expect(String(error)).not.toContain(echoed.at(-1));
    }
  });
});
