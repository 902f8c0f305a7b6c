import { createHash, createPublicKey, randomBytes, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach } from '@jest/globals';

/** What is used of the provider; it has no types of its own. */
interface Provider {
  callback(): RequestListener;
  interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
  interactionFinished(
    request: IncomingMessage,
    response: ServerResponse,
    result: object,
    options: { mergeWithLastSubmission: boolean },
  ): Promise<void>;
  readonly Grant: new (of: object) => {
    addOIDCScope(scope: string): void;
    addResourceScope(resource: string, scope: string): void;
    save(): Promise<string>;
  };
  readonly AccessToken: { find(token: string): Promise<AccessToken | undefined> };
  on(event: string, listener: (...facts: never[]) => void): void;
}

interface Interaction {
  readonly prompt: { readonly name: string };
  readonly params: Readonly<Record<string, string>>;
  readonly session?: { readonly accountId: string };
}

interface AccessToken {
  readonly aud: string;
  readonly isExpired: boolean;
  readonly scope?: string;
  readonly jkt?: string;
}

/** A real authorization server. */
export interface Oidc {
  readonly origin: string;
  /** What it did with refresh tokens: `grant.success` and `grant.error`, in order, with what was asked. */
  readonly events: string[];
  /** Whether it takes a request for a resource, as its MCP server is to find out. */
  admits(resource: string, method: string, headers: Readonly<Record<string, unknown>>): Promise<boolean>;
  /** Somebody who signs in and agrees, with a browser that has cookies and shows nothing. */
  browse(url: string, redirectUri: string): Promise<URL>;
}

const running = new Set<() => Promise<void>>();
afterEach(async () => {
  await Promise.all([...running].map((close) => close()));
  running.clear();
});

const partOf = (text: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<string, unknown>;

/** The thumbprint of the key in a proof (RFC 7638), if the proof is for this request. */
const proven = (proof: string, method: string, url: string, token: string): string | undefined => {
  const [head = '', body = '', signature = ''] = proof.split('.');
  const { jwk, typ } = partOf(head) as { jwk: Record<string, string>; typ: string };
  const { htm, htu, ath } = partOf(body);
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${body}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  const isFor = htm === method && htu === url && ath === createHash('sha256').update(token).digest('base64url');
  const { crv, kty, x, y } = jwk;
  return isSigned && isFor && typ === 'dpop+jwt'
    ? createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')
    : undefined;
};

/** What is not as usual. */
export interface OidcOptions {
  /** Whoever signs in does not agree. */
  readonly refuses?: boolean;
  /** Clients that are registered beforehand, as their metadata (RFC 7591). */
  readonly clients?: readonly object[];
}

/** Starts `oidc-provider`: with registration, resource indicators, DPoP with nonces, and refresh tokens that rotate. */
export const startOidc = async ({ refuses = false, clients = [] }: OidcOptions = {}): Promise<Oidc> => {
  // By a name that the compiler does not follow: the package has no types.
  const name: string = 'oidc-provider';
  const { Provider: OidcProvider } = (await import(name)) as {
    Provider: new (issuer: string, configuration: object) => Provider;
  };
  let listener: RequestListener = (_request, response) => response.writeHead(503).end();
  const server = createServer((request, response) => {
    listener(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  running.add(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });

  const provider = new OidcProvider(origin, {
    clients,
    cookies: { keys: ['a key of a spec'] },
    scopes: ['openid', 'offline_access'],
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: () => true,
    findAccount: (_context: unknown, sub: string) => ({ accountId: sub, claims: () => ({ sub }) }),
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      revocation: { enabled: true },
      dPoP: { enabled: true, nonceSecret: randomBytes(32), requireNonce: () => true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_context: unknown, resource: string) => ({
          audience: resource,
          scope: 'tools:read',
          accessTokenTTL: 600,
          accessTokenFormat: 'opaque',
        }),
      },
    },
  });
  const events: string[] = [];
  provider.on('grant.success', (context: { oidc: { params: { grant_type: string } } }) => {
    events.push(`success ${context.oidc.params.grant_type}`);
  });
  provider.on('grant.error', (context: { oidc: { params?: { grant_type: string } } }, error: Error) => {
    events.push(`${error.message} ${context.oidc.params?.grant_type ?? ''}`);
  });

  /** Signs in, and agrees. */
  const interact = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { prompt, params, session } = await provider.interactionDetails(request, response);
    const finish = (result: object): Promise<void> =>
      provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true });
    if (prompt.name === 'login') return finish({ login: { accountId: 'somebody' } });
    if (refuses) return finish({ error: 'access_denied', error_description: 'not today' });
    const grant = new provider.Grant({ accountId: session?.accountId, clientId: params['client_id'] });
    grant.addOIDCScope('openid offline_access');
    grant.addResourceScope(params['resource'] ?? '', 'tools:read');
    return finish({ consent: { grantId: await grant.save() } });
  };
  const answer = provider.callback();
  listener = (request, response) => {
    if (request.url?.startsWith('/interaction/') === true) {
      interact(request, response).catch((reason: unknown) => response.writeHead(500).end(String(reason)));
    } else answer(request, response);
  };

  return {
    origin,
    events,
    admits: async (resource, method, headers) => {
      const [, scheme, token = ''] = /^(Bearer|DPoP) (\S+)$/.exec(String(headers['authorization'])) ?? [];
      const found = token === '' ? undefined : await provider.AccessToken.find(token);
      if (found === undefined || found.isExpired || found.aud !== resource) return false;
      if (found.jkt === undefined) return scheme === 'Bearer';
      return scheme === 'DPoP' && proven(String(headers['dpop']), method, resource, token) === found.jkt;
    },
    browse: async (url, redirectUri) => {
      const cookies = new Map<string, string>();
      let next = new URL(url);
      while (!next.href.startsWith(redirectUri)) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const response = await fetch(next, { redirect: 'manual', headers: { cookie } });
        for (const set of response.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
          cookies.set(name, value);
        }
        const location = response.headers.get('location');
        if (location === null) throw new Error(`${String(response.status)} ${await response.text()}`);
        next = new URL(location, next);
      }
      return next;
    },
  };
};
