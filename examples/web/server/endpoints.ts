// The two URLs of the demo's server, as functions from a request to a response.
import { randomUUID } from 'node:crypto';
import { createMcpHandler, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { skip, type Subscription } from 'rxjs';
import { createDarkroom } from './darkroom.js';
import type { House } from './house.js';

/** Answers requests, until it is closed. */
export interface Endpoint {
  readonly fetch: (request: Request) => Promise<Response>;
  readonly close: () => Promise<void>;
}

/** Revision 2026-07-28, and no other: each request is answered by a server of its own. */
export const modernEndpoint = (house: House): Endpoint => {
  const handler = createMcpHandler(() => createDarkroom(house).server, { legacy: 'reject' });
  const changes = house.annexOpen$.pipe(skip(1)).subscribe(() => handler.notify.toolsChanged());
  return {
    fetch: (request) => handler.fetch(request),
    close: async () => {
      changes.unsubscribe();
      await handler.close();
    },
  };
};

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly changes: Subscription;
}

const refusal = (status: number, code: number, message: string): Response =>
  Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status });

/** The revisions before, with sessions: each has a server of its own. */
export const legacyEndpoint = (house: House): Endpoint => {
  const sessions = new Map<string, Session>();

  const begin = async (): Promise<WebStandardStreamableHTTPServerTransport> => {
    const { server, enlarge } = createDarkroom(house);
    const changes = house.annexOpen$.pipe(skip(1)).subscribe((isOpen) => {
      if (isOpen) enlarge.enable();
      else enlarge.disable();
    });
    const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, { transport, changes }),
      onsessionclosed: (id) => {
        sessions.get(id)?.changes.unsubscribe();
        sessions.delete(id);
      },
    });
    await server.connect(transport);
    return transport;
  };

  return {
    fetch: async (request) => {
      const id = request.headers.get('mcp-session-id');
      if (id !== null) {
        return sessions.get(id)?.transport.handleRequest(request) ?? refusal(404, -32_001, 'Session not found');
      }
      const body = await request.clone().text();
      if (!body.includes('"initialize"')) return refusal(400, -32_000, 'Bad Request: no session');
      return (await begin()).handleRequest(request);
    },
    close: async () => {
      const ended = [...sessions.values()];
      sessions.clear();
      for (const { transport, changes } of ended) {
        changes.unsubscribe();
        await transport.close();
      }
    },
  };
};
