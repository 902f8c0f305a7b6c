import { describe, expect, it } from '@jest/globals';
import { clientCredentials, enterpriseManaged, oauth, workloadIdentity } from '../../src/auth/index.js';
import { REDIRECT } from '../support/auth/headless.js';
import { thrownBy, watch } from '../support/client/watch.js';

const client = { clientId: 'mine' };
const identityProvider = { issuer: 'https://idp.example', client };

describe('the options of an authorization', () => {
  it.each([
    [() => oauth(undefined as never), 'options'],
    [() => oauth({} as never), 'redirectUri'],
    [() => oauth({ redirectUri: 'callback' }), 'redirectUri'],
    [() => oauth({ redirectUri: 'javascript:alert(1)' }), 'redirectUri'],
    [() => oauth({ redirectUri: `${REDIRECT}#a` }), 'redirectUri'],
    [() => oauth({ redirectUri: REDIRECT, opens: () => '' } as never), 'opens'],
    [() => oauth({ redirectUri: REDIRECT, open: 'firefox' as never }), 'open'],
    [() => oauth({ redirectUri: REDIRECT, openTimeoutMs: 0 }), 'openTimeoutMs'],
    [() => oauth({ redirectUri: REDIRECT, requestTimeoutMs: Number.NaN }), 'requestTimeoutMs'],
    [() => oauth({ redirectUri: REDIRECT, scopes: ['a b'] }), 'scopes'],
    [() => oauth({ redirectUri: REDIRECT, store: {} as never }), 'store'],
    [() => oauth({ redirectUri: REDIRECT, dpop: 1 as never }), 'dpop'],
    [() => oauth({ redirectUri: REDIRECT, clientMetadataUrl: 'http://app.example/client.json' }), 'clientMetadataUrl'],
    [() => oauth({ redirectUri: REDIRECT, clientMetadataUrl: 'https://app.example/' }), 'clientMetadataUrl'],
    [() => oauth({ redirectUri: REDIRECT, client: { clientId: '' } }), 'client.clientId'],
    [() => oauth({ redirectUri: REDIRECT, client: { ...client, secret: 'a' } as never }), 'client.secret'],
    [() => oauth({ redirectUri: REDIRECT, client: { ...client, method: 'tls' as never } }), 'client.method'],
    [
      () => oauth({ redirectUri: REDIRECT, client: { ...client, privateKey: { pem: 'a', algorithm: 'HS256' } } }),
      'client.privateKey.algorithm',
    ],
    [() => clientCredentials({} as never), 'client'],
    [() => clientCredentials({ client: {} as never }), 'client.clientId'],
    [() => enterpriseManaged({ client, identityProvider } as never), 'idToken'],
    [() => enterpriseManaged({ client, idToken: () => 'a', identityProvider: {} as never }), 'identityProvider.issuer'],
    [() => workloadIdentity({} as never), 'assertion'],
  ])('that cannot be used are OptionErrors: %#', (make, option) => {
    expect(thrownBy(make)).toMatchObject({ name: 'OptionError', option });
  });

  it('may be absent, or undefined', () => {
    expect(oauth({ redirectUri: new URL('app.example:/callback'), open: undefined, client: undefined })).toBeDefined();
    expect(clientCredentials({ client: { ...client, clientSecret: 'a', issuer: 'https://as.example' } })).toBeDefined();
  });

  it.each(['mcp.example', 'ftp://mcp.example', ''])('are no URL of a server: %j', async (url) => {
    const provider = oauth({ redirectUri: REDIRECT });
    for (const flow$ of [provider.authorize(url), provider.forget(url)])
      expect(await watch<unknown>(flow$).end).toMatchObject({ name: 'OptionError', option: 'url' });
  });

  it('never tell a key that is none', async () => {
    const privateKey = { pem: '-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----', algorithm: 'ES256' };
    const { clientAuth } = await import('../../src/auth/client-auth.js');
    const identity = { clientId: 'mine', method: 'private_key_jwt' } as const;
    const failed = clientAuth(await import('oauth4webapi'), identity, privateKey);
    const reason = await failed.catch((error: unknown) => error);
    expect(reason).toMatchObject({ name: 'OptionError', option: 'client.privateKey' });
    expect(String(reason)).not.toContain('c2Vj');
  });
});
