import { describe, expect, it, jest } from '@jest/globals';
import { AuthorizationError, oauth, type OAuthOptions } from '../../src/auth/index.js';
import { openHeadless, REDIRECT } from '../support/auth/headless.js';
import { type RealmOptions, startRealm } from '../support/auth/realm.js';
import { watch } from '../support/client/watch.js';
import { reply, serve } from '../support/http/loopback.js';
import { until } from '../support/http/turns.js';

/** What an authorization in a realm ends with, and the realm. */
const refusedIn = async (realmOptions: RealmOptions, options: Partial<OAuthOptions> = {}) => {
  const realm = await startRealm(realmOptions);
  const provider = oauth({ redirectUri: REDIRECT, open: openHeadless, ...options });
  const seen = watch(provider.authorize(realm.url));
  const error = await seen.end;
  expect(error).toBeInstanceOf(AuthorizationError);
  expect(seen.values.at(-1)).toEqual({ status: 'failed', server: realm.url, error });
  return { error: error as AuthorizationError, realm };
};

const SAID = { error: 'access_denied', error_description: 'call 555-0100 now' };

describe('an authorization is refused, and no token asked for, where', () => {
  it.each([
    ['the answer is from another issuer', () => ({ iss: 'https://evil.example', ...SAID }), {}, 'issuer'],
    ['its issuer differs by a slash', (origin: string) => ({ iss: `${origin}/` }), {}, 'issuer'],
    ['its issuer is empty', () => ({ iss: '' }), {}, 'issuer'],
    [
      'it lacks the issuer that was promised',
      () => SAID,
      { authorization_response_iss_parameter_supported: true },
      'issuer',
    ],
    ['it has another state', () => ({ state: 'other', ...SAID }), {}, 'response'],
    ['it has no state', () => ({ state: undefined, ...SAID }), {}, 'response'],
    ['it has no code', () => ({ code: undefined }), {}, 'response'],
  ] as const)('%s: and nothing of it is shown', async (_what, answer, metadata, problem) => {
    const { error, realm } = await refusedIn({ answer, metadata: () => metadata });
    expect(error).toMatchObject({ problem, issuer: realm.origin });
    expect(JSON.stringify([error, error.message])).not.toMatch(/555-0100|denied|evil/);
    expect([realm.authorized.length, realm.asked.length]).toEqual([1, 0]);
  });

  it('it is an error, which is told with its code and without what a terminal would make of it', async () => {
    const description = 'no\u001b[31m way';
    const { error, realm } = await refusedIn({
      answer: (iss) => ({ iss, code: undefined, error: 'access_denied', error_description: description }),
    });
    expect(error).toMatchObject({ problem: 'denied', code: 'access_denied' });
    expect(error.message).toContain('(no [31m way)');
    expect(realm.asked).toEqual([]);
  });

  it.each([
    ['another resource', () => ({ resource: 'https://evil.example/mcp' }), 'resource'],
    ['a resource below the server', (origin: string) => ({ resource: `${origin}/mcp/deeper` }), 'resource'],
    ['a resource that begins alike', (origin: string) => ({ resource: `${origin}/mc` }), 'resource'],
    ['no resource', () => ({ resource: undefined }), 'resource'],
    ['an issuer that is no URL', () => ({ authorization_servers: ['nowhere'] }), 'url'],
    ['an issuer by http', () => ({ authorization_servers: ['http://as.example'] }), 'url'],
    ['an issuer with a query', (origin: string) => ({ authorization_servers: [`${origin}/?a`] }), 'url'],
    ['an issuer with a fragment', (origin: string) => ({ authorization_servers: [`${origin}/#`] }), 'url'],
    ['an issuer that breaks lines', (origin: string) => ({ authorization_servers: [`${origin}/\n\u001b[31m`] }), 'url'],
    ['an issuer that turns text', (origin: string) => ({ authorization_servers: [`${origin}/\u202ea`] }), 'url'],
    ['an issuer with a space', (origin: string) => ({ authorization_servers: [` ${origin}`] }), 'url'],
    ['an issuer that is a file', () => ({ authorization_servers: ['file:///etc/passwd'] }), 'url'],
  ] as const)('the metadata of the resource names %s', async (_what, resource, problem) => {
    const { error, realm } = await refusedIn({ resource });
    expect(error).toMatchObject({ problem });
    expect(JSON.stringify([error, error.message])).not.toMatch(/\\n|\\u001b|\u202e/);
    expect([realm.registered, realm.authorized]).toEqual([[], []]);
  });

  it.each([
    ['another issuer', { issuer: 'https://evil.example' }, 'issuer'],
    ['no issuer', { issuer: undefined }, 'issuer'],
    ['no PKCE', { code_challenge_methods_supported: undefined }, 'pkce'],
    ['PKCE without S256', { code_challenge_methods_supported: ['plain'] }, 'pkce'],
    ['an authorization endpoint that is a script', { authorization_endpoint: 'javascript:alert(1)' }, 'url'],
    ['one that is data', { authorization_endpoint: 'data:text/html,hello' }, 'url'],
    ['one by http', { authorization_endpoint: 'http://as.example/authorize' }, 'url'],
    ['a token endpoint by http', { token_endpoint: 'http://as.example/token' }, 'url'],
    ['a token endpoint in a list', { token_endpoint: ['https://as.example/token'] }, 'url'],
    ['an authorization endpoint in a list', { authorization_endpoint: ['https://as.example/authorize'] }, 'url'],
    ['no registration', { registration_endpoint: undefined }, 'client'],
  ] as const)('the metadata of the authorization server names %s', async (_what, metadata, problem) => {
    const { error, realm } = await refusedIn({ metadata: () => metadata });
    expect(error).toMatchObject({ problem });
    expect([realm.registered, realm.authorized]).toEqual([[], []]);
  });

  it.each([
    'https://192.168.0.1',
    'https://10.1.2.3/as',
    'https://127.0.0.1:9000',
    'http://localhost:9000',
    'https://[::1]',
    'https://[fd00::1]',
    'https://[::ffff:10.0.0.1]',
    'https://169.254.169.254',
    'https://vault.internal',
    'https://intranet',
  ])('a public server names a private address: %s', async (issuer) => {
    const asked: string[] = [];
    const provider = oauth({
      redirectUri: REDIRECT,
      open: openHeadless,
      fetch: (url) => {
        asked.push(url);
        return Promise.resolve(
          new Response(JSON.stringify({ resource: 'https://mcp.example', authorization_servers: [issuer] })),
        );
      },
    });
    const error = await watch(provider.authorize('https://mcp.example/mcp')).end;
    expect(error).toMatchObject({ problem: 'url', message: expect.stringContaining('allowPrivate') });
    expect(asked).toEqual(['https://mcp.example/.well-known/oauth-protected-resource/mcp']);
  });

  it('metadata is redirected to another origin, which hears nothing', async () => {
    const other = await serve((_received, response) => reply(response, 200, {}));
    const { error } = await refusedIn({
      routes: {
        '/.well-known/oauth-authorization-server': (_received, response) =>
          reply(response, 302, '', { location: `${other.origin}/metadata` }),
      },
    });
    expect(error).toMatchObject({ problem: 'discovery', message: expect.stringContaining('redirects to') });
    expect(other.received).toEqual([]);
  });

  it.each([302, 307])('the token endpoint redirects: %i', async (status) => {
    const other = await serve((_received, response) => reply(response, 200, {}));
    const { error } = await refusedIn({
      routes: { '/token': (_received, response) => reply(response, status, '', { location: `${other.origin}/token` }) },
    });
    expect(error).toMatchObject({ problem: 'redirect' });
    expect(other.received).toEqual([]);
  });

  it('an answer has fifty megabytes: it is not read to its end', async () => {
    let written = 0;
    const { error } = await refusedIn({
      routes: {
        '/.well-known/oauth-authorization-server': async (_received, response) => {
          response.setMaxListeners(0).writeHead(200, { 'content-type': 'application/json' });
          const chunk = Buffer.alloc(65_536, ' ');
          for (; written < 50_000_000 && !response.destroyed; written += chunk.length) {
            if (!response.write(chunk)) {
              await new Promise<void>((resolve) => {
                response.once('drain', resolve).once('close', resolve);
              });
            }
          }
          response.end();
        },
      },
    });
    expect(error).toMatchObject({ problem: 'too-large' });
    expect(written).toBeLessThan(40_000_000);
  });

  it('the token endpoint hangs', async () => {
    let asked = false;
    const hang = (): void => {
      asked = true;
    };
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    try {
      const refused = refusedIn({ routes: { '/token': hang } });
      await until(() => asked);
      await jest.advanceTimersByTimeAsync(30_000);
      const { error } = await refused;
      expect(error).toMatchObject({ problem: 'network', message: expect.stringContaining('within 30000 ms') });
    } finally {
      jest.useRealTimers();
    }
  });

  it('the token endpoint refuses: what it echoes of a secret is not told', async () => {
    let code = '';
    const { error } = await refusedIn({
      routes: {
        '/token': ({ body }, response) => {
          code = new URLSearchParams(body).get('code') ?? '';
          return reply(response, 400, { error: 'invalid_grant', error_description: `no such code: ${code}` });
        },
      },
    });
    expect(error).toMatchObject({ problem: 'token', code: 'invalid_grant' });
    expect(code).not.toBe('');
    expect(JSON.stringify([error, error.message, String(error.stack)])).not.toContain(code);
    expect(error.cause).toBeUndefined();
  });

  it('its client was registered with another issuer', async () => {
    const { error, realm } = await refusedIn(
      {},
      { client: { issuer: 'https://as.example', clientId: 'mine', clientSecret: 'secret' } },
    );
    expect(error).toMatchObject({ problem: 'client' });
    expect(error.message).not.toContain('secret');
    expect([realm.authorized, realm.asked]).toEqual([[], []]);
  });
});
