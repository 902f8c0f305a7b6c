import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A server of the modern era that wants a token, its authorization server, and how often each was asked for what. */
export interface CountingServer {
  readonly origin: string;
  readonly asked: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

const TOKEN = 'a-token-of-an-example';

const answerTo = (method: string): object => {
  const complete = { resultType: 'complete' };
  // Whoever asks is told the same for a minute.
  if (method === 'tools/list') {
    const tools = [{ name: 'hello', inputSchema: { type: 'object' } }];
    return { ...complete, tools, ttlMs: 60_000, cacheScope: 'public' };
  }
  if (method === 'tools/call') return { ...complete, content: [{ type: 'text', text: 'hello' }] };
  return {
    ...complete,
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {} },
    serverInfo: { name: 'counting', version: '1.0.0' },
  };
};

/** Starts it on a port of 127.0.0.1. */
export const startCounting = async (): Promise<CountingServer> => {
  const asked = new Map<string, number>();
  const count = (what: string): void => void asked.set(what, (asked.get(what) ?? 0) + 1);
  const origin = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const routes: Readonly<Record<string, () => object>> = {
    '/.well-known/oauth-protected-resource/mcp': () => ({
      resource: `${origin()}/mcp`,
      authorization_servers: [origin()],
    }),
    '/.well-known/oauth-authorization-server': () => ({
      issuer: origin(),
      token_endpoint: `${origin()}/token`,
      grant_types_supported: ['client_credentials'],
      token_endpoint_auth_methods_supported: ['client_secret_basic'],
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
    }),
    '/token': () => {
      count('a token');
      return { access_token: TOKEN, token_type: 'Bearer', expires_in: 3_600 };
    },
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const send = (status: number, body: object, headers: Readonly<Record<string, string>> = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
    };
    const route = routes[request.url ?? ''];
    if (route !== undefined) {
      send(200, route());
      return;
    }
    if (request.url !== '/mcp') {
      send(404, {});
      return;
    }
    if (request.headers.authorization !== `Bearer ${TOKEN}`) {
      const where = `Bearer resource_metadata="${origin()}/.well-known/oauth-protected-resource/mcp"`;
      send(401, {}, { 'www-authenticate': where });
      return;
    }
    const { id, method } = (await json(request)) as { readonly id: number; readonly method: string };
    count(method);
    send(200, { jsonrpc: '2.0', id, result: answerTo(method) });
  };

  const server = createServer((request, response) => {
    handle(request, response).catch((reason: unknown) => response.destroy(reason as Error));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { origin: origin(), asked, close };
};
