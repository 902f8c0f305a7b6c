import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach } from '@jest/globals';
import { firstValueFrom, Subject } from 'rxjs';

/** One request, as it came. */
export interface Received {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Answers a request. What it throws, or rejects with, is answered by a 500 that says so. */
export type Handler = (received: Received, response: ServerResponse, request: IncomingMessage) => unknown;

/** A server on loopback, closed after its spec. */
export interface Loopback {
  readonly port: number;
  readonly origin: string;
  /** The endpoint: `/mcp`. */
  readonly url: string;
  /** Every request whose body has come, in order. */
  readonly received: Received[];
  /** How many connections were made to it. */
  readonly connections: number;
  /** Resolves when `condition` holds; looked at with each request and each connection that ends. */
  until(condition: () => boolean): Promise<void>;
  /** How many connections are open. */
  readonly open: number;
  /** Breaks every connection that is open. */
  cut(): void;
  /** Ends every connection that is open, and resolves when the other side has noticed. */
  hangUp(): Promise<void>;
  /** Resolves when nothing of it is left, so that its port can be had again. */
  close(): Promise<void>;
}

const running = new Set<Loopback>();

const listening = async (server: Server, port: number): Promise<number> => {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

/** Starts a server whose every request is answered by `handler`. */
export const serve = async (handler: Handler, wantedPort = 0): Promise<Loopback> => {
  const sockets = new Set<Socket>();
  const received: Received[] = [];
  const changes = new Subject<void>();
  let connections = 0;
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const { method = '', url = '', headers } = request;
      const one = { method, path: url, headers, body: await text(request) };
      received.push(one);
      changes.next();
      await handler(one, response, request);
    };
    answer().catch((reason: unknown) => {
      if (response.headersSent || response.destroyed) return;
      response.writeHead(500).end(String(reason));
    });
  });
  server.on('connection', (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => {
      sockets.delete(socket);
      changes.next();
    });
    socket.on('error', () => undefined);
  });
  const port = await listening(server, wantedPort);
  const loopback: Loopback = {
    port,
    origin: `http://127.0.0.1:${String(port)}`,
    url: `http://127.0.0.1:${String(port)}/mcp`,
    received,
    get connections() {
      return connections;
    },
    get open() {
      return sockets.size;
    },
    async until(condition) {
      while (!condition()) await firstValueFrom(changes);
    },
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    async hangUp() {
      const ended = [...sockets];
      for (const socket of ended) socket.end();
      await loopback.until(() => !ended.some((socket) => sockets.has(socket)));
    },
    async close() {
      running.delete(loopback);
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      loopback.cut();
      await closed;
    },
  };
  running.add(loopback);
  return loopback;
};

afterEach(async () => {
  await Promise.all([...running].map((loopback) => loopback.close()));
});

/** Answers with a status, headers and a body. */
export const reply = (
  response: ServerResponse,
  status: number,
  body: string | object = '',
  headers: Readonly<Record<string, string>> = {},
): ServerResponse => {
  const isText = typeof body === 'string';
  response.writeHead(status, { ...(isText ? undefined : { 'content-type': 'application/json' }), ...headers });
  return response.end(isText ? body : JSON.stringify(body));
};

/** An event of an event stream, as text. */
export const event = (
  data: string | object,
  { id, type, retry }: { readonly id?: string; readonly type?: string; readonly retry?: number } = {},
): string =>
  [
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(type === undefined ? [] : [`event: ${type}`]),
    ...(retry === undefined ? [] : [`retry: ${String(retry)}`]),
    `data: ${typeof data === 'string' ? data : JSON.stringify(data)}`,
    '',
    '',
  ].join('\n');

/** Begins an event stream. */
export const stream = (response: ServerResponse, headers: Readonly<Record<string, string>> = {}): ServerResponse => {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', ...headers });
  response.flushHeaders();
  return response;
};

/** The JSON-RPC message in a request; `{}` where there is none. */
export const messageOf = ({
  body,
}: Received): {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
} => (body === '' ? {} : (JSON.parse(body) as object));
