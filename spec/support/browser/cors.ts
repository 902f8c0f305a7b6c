import { corsHeaders } from '../../../examples/web/server/cors.js';
import type { Handler } from '../http/loopback.js';

/** Lets pages of any origin in; `extra` are headers of the caller's own that they may send. */
export const withCors =
  (handler: Handler, extra: readonly string[] = []): Handler =>
  (received, response, request) => {
    const headers: Record<string, string> = { ...corsHeaders(String(received.headers['origin'] ?? '*')) };
    headers['access-control-allow-headers'] = [headers['access-control-allow-headers'], ...extra].join(', ');
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (received.method === 'OPTIONS') return response.writeHead(204).end();
    return handler(received, response, request);
  };
