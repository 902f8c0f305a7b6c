import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Observable } from 'rxjs';
import { clientCredentials, oauth, type OAuthOptions } from '../../src/auth/index.js';
import { openHeadless, REDIRECT } from '../support/auth/headless.js';
import { type RealmOptions, startRealm } from '../support/auth/realm.js';
import { watch } from '../support/client/watch.js';
import { reply } from '../support/http/loopback.js';

const absent: NonNullable<RealmOptions['routes']>[string] = (_received, response) => reply(response, 404);

const { privateKey: KEY } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pem = KEY.export({ type: 'pkcs8', format: 'pem' }) as string;

const RESOURCE = '/.well-known/oauth-protected-resource';
const SERVER = '/.well-known/oauth-authorization-server';
const OPENID = '/.well-known/openid-configuration';

const authorized = async (realmOptions: RealmOptions, options: Partial<OAuthOptions> = {}) => {
  const realm = await startRealm(realmOptions);
  const seen = watch(oauth({ redirectUri: REDIRECT, open: openHeadless, ...options }).authorize(realm.url));
  const error = await seen.end;
  const paths = realm.loopback.received.map(({ path }) => path.split('?')[0]);
  return { realm, error, paths };
};

/** What a server of MCP 2025-03-26 lacks. */
const OLD = { [`${RESOURCE}/mcp`]: absent, [RESOURCE]: absent };

describe('a server of MCP 2025-03-26', () => {
  it('is its own authorization server, with metadata at its origin; no resource is named', async () => {
    const { realm, error, paths } = await authorized({ routes: OLD });
    expect(error).toBeUndefined();
    expect(paths).toEqual([`${RESOURCE}/mcp`, RESOURCE, SERVER, '/register', '/authorize', '/token']);
    expect(realm.authorized[0]!.has('resource')).toBe(false);
    expect(realm.asked[0]!.has('resource')).toBe(false);
  });

  it('has its endpoints at known places where it has no metadata either', async () => {
    const { realm, error, paths } = await authorized({ routes: { ...OLD, [SERVER]: absent, [OPENID]: absent } });
    expect(error).toBeUndefined();
    expect(paths.slice(2)).toEqual([SERVER, OPENID, '/register', '/authorize', '/token']);
    expect(realm.authorized[0]!.get('code_challenge_method')).toBe('S256');
  });

  const NOTHING = { ...OLD, [SERVER]: absent, [OPENID]: absent };
  const page: typeof absent = (_received, response) => reply(response, 200, '<html>', { 'content-type': 'text/html' });
  const guard: typeof absent = (_received, response) => reply(response, 401, 'no key');

  it.each([
    ['is nothing at all', { '/register': absent, '/token': absent }, {}],
    ['is a page wherever one looks', { '/register': page, '/token': page }, {}],
    ['is a guard before everything', { '/register': guard, '/token': guard }, {}],
    ['is no token endpoint', { '/token': absent }, {}],
    ['is none for a client that was registered', { '/token': absent }, { client: { clientId: 'mine' } }],
  ])('is told as one that says nothing of its authorization where there %s', async (_what, routes, options) => {
    const { error } = await authorized({ routes: { ...NOTHING, ...routes } }, options);
    expect(error).toMatchObject({
      ...{ name: 'AuthorizationError', problem: 'discovery' },
      message: expect.stringMatching(/has metadata, and .*give that in headers.*give client/),
    });
  });

  it('is told as one that says nothing to a program of its own, too', async () => {
    const realm = await startRealm({ routes: { ...NOTHING, '/token': absent } });
    const privateKey = { pem, algorithm: 'ES256' };
    const provider = clientCredentials({ client: { clientId: 'mine', privateKey } });
    expect(await watch(provider.authorize(realm.url)).end).toMatchObject({ problem: 'discovery' });
  });

  it('is told what it refuses where it is an authorization server', async () => {
    const refusal: typeof absent = (_received, response) => reply(response, 400, { error: 'invalid_client_metadata' });
    const { error } = await authorized({ routes: { ...NOTHING, '/register': refusal } });
    expect(error).toMatchObject({ problem: 'client', code: 'invalid_client_metadata' });
  });

  it.each([
    [{ issuer: 'https://evil.example' }, 'issuer'],
    [{ code_challenge_methods_supported: undefined }, 'pkce'],
    [{ authorization_endpoint: 'http://as.example/' }, 'url'],
  ])('is refused where its metadata is not to be used: %j', async (metadata, problem) => {
    const { realm, error } = await authorized({ routes: OLD, metadata: () => metadata });
    expect(error).toMatchObject({ problem });
    expect([realm.registered, realm.authorized]).toEqual([[], []]);
  });

  it.each([[RESOURCE], [SERVER], [OPENID]])('is not taken for one where %s is out of order', async (path) => {
    const broken: typeof absent = (_received, response) => reply(response, 503);
    const { realm, error } = await authorized({
      routes: { ...OLD, [SERVER]: absent, [OPENID]: absent, [path]: broken },
    });
    expect(error).toMatchObject({ problem: 'discovery', message: expect.stringContaining('503') });
    expect([realm.registered, realm.authorized]).toEqual([[], []]);
  });
});

describe('the metadata of a server', () => {
  it('is read where the challenge points, and then where it belongs', async () => {
    const realm = await startRealm({
      routes: { '/elsewhere': (_received, response) => reply(response, 200, '<html>') },
    });
    const provider = oauth({ redirectUri: REDIRECT, open: openHeadless });
    const challenge = `Bearer resource_metadata="${realm.origin}/elsewhere"`;
    const context = { url: realm.url, target: realm.url, method: 'POST', status: 401, token: undefined } as const;
    await watch(provider.onUnauthorized({ ...context, challenge }) as Observable<boolean>).end;
    const seen = realm.loopback.received.map(({ path }) => path);
    expect(seen.slice(0, 2)).toEqual(['/elsewhere', `${RESOURCE}/mcp`]);
  });

  it('is followed where it is redirected within its origin, credentials apart, and not for ever', async () => {
    const { error } = await authorized({
      routes: {
        [SERVER]: ({ headers }, response) =>
          reply(response, 302, '', { location: `http://a:b@${String(headers['host'])}${OPENID}` }),
        [OPENID]: ({ headers }, response) => {
          const origin = `http://${String(headers['host'])}`;
          return reply(response, 200, {
            ...{ issuer: origin, authorization_endpoint: `${origin}/authorize`, token_endpoint: `${origin}/token` },
            ...{ registration_endpoint: `${origin}/register`, code_challenge_methods_supported: ['S256'] },
          });
        },
      },
    });
    expect(error).toBeUndefined();
    const round = await authorized({
      routes: { [SERVER]: (_received, response) => reply(response, 302, '', { location: SERVER }), [OPENID]: absent },
    });
    expect(round.error).toMatchObject({ problem: 'discovery', message: expect.stringContaining('redirects') });
    expect(round.paths.filter((path) => path === SERVER)).toHaveLength(4);
  });
});
