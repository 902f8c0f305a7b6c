import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  clientCredentials,
  enterpriseManaged,
  type EnterpriseOptions,
  type OAuthProvider,
  workloadIdentity,
} from '../../src/auth/index.js';
import { connectHttp } from '../../src/bridge/connect/http.js';
import { type Realm, type RealmOptions, startRealm } from '../support/auth/realm.js';
import { rejection, thrownBy, watch } from '../support/client/watch.js';
import { reply } from '../support/http/loopback.js';

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag';

/** A realm whose token endpoint gives tokens for anything, and writes down who asked. */
const startMachines = async (options: RealmOptions = {}) => {
  const asked: { form: Record<string, string>; authorization: string | undefined }[] = [];
  const realm: Realm = await startRealm({
    ...options,
    routes: {
      '/token': ({ body, headers }, response) => {
        const authorization = headers['authorization'] as string | undefined;
        asked.push({ form: Object.fromEntries(new URLSearchParams(body)), authorization });
        const token = `token-${String(asked.length)}`;
        realm.good.add(token);
        return reply(response, 200, { access_token: token, token_type: 'Bearer', expires_in: 3_600 });
      },
      ...options.routes,
    },
  });
  return { realm, asked };
};

const listed = async ({ url }: Realm, authProvider: OAuthProvider, times = 1) => {
  const client = connectHttp({ url, authProvider, era: 'modern' });
  try {
    for (let n = 1; n < times; n += 1) await client.promises.listTools();
    return (await client.promises.listTools()).length;
  } finally {
    await client.close();
  }
};

const secret = { clientId: 'machine', clientSecret: 'p:ss wörd' };

/** With the issuer that the secret is for. */
const secretFor = ({ origin }: Realm) => ({ ...secret, issuer: origin });

describe('client credentials', () => {
  it('are exchanged for a token without a person, once for all calls', async () => {
    const { realm, asked } = await startMachines({ challenge: () => 'Bearer scope="read"' });
    expect(await listed(realm, clientCredentials({ client: secretFor(realm) }), 3)).toBe(2);
    expect(asked).toEqual([
      {
        form: { grant_type: 'client_credentials', resource: realm.url, scope: 'read' },
        authorization: `Basic ${btoa('machine:p%3Ass+w%C3%B6rd')}`,
      },
    ]);
    expect([realm.authorized, realm.registered]).toEqual([[], []]);
  });

  it('are in the body where the authorization server takes them there alone', async () => {
    const { realm, asked } = await startMachines({
      metadata: () => ({ token_endpoint_auth_methods_supported: ['client_secret_post'] }),
    });
    await listed(realm, clientCredentials({ client: secretFor(realm) }));
    expect(asked).toMatchObject([
      { form: { client_id: 'machine', client_secret: 'p:ss wörd' }, authorization: undefined },
    ]);
  });

  it('may be a key: it signs for this authorization server, and never goes out', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    const { realm, asked } = await startMachines();
    const client = { clientId: 'machine', privateKey: { pem, algorithm: 'ES256', keyId: 'one' } };
    await listed(realm, clientCredentials({ client }));
    const [{ form }] = asked as [(typeof asked)[number]];
    const [head = '', body = '', signature = ''] = form['client_assertion']!.split('.');
    const partOf = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());
    expect(partOf(head)).toMatchObject({ alg: 'ES256', kid: 'one' });
    expect(partOf(body)).toMatchObject({ iss: 'machine', sub: 'machine', aud: realm.origin });
    const key = createPublicKey(publicKey.export({ type: 'spki', format: 'pem' }));
    const signed = Buffer.from(`${head}.${body}`);
    const by = { key, dsaEncoding: 'ieee-p1363' } as const;
    expect(verify('sha256', signed, by, Buffer.from(signature, 'base64url'))).toBe(true);
    expect(JSON.stringify(asked)).not.toContain(pem.split('\n')[1]);
  });

  it('are told to no other authorization server than their own', async () => {
    const { realm, asked } = await startMachines();
    const client = { ...secret, issuer: 'https://as.example' };
    expect(await rejection(listed(realm, clientCredentials({ client })))).toMatchObject({ problem: 'client' });
    expect(asked).toEqual([]);
  });

  it('are exchanged anew when the token has run out, and not for ever where none is good enough', async () => {
    const { realm, asked } = await startMachines();
    const provider = clientCredentials({ client: secretFor(realm) });
    await listed(realm, provider);
    realm.revoke();
    await listed(realm, provider);
    expect(asked).toHaveLength(2);
    const picky = await startMachines({
      routes: {
        '/token': (_received, response) => {
          picky.asked.push({ form: {}, authorization: undefined });
          return reply(response, 200, { access_token: 'never-good', token_type: 'Bearer' });
        },
      },
    });
    expect(await rejection(listed(picky.realm, clientCredentials({ client: secretFor(picky.realm) })))).toMatchObject({
      name: 'UnauthorizedError',
    });
    expect(picky.asked.length).toBeLessThan(4);
  });
});

describe('a secret of a program', () => {
  it.each([
    ['clientCredentials', () => clientCredentials({ client: secret })],
    ['workloadIdentity', () => workloadIdentity({ client: secret, assertion: () => 'jwt' })],
  ])('is told to nobody but the issuer it is for, which is to be named: %s', (_what, make) => {
    expect(thrownBy(make)).toMatchObject({ name: 'OptionError', option: 'client.issuer' });
  });

  it('is not needed with a key, nor is its issuer then', () => {
    const privateKey = { pem: 'a', algorithm: 'ES256' };
    expect(() => clientCredentials({ client: { clientId: 'machine', privateKey } })).not.toThrow();
  });
});

describe('a workload', () => {
  it('is known by the JWT of its platform, which is made for the authorization server', async () => {
    const { realm, asked } = await startMachines();
    const audiences: string[] = [];
    const provider = workloadIdentity({
      assertion: (audience) => {
        audiences.push(audience);
        return 'platform.jwt.signed';
      },
    });
    expect(await listed(realm, provider)).toBe(2);
    expect(audiences).toEqual([realm.origin]);
    expect(asked).toEqual([
      {
        form: { grant_type: JWT_BEARER, assertion: 'platform.jwt.signed', resource: realm.url },
        authorization: undefined,
      },
    ]);
  });

  it.each([undefined, '', 5])('that has no JWT is refused, and nothing is asked: %j', async (jwt) => {
    const { realm, asked } = await startMachines();
    const provider = workloadIdentity({ assertion: () => jwt as never });
    expect(await watch(provider.authorize(realm.url)).end).toMatchObject({
      problem: 'token',
      message: expect.stringContaining('assertion'),
    });
    expect(asked).toEqual([]);
  });
});

describe('an enterprise', () => {
  const startEnterprise = async (grant: object = {}) => {
    const { realm, asked } = await startMachines();
    const exchanges: Record<string, string>[] = [];
    const idp = await startRealm({
      routes: {
        '/token': ({ body }, response) => {
          exchanges.push(Object.fromEntries(new URLSearchParams(body)));
          return reply(response, 200, {
            ...{ access_token: 'grant.of.idp', issued_token_type: ID_JAG, token_type: 'N_A', expires_in: 300 },
            ...grant,
          });
        },
      },
    });
    const options: EnterpriseOptions = {
      client: { clientId: 'mine', clientSecret: 'secret' },
      identityProvider: { issuer: idp.origin, client: { clientId: 'at idp' } },
      idToken: () => 'identity.of.somebody',
    };
    return { realm, asked, idp, exchanges, options };
  };

  it('exchanges an identity for a grant, and that for tokens; neither goes to the other’s place', async () => {
    const { realm, asked, exchanges, options } = await startEnterprise();
    expect(await listed(realm, enterpriseManaged(options))).toBe(2);
    expect(exchanges).toEqual([
      {
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        requested_token_type: ID_JAG,
        subject_token: 'identity.of.somebody',
        subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
        audience: realm.origin,
        resource: realm.url,
        client_id: 'at idp',
      },
    ]);
    expect(asked).toMatchObject([{ form: { grant_type: JWT_BEARER, assertion: 'grant.of.idp' } }]);
    expect(JSON.stringify(asked)).not.toContain('identity.of.somebody');
  });

  it.each([
    { issued_token_type: undefined },
    { issued_token_type: 'urn:ietf:params:oauth:token-type:access_token', token_type: 'Bearer' },
  ])('hands no other token of its identity provider on: %j', async (grant) => {
    const { realm, asked, idp, options } = await startEnterprise(grant);
    expect(await watch(enterpriseManaged(options).authorize(realm.url)).end).toMatchObject({
      ...{ problem: 'response', issuer: idp.origin },
    });
    expect(asked).toEqual([]);
  });

  it('may have its identity provider on a network of its own, which no server named', async () => {
    const { idp, exchanges, options } = await startEnterprise();
    // A server in public, and its authorization server.
    const asked: string[] = [];
    const origin = 'https://mcp.example';
    const documents: Readonly<Record<string, object>> = {
      '/.well-known/oauth-protected-resource/mcp': { resource: `${origin}/mcp`, authorization_servers: [origin] },
      '/.well-known/oauth-authorization-server': { issuer: origin, token_endpoint: `${origin}/token` },
      '/token': { access_token: 'theirs', token_type: 'Bearer' },
    };
    const provider = enterpriseManaged({
      ...options,
      fetch: async (url, init) => {
        if (url.startsWith(idp.origin)) return fetch(url, init);
        asked.push(url.slice(origin.length));
        return Response.json(documents[url.slice(origin.length)]);
      },
    });
    expect(await watch(provider.authorize(`${origin}/mcp`)).end).toBeUndefined();
    expect([exchanges.length, asked.at(-1)]).toEqual([1, '/token']);
  });
});
