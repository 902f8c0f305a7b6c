import { describe, expect, it } from '@jest/globals';
import { AuthorizationError, MemoryTokenStore, oauth, type OAuthOptions } from '../../src/auth/index.js';
import { isOfUse, preRegistered } from '../../src/auth/clients.js';
import { openHeadless, REDIRECT } from '../support/auth/headless.js';
import { type RealmOptions, startRealm } from '../support/auth/realm.js';
import { watch } from '../support/client/watch.js';
import { reply } from '../support/http/loopback.js';

const metadata = { issuer: 'https://as.example' };

const authorized = async (realmOptions: RealmOptions, options: Partial<OAuthOptions> = {}) => {
  const realm = await startRealm(realmOptions);
  const seen = watch(oauth({ redirectUri: REDIRECT, open: openHeadless, ...options }).authorize(realm.url));
  return { realm, error: await seen.end };
};

/** Answers registrations by a list, and writes down what came. */
const registering = (answers: readonly (readonly [status: number, body: object | string])[]) => {
  const came: Record<string, unknown>[] = [];
  const routes: RealmOptions['routes'] = {
    '/register': ({ body }, response) => {
      came.push(JSON.parse(body) as Record<string, unknown>);
      const [status, answer] = answers[came.length - 1]!;
      return reply(response, status, answer);
    },
  };
  return { came, routes };
};

describe('a client that was registered beforehand', () => {
  it.each([
    [{}, undefined, 'none'],
    [{ clientSecret: 'a' }, undefined, 'client_secret_basic'],
    [{ clientSecret: 'a' }, ['client_secret_post', 'client_secret_basic'], 'client_secret_basic'],
    [{ clientSecret: 'a' }, ['client_secret_post'], 'client_secret_post'],
    [{ clientSecret: 'a' }, ['private_key_jwt'], 'client_secret_basic'],
    [{ privateKey: { pem: 'a', algorithm: 'ES256' } }, undefined, 'private_key_jwt'],
    [{ clientSecret: 'a', method: 'client_secret_post' as const }, undefined, 'client_secret_post'],
  ])('says who it is as it can, and as is taken: %j, %j', (client, methods, method) => {
    const made = preRegistered(
      { clientId: 'mine', ...client },
      { ...metadata, ...(methods && { token_endpoint_auth_methods_supported: methods }) },
    );
    expect(made).toMatchObject({ clientId: 'mine', method });
    expect(made).not.toHaveProperty('privateKey');
  });

  it('is told to the first authorization server it meets, and to no other after that', async () => {
    const store = new MemoryTokenStore();
    const other = await startRealm();
    let moved = false;
    const realm = await startRealm({
      resource: (origin) => ({ authorization_servers: [moved ? other.origin : origin] }),
    });
    const provider = oauth({ redirectUri: REDIRECT, open: openHeadless, store, client: { clientId: 'mine' } });
    expect(await watch(provider.authorize(realm.url)).end).toBeUndefined();
    moved = true;
    expect(await watch(provider.authorize(realm.url)).end).toMatchObject({ problem: 'client', issuer: other.origin });
    expect([other.authorized, other.asked]).toEqual([[], []]);
  });
});

describe('a registration', () => {
  it('says what the application says of itself, but for its redirect', async () => {
    const { came, routes } = registering([[201, { client_id: 'a' }]]);
    const clientMetadata = { client_name: 'Agent', redirect_uris: ['https://evil.example'] };
    await authorized({ routes }, { clientMetadata });
    expect(came).toEqual([
      {
        client_name: 'Agent',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        application_type: 'native',
        token_endpoint_auth_method: 'none',
        redirect_uris: [REDIRECT],
      },
    ]);
  });

  it.each([
    ['https://app.example/callback', ['web', 'native']],
    ['http://localhost:1/callback', ['native', 'web']],
    ['app.example:/callback', ['native', 'web']],
  ])(
    'is of the type of its redirect, and tried once as the other where that is refused: %s',
    async (redirectUri, types) => {
      const refused = [400, { error: 'invalid_redirect_uri' }] as const;
      const { came, routes } = registering([refused, refused]);
      const { error, realm } = await authorized({ routes }, { redirectUri });
      expect(came.map((body) => body['application_type'])).toEqual(types);
      expect(error).toMatchObject({
        problem: 'client',
        code: 'invalid_redirect_uri',
        message: expect.stringContaining(redirectUri),
      });
      expect(realm.authorized).toEqual([]);
    },
  );

  it('may succeed as the other type', async () => {
    const { came, routes } = registering([
      [400, { error: 'invalid_client_metadata' }],
      [200, { client_id: 'b' }],
    ]);
    const { error, realm } = await authorized({ routes });
    expect([error, came.length]).toEqual([undefined, 2]);
    expect(realm.authorized[0]!.get('client_id')).toBe('b');
  });

  it.each([
    [403, { error: 'access_denied', error_description: 'by invitation' }, 'client', /access_denied \(by invitation\)/],
    [404, 'Not Found', 'client', /answered 404/],
    [201, {}, 'client', /without an id/],
    [503, '', 'network', /503/],
  ])('that fails with %i %j is told, and not repeated', async (status, body, problem, message) => {
    const { came, routes } = registering([[status, body]]);
    const { error } = await authorized({ routes });
    expect(error).toMatchObject({ problem, message: expect.stringMatching(message) });
    expect(came).toHaveLength(1);
  });

  it.each([
    [['https://evil.example/callback'], 'client'],
    [['http://127.0.0.1:7777/other'], 'client'],
    [['nowhere', 5], 'client'],
    [['http://127.0.0.1/callback'], undefined],
    [['https://app.example/callback', REDIRECT], undefined],
    [[], undefined],
  ])('that answers with redirect URIs is of use where this client’s is among them: %j', async (uris, problem) => {
    const { routes } = registering([[201, { client_id: 'a', redirect_uris: uris }]]);
    const { error, realm } = await authorized({ routes });
    if (problem === undefined) expect(error).toBeUndefined();
    else expect(error).toMatchObject({ problem, message: expect.stringContaining(REDIRECT) });
    expect(realm.authorized).toHaveLength(problem === undefined ? 1 : 0);
  });

  it.each([0, -1, 1e308, null, 'never'])('is kept where it never runs out: %j', async (expires) => {
    const { routes } = registering([[201, { client_id: 'a', client_secret: 'b', client_secret_expires_at: expires }]]);
    const store = new MemoryTokenStore();
    const { realm } = await authorized({ routes }, { store });
    expect(store.get(`client ${realm.origin}`)).toMatchObject({ clientId: 'a' });
    expect(store.get(`client ${realm.origin}`)).not.toHaveProperty('expiresAt');
  });

  it('is made once for an issuer and a redirect, and again where it ran out', async () => {
    const store = new MemoryTokenStore();
    const realm = await startRealm();
    const provider = oauth({ redirectUri: REDIRECT, open: openHeadless, store });
    await watch(provider.authorize(realm.url)).end;
    await watch(provider.authorize(realm.url)).end;
    expect(realm.registered).toHaveLength(1);
    const key = `client ${realm.origin}`;
    store.set(key, { ...store.get(key), expiresAt: 1 });
    await watch(provider.authorize(realm.url)).end;
    expect(realm.registered).toHaveLength(2);
    const elsewhere = oauth({ redirectUri: `${REDIRECT}/other`, open: openHeadless, store });
    await watch(elsewhere.authorize(realm.url)).end;
    expect(realm.registered).toHaveLength(3);
    expect(isOfUse(undefined, REDIRECT)).toBe(false);
  });

  it('is of use for whatever port of this machine, where the authorization server takes it', async () => {
    const store = new MemoryTokenStore();
    const realm = await startRealm();
    for (const port of [7001, 7002]) {
      const redirectUri = `http://127.0.0.1:${String(port)}/callback`;
      expect(await watch(oauth({ redirectUri, open: openHeadless, store }).authorize(realm.url)).end).toBeUndefined();
    }
    expect(realm.registered).toHaveLength(1);
    const portsOf = (queries: readonly URLSearchParams[]) =>
      queries.map((query) => new URL(query.get('redirect_uri')!).port);
    expect([portsOf(realm.authorized), portsOf(realm.tried)]).toEqual([['7001', '7002'], ['7002']]);
    expect(new Set([...realm.authorized, ...realm.tried].map((query) => query.get('state'))).size).toBe(3);
    expect(realm.asked).toHaveLength(2);
  });

  it.each([400, 403, 500])(
    'is made anew for another port that the authorization server answers with %i, before anybody is asked',
    async (status) => {
      const store = new MemoryTokenStore();
      let known = '';
      const realm = await startRealm({
        routes: {
          '/authorize': ({ path }, response) => {
            const query = new URL(path, 'http://realm').searchParams;
            known ||= query.get('redirect_uri')!;
            const isKnown = query.get('redirect_uri') === known || query.get('client_id') === 'client-2';
            if (!isKnown) return reply(response, status, 'redirect_uri');
            return reply(response, 302, '', {
              location: `${query.get('redirect_uri')!}?state=${query.get('state')!}&code=a`,
            });
          },
          '/token': (_received, response) => reply(response, 200, { access_token: 'a', token_type: 'Bearer' }),
        },
      });
      for (const port of [7001, 7002]) {
        const redirectUri = `http://127.0.0.1:${String(port)}/callback`;
        expect(await watch(oauth({ redirectUri, open: openHeadless, store }).authorize(realm.url)).end).toBeUndefined();
      }
      expect(realm.registered.map((body) => body['redirect_uris'])).toEqual([
        ['http://127.0.0.1:7001/callback'],
        ['http://127.0.0.1:7002/callback'],
      ]);
    },
  );

  it.each([
    ['a page that says so in its query', () => '/login?error=invalid_redirect_uri'],
    ['the port that it knows', (known: string) => `${known}?error=redirect_uri_mismatch`],
  ])('is made anew for another port that the authorization server answers with a way to %s', async (_what, place) => {
    const store = new MemoryTokenStore();
    let known = '';
    const realm = await startRealm({
      routes: {
        '/authorize': ({ path }, response) => {
          const query = new URL(path, 'http://realm').searchParams;
          const redirect = query.get('redirect_uri')!;
          known ||= redirect;
          const isKnown = redirect === known || query.get('client_id') === 'client-2';
          const location = isKnown ? `${redirect}?state=${query.get('state')!}&code=a` : place(known);
          return reply(response, 302, '', { location });
        },
        '/token': (_received, response) => reply(response, 200, { access_token: 'a', token_type: 'Bearer' }),
      },
    });
    for (const port of [7001, 7002]) {
      const redirectUri = `http://127.0.0.1:${String(port)}/callback`;
      expect(await watch(oauth({ redirectUri, open: openHeadless, store }).authorize(realm.url)).end).toBeUndefined();
    }
    expect(realm.registered).toHaveLength(2);
  });

  /** A realm that comes to know no client but the last, and answers others as it is told; and how often somebody saw that. */
  const forgetful = async (status: number) => {
    const seen: string[] = [];
    let known = 'client-1';
    const realm = await startRealm({
      routes: {
        '/authorize': ({ path, headers }, response) => {
          const client = new URL(path, 'http://realm').searchParams.get('client_id')!;
          if (headers['accept'] !== 'text/html') seen.push(client);
          if (client !== known) reply(response, status, 'no such client');
          else {
            const query = new URL(path, 'http://realm').searchParams;
            const location = `${query.get('redirect_uri')!}?state=${query.get('state')!}&code=a`;
            reply(response, 302, '', { location });
          }
        },
        '/token': (_received, response) => reply(response, 200, { access_token: 'a', token_type: 'Bearer' }),
      },
    });
    return { realm, seen, forget: () => (known = 'client-2') };
  };

  it.each([400, 401])('is made anew where the authorization server has lost it, and says so by %i', async (status) => {
    const { realm, seen, forget } = await forgetful(status);
    const store = new MemoryTokenStore();
    const login = async () =>
      watch(oauth({ redirectUri: REDIRECT, open: openHeadless, store }).authorize(realm.url)).end;
    expect(await login()).toBeUndefined();
    forget();
    expect(await login()).toBeUndefined();
    expect(seen).toEqual(['client-1', 'client-2']);
  });

  it('is made anew by who saw that nobody came back', async () => {
    const { realm, seen, forget } = await forgetful(400);
    const provider = oauth({ redirectUri: REDIRECT, open: openHeadless });
    expect(await watch(provider.authorize(realm.url)).end).toBeUndefined();
    forget();
    expect(await watch(provider.authorize(realm.url)).end).toBeInstanceOf(AuthorizationError);
    expect(await watch(provider.authorize(realm.url)).end).toBeUndefined();
    expect(seen).toEqual(['client-1', 'client-1', 'client-2']);
  });

  it.each([403, 500])('is used where the authorization server answers nobody but browsers: %i', async (status) => {
    const store = new MemoryTokenStore();
    const realm = await startRealm({
      routes: {
        '/authorize': ({ path, headers }, response) => {
          const query = new URL(path, 'http://realm').searchParams;
          if (headers['accept'] === 'text/html') return reply(response, status);
          const location = `${query.get('redirect_uri')!}?state=${query.get('state')!}&code=a`;
          return reply(response, 302, '', { location });
        },
        '/token': (_received, response) => reply(response, 200, { access_token: 'a', token_type: 'Bearer' }),
      },
    });
    for (let n = 0; n < 2; n += 1) {
      const provider = oauth({ redirectUri: REDIRECT, open: openHeadless, store });
      expect(await watch(provider.authorize(realm.url)).end).toBeUndefined();
    }
    expect(realm.registered).toHaveLength(1);
  });

  it.each([
    [{ client_secret: 'secret' }, /^Basic /],
    [{ client_secret: 'secret', token_endpoint_auth_method: 'client_secret_post' }, undefined],
    [{}, undefined],
  ])('decides how this client says who it is: %j', async (answer, authorization) => {
    const { routes } = registering([[201, { client_id: 'a', ...answer }]]);
    const { realm, error } = await authorized({ routes });
    expect(error).toBeUndefined();
    const header = realm.loopback.received.find(({ path }) => path === '/token')!.headers['authorization'];
    if (authorization === undefined) expect(header).toBeUndefined();
    else expect(header).toMatch(authorization);
    expect(realm.asked[0]!.get('client_secret')).toBe('token_endpoint_auth_method' in answer ? 'secret' : null);
  });
});
