import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Observable } from 'rxjs';
import { MemoryTokenStore, oauth } from '../../src/auth/index.js';
import { Dpop } from '../../src/auth/dpop.js';
import { connectHttp } from '../../src/bridge/connect/http.js';
import { openHeadless, REDIRECT } from '../support/auth/headless.js';
import { startRealm } from '../support/auth/realm.js';
import { rejection, watch } from '../support/client/watch.js';
import { type Received, reply } from '../support/http/loopback.js';
import { peer } from '../support/http/peer.js';

const partOf = (proof: string, index: number) =>
  JSON.parse(Buffer.from(proof.split('.')[index]!, 'base64url').toString()) as Record<string, unknown>;

const proofOf = ({ headers }: Received) => String(headers['dpop']);

/**
 * A realm whose tokens are bound to keys. `nonces` says which nonce the MCP server wants of its nth request with a token; the
 * token endpoint wants one at first.
 */
const startBound = async (nonces: (n: number) => string | undefined = () => undefined) => {
  const answer = peer({ era: 'modern' });
  const tokens: Received[] = [];
  const calls: Received[] = [];
  const realm = await startRealm({
    metadata: () => ({ dpop_signing_alg_values_supported: ['ES256'] }),
    routes: {
      '/token': (received, response) => {
        tokens.push(received);
        return partOf(proofOf(received), 1)['nonce'] === 'of as'
          ? reply(response, 200, { access_token: 'bound', token_type: 'DPoP', refresh_token: 'again' })
          : reply(response, 400, { error: 'use_dpop_nonce' }, { 'dpop-nonce': 'of as' });
      },
      '/mcp': (received, response, ...rest: unknown[]) => {
        if (received.headers['authorization'] !== 'DPoP bound')
          return reply(response, 401, '', { 'www-authenticate': 'DPoP' });
        const wanted = nonces(calls.length);
        calls.push(received);
        if (wanted !== undefined && partOf(proofOf(received), 1)['nonce'] !== wanted)
          return reply(response, 401, '', {
            'www-authenticate': 'DPoP error="use_dpop_nonce"',
            'dpop-nonce': wanted,
          });
        return answer(received, response, ...(rest as [never]));
      },
    },
  });
  const store = new MemoryTokenStore();
  const list = async (authProvider = oauth({ redirectUri: REDIRECT, open: openHeadless, store, dpop: true })) => {
    const client = connectHttp({ url: realm.url, authProvider, era: 'modern' });
    try {
      return (await client.promises.listTools()).length;
    } finally {
      await client.close();
    }
  };
  return { realm, store, list, tokens, calls, key: `tokens ${realm.origin} registered ${realm.url}` };
};

describe('a token that is bound to a key', () => {
  it('goes with a proof of its own for each request, and the proof with nothing else', async () => {
    const { realm, list, calls, tokens, store, key } = await startBound();
    expect(await list()).toBe(2);
    const ids = new Set<unknown>();
    for (const call of calls) {
      const [head, body] = [0, 1].map((index) => partOf(proofOf(call), index)) as [object, Record<string, unknown>];
      expect(head).toMatchObject({ typ: 'dpop+jwt', alg: 'ES256', jwk: { kty: 'EC', crv: 'P-256' } });
      expect(JSON.stringify(head)).not.toContain('"d"');
      expect(body).toMatchObject({
        ...{ htm: 'POST', htu: realm.url },
        ath: createHash('sha256').update('bound').digest('base64url'),
      });
      ids.add(body['jti']);
    }
    expect(ids.size).toBe(calls.length);
    expect(tokens.map((received) => partOf(proofOf(received), 1)['nonce'])).toEqual([undefined, 'of as']);
    expect(realm.authorized[0]!.get('dpop_jkt')).toMatch(/^[\w-]{43}$/);
    expect(store.get(key)).toMatchObject({ scheme: 'DPoP', dpopKey: { kty: 'EC', d: expect.any(String) } });
    expect(JSON.stringify(realm.loopback.received)).not.toContain((store.get(key)!['dpopKey'] as { d: string }).d);
  });

  it('is proved with the nonce that the server wants, and with its next one', async () => {
    const { list, calls } = await startBound((n) => (n < 2 ? 'one' : 'two'));
    expect(await list()).toBe(2);
    expect(calls.map((call) => partOf(proofOf(call), 1)['nonce'])).toEqual(['of as', 'one', 'one', 'two']);
  });

  it('is not proved for ever to a server that is never content', async () => {
    const { realm, list, calls } = await startBound((n) => `never ${String(n)}`);
    expect(await rejection(list())).toMatchObject({ name: 'UnauthorizedError' });
    expect(calls.length).toBeLessThan(6);
    expect(realm.authorized).toHaveLength(1);
  });

  it('is used by whoever has its key from the store', async () => {
    const { realm, list, store } = await startBound();
    await list();
    expect(await list(oauth({ redirectUri: REDIRECT, store }))).toBe(2);
    expect(realm.authorized).toHaveLength(1);
  });

  it.each([undefined, {}, { kty: 'EC' }, { kty: 'EC', crv: 'P-256', x: 'a', y: 'b', d: 'c' }])(
    'is as good as none where its key is none: somebody is asked anew: %j',
    async (dpopKey) => {
      const { realm, list, store, key } = await startBound();
      await list();
      store.set(key, { ...store.get(key), dpopKey });
      expect(await list()).toBe(2);
      expect(realm.authorized).toHaveLength(2);
    },
  );
});

describe('tokens from before they were to be bound', () => {
  it('are not used, and not refreshed: bound ones are asked for', async () => {
    const realm = await startRealm({ metadata: () => ({ dpop_signing_alg_values_supported: ['ES256'] }) });
    const store = new MemoryTokenStore();
    const context = { url: realm.url, target: realm.url, method: 'POST' } as const;
    const unbound = oauth({ redirectUri: REDIRECT, open: openHeadless, store });
    await watch(unbound.authorize(realm.url)).end;
    const bound = oauth({ redirectUri: REDIRECT, open: openHeadless, store, dpop: true });
    expect(await bound.token(context)).toBeUndefined();
    const refusal = { ...context, status: 401, challenge: undefined, token: undefined } as const;
    // The realm has no others: what matters is that they are wanted.
    expect(await watch(bound.onUnauthorized(refusal) as Observable<boolean>).end).toMatchObject({
      problem: 'response',
    });
    expect([realm.refreshes, realm.authorized.length]).toEqual([[], 2]);
    expect(realm.authorized[1]!.get('dpop_jkt')).toMatch(/./);
    expect(await unbound.token(context)).toMatch(/^Bearer /);
  });
});

describe('proofs', () => {
  it('survive a nonce that no header can carry', async () => {
    const dpop = new Dpop();
    const { jwk } = await dpop.create();
    const request = { method: 'GET', target: 'https://mcp.example/mcp', accessToken: 'token' };
    try {
      dpop.learn(jwk, request, 'a\nb');
    } catch {
      // Who tells of an answer is not to be told of this.
    }
    dpop.learn(jwk, request, 'good');
    expect(partOf((await dpop.proof(jwk, request))!, 1)).toMatchObject({ nonce: 'good' });
    const elsewhere = { ...request, target: 'https://other.example/mcp' };
    expect(partOf((await dpop.proof(jwk, elsewhere))!, 1)).not.toHaveProperty('nonce');
  });
});

describe('secrets', () => {
  it('are neither in wire$, nor in warnings$, nor in any state or error', async () => {
    const { realm, store, key } = await startBound();
    const provider = oauth({ redirectUri: REDIRECT, open: openHeadless, store, dpop: true });
    const states = watch(provider.states$);
    const client = connectHttp({ url: realm.url, authProvider: provider, era: 'modern' });
    const seen = [watch(client.wire$), watch(client.warnings$)];
    await client.promises.listTools();
    const failed = await rejection(
      client.promises.callTool('no such tool', {}).then(() => Promise.reject(new Error())),
    );
    const { accessToken, refreshToken, dpopKey } = store.get(key) as Record<string, string>;
    const secrets = [
      ...[accessToken, refreshToken, (dpopKey as unknown as { d: string }).d],
      ...realm.loopback.received.flatMap(({ body, path }) =>
        path === '/token' ? ['code', 'code_verifier'].map((name) => new URLSearchParams(body).get(name)) : [],
      ),
    ];
    expect(secrets.every((secret) => typeof secret === 'string' && secret !== '')).toBe(true);
    expect(seen[0]!.values.length).toBeGreaterThan(0);
    const shown = JSON.stringify([seen.map(({ values }) => values), states.values, failed, String(failed)]);
    for (const secret of secrets) expect(shown).not.toContain(secret);
    await client.close();
  });
});

describe('a server is refused before anybody is asked', () => {
  const refused = async (resource: object, metadata: object, dpop: boolean) => {
    const realm = await startRealm({ resource: () => ({ ...resource }), metadata: () => ({ ...metadata }) });
    const provider = oauth({ redirectUri: REDIRECT, open: openHeadless, dpop });
    const error = await watch(provider.authorize(realm.url)).end;
    return { realm, error };
  };
  const only = { dpop_bound_access_tokens_required: true };

  it.each([
    ['it does not say that it binds tokens', {}, {}, true],
    ['it takes no proof of ours', {}, { dpop_signing_alg_values_supported: ['RS256'] }, true],
    ['it takes none of ours, though its tokens are to be bound', only, { dpop_signing_alg_values_supported: [] }, true],
    ['it takes bound tokens alone', only, { dpop_signing_alg_values_supported: ['ES256'] }, false],
  ])('where %s', async (_what, resource, metadata, dpop) => {
    const { realm, error } = await refused(resource, metadata, dpop);
    expect(error).toMatchObject({ problem: 'dpop', issuer: realm.origin });
    expect([realm.registered, realm.authorized]).toEqual([[], []]);
  });

  it('and is asked where it says that it takes nothing else', async () => {
    const { realm } = await refused(only, {}, true);
    expect(realm.authorized).toHaveLength(1);
  });
});
