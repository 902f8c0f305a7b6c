import { messageOf, reply, serve } from '../http/loopback.js';
import { peer } from '../http/peer.js';
import type { Oidc } from './oidc.js';

/** An MCP server that asks a real authorization server. */
export interface Guarded {
  readonly url: string;
  /** The `Authorization` of each request that was let in. */
  readonly tokens: string[];
}

/**
 * Starts a modern server that lets in who has a token of the authorization server.
 * @param guards which methods want one. Default: all
 */
export const startGuarded = async (oidc: Oidc, guards?: readonly string[]): Promise<Guarded> => {
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
    const isOpen = guards !== undefined && !guards.includes(messageOf(received).method ?? '');
    const admitted = await oidc.admits(loopback.url, received.method, received.headers);
    if (admitted) tokens.push(String(received.headers['authorization']));
    if (admitted || isOpen) return answer(received, response, request);
    return reply(response, 401, '', { 'www-authenticate': `Bearer resource_metadata="${metadata}"` });
  });
  return { url: loopback.url, tokens };
};
