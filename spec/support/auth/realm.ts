import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type Handler, type Loopback, messageOf, type Received, reply, serve } from '../http/loopback.js';
import { peer, type PeerOptions } from '../http/peer.js';

/** What a realm does otherwise than it should: each answers a request in place of the realm. */
export interface RealmOptions {
  /** By path. One that answers nothing leaves it to the realm. */
  readonly routes?: Readonly<Record<string, (received: Received, response: ServerResponse) => unknown>> | undefined;
  /** Members of the metadata of the authorization server, in place of its own. */
  readonly metadata?: ((origin: string) => Readonly<Record<string, unknown>>) | undefined;
  /** Members of the metadata of the resource, in place of its own. */
  readonly resource?: ((origin: string) => Readonly<Record<string, unknown>>) | undefined;
  /** What is added to the answer to an authorization, or changed in it. */
  readonly answer?: ((origin: string) => Readonly<Record<string, string | undefined>>) | undefined;
  /** How long tokens are good for, in seconds. Default 3 600. */
  readonly expiresIn?: number | undefined;
  /** Without refresh tokens. */
  readonly unrefreshed?: boolean | undefined;
  /** The MCP server, where it is another one than a modern one that says no more than it must. */
  readonly peer?: PeerOptions | undefined;
  /** Methods that want no token. */
  readonly free?: readonly string[] | undefined;
  /** The challenge of the MCP server. */
  readonly challenge?: ((received: Received) => string | undefined) | undefined;
}

/** An MCP server and its authorization server, on one port of loopback, with refresh tokens that are good once. */
export interface Realm {
  readonly loopback: Loopback;
  readonly origin: string;
  readonly url: string;
  /** The forms that came to the token endpoint. */
  readonly asked: URLSearchParams[];
  /** The queries that came to the authorization endpoint with somebody. */
  readonly authorized: URLSearchParams[];
  /** Those that a client sent by itself beforehand, to see whether it is known: nobody was asked by them. */
  readonly tried: URLSearchParams[];
  /** What was registered. */
  readonly registered: Readonly<Record<string, unknown>>[];
  /** Access tokens that are taken. */
  readonly good: Set<string>;
  /** How many answers the token endpoint gave to refreshes, by status. */
  readonly refreshes: number[];
  /** Takes no access token any longer. */
  revoke(): void;
}

const queryOf = ({ path }: Received): URLSearchParams => new URL(path, 'http://realm').searchParams;

/** Starts a realm. */
export const startRealm = async (options: RealmOptions = {}): Promise<Realm> => {
  const { routes = {}, expiresIn = 3_600, unrefreshed = false, free = [] } = options;
  const codes = new Map<string, URLSearchParams>();
  const fresh = new Set<string>();
  const realm = {
    asked: [] as URLSearchParams[],
    authorized: [] as URLSearchParams[],
    tried: [] as URLSearchParams[],
    registered: [] as Readonly<Record<string, unknown>>[],
    good: new Set<string>(),
    refreshes: [] as number[],
  };
  const answers = peer(options.peer ?? { era: 'modern' });

  const issue = (response: ServerResponse, scope: string | null): ServerResponse => {
    const token = `access-${randomUUID()}`;
    const refresh = `refresh-${randomUUID()}`;
    realm.good.add(token);
    if (!unrefreshed) fresh.add(refresh);
    return reply(response, 200, {
      ...{ access_token: token, token_type: 'Bearer', expires_in: expiresIn },
      ...(unrefreshed ? undefined : { refresh_token: refresh }),
      ...(scope === null ? undefined : { scope }),
    });
  };

  const token = (received: Received, response: ServerResponse): ServerResponse => {
    const form = new URLSearchParams(received.body);
    realm.asked.push(form);
    if (form.get('grant_type') === 'refresh_token') {
      // One that comes again says that it was stolen.
      const isGood = fresh.delete(form.get('refresh_token') ?? '');
      realm.refreshes.push(isGood ? 200 : 400);
      return isGood ? issue(response, null) : reply(response, 400, { error: 'invalid_grant' });
    }
    const code = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    return code === undefined
      ? reply(response, 400, { error: 'invalid_grant', error_description: `no such code: ${form.get('code') ?? ''}` })
      : issue(response, code.get('scope'));
  };

  const authorize = (received: Received, response: ServerResponse): ServerResponse => {
    const query = queryOf(received);
    (received.headers['accept'] === 'text/html' ? realm.tried : realm.authorized).push(query);
    const code = randomUUID();
    codes.set(code, query);
    const target = new URL(query.get('redirect_uri') ?? '');
    const answer = { code, state: query.get('state') ?? '', ...options.answer?.(origin) };
    for (const [name, value] of Object.entries(answer)) if (value !== undefined) target.searchParams.set(name, value);
    return reply(response, 302, '', { location: target.href });
  };

  const handler: Handler = async (received, response, request) => {
    const path = new URL(received.path, 'http://realm').pathname;
    await routes[path]?.(received, response);
    if (response.headersSent || response.destroyed || Object.hasOwn(routes, path)) return undefined;
    if (path === '/.well-known/oauth-protected-resource/mcp') {
      return reply(response, 200, {
        resource: `${origin}/mcp`,
        authorization_servers: [origin],
        ...options.resource?.(origin),
      });
    }
    if (path === '/.well-known/oauth-authorization-server') {
      return reply(response, 200, {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
        ...options.metadata?.(origin),
      });
    }
    if (path === '/register') {
      realm.registered.push(JSON.parse(received.body) as Record<string, unknown>);
      return reply(response, 201, { client_id: `client-${String(realm.registered.length)}` });
    }
    if (path === '/authorize') return authorize(received, response);
    if (path === '/token') return token(received, response);
    if (path !== '/mcp') return reply(response, 404);
    const bearer = /^Bearer (.+)$/.exec(String(received.headers['authorization'] ?? ''))?.[1] ?? '';
    const isFree = received.method === 'POST' && free.includes(messageOf(received).method ?? '');
    if (isFree || realm.good.has(bearer)) return answers(received, response, request);
    const challenge =
      options.challenge?.(received) ?? `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`;
    return reply(response, 401, '', { 'www-authenticate': challenge });
  };
  const loopback = await serve(handler);
  const { origin } = loopback;
  return {
    ...realm,
    loopback,
    origin,
    url: loopback.url,
    revoke: () => realm.good.clear(),
  };
};
