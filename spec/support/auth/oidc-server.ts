import { reply, serve } from '../http/loopback.js';
import { peer } from '../http/peer.js';
import type { Oidc } from './oidc.js';

/** An MCP server that asks a real authorization server; ended after its spec. */
export const startOidcServer = async (oidc: Oidc) => {
  const answer = peer({ era: 'modern' });
  const tokens: string[] = [];
  const loopback = await serve(async (received, response, request) => {
    const { origin } = loopback;
    const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
    if (received.path === '/.well-known/oauth-protected-resource/mcp')
      return reply(response, 200, {
        resource: loopback.url,
        authorization_servers: [oidc.origin],
        scopes_supported: ['tools:read'],
      });
    if (received.path !== '/mcp') return reply(response, 404);
    if (await oidc.admits(loopback.url, received.method, received.headers)) {
      tokens.push(String(received.headers['authorization']));
      return answer(received, response, request);
    }
    return reply(response, 401, '', { 'www-authenticate': `Bearer resource_metadata="${metadata}"` });
  });
  return { url: loopback.url, tokens };
};
