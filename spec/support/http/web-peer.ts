import { json } from './web.js';
import { TOOLS } from './peer.js';

/** One request that reached a server which is only a function. */
export interface WebRequest {
  readonly httpMethod: string;
  /** The method of the JSON-RPC message, if there is one. */
  readonly method: string | undefined;
  readonly id: string | number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** When it came, by the clock that may be a fake one. */
  readonly at: number;
}

/** A server that is only a `fetch`, of one era; `odd` answers what it wants to, and leaves the rest. */
export const webPeer = (
  era: 'modern' | 'legacy',
  odd: (request: WebRequest) => Response | Promise<Response> | undefined = () => undefined,
): { readonly fetch: typeof globalThis.fetch; readonly requests: WebRequest[] } => {
  const requests: WebRequest[] = [];
  const serverInfo = { name: 'peer', version: '1' };
  const usual = ({ httpMethod, method, id }: WebRequest): Response => {
    const answer = (result: object): Response => json({ jsonrpc: '2.0', id, result });
    if (httpMethod === 'GET') return new Response(null, { status: 405 });
    if (id === undefined) return new Response(null, { status: httpMethod === 'DELETE' ? 200 : 202 });
    if (method === 'ping') return answer({});
    if (method === 'tools/list') return answer({ tools: TOOLS });
    if (method === 'tools/call') return answer({ content: [{ type: 'text', text: 'done' }] });
    if (method === 'server/discover' && era === 'modern') {
      return answer({ supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, serverInfo });
    }
    if (method === 'initialize' && era === 'legacy') {
      return answer({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo });
    }
    return new Response('Bad Request', { status: 400 });
  };
  return {
    requests,
    fetch: async (_input, init) => {
      const body = init?.body as string | null | undefined;
      const { method, id } = (typeof body === 'string' ? JSON.parse(body) : {}) as Partial<WebRequest>;
      const headers = init?.headers as Readonly<Record<string, string>>;
      const request = { httpMethod: init?.method ?? 'GET', method, id, headers, at: Date.now() };
      requests.push(request);
      return (await odd(request)) ?? usual(request);
    },
  };
};
