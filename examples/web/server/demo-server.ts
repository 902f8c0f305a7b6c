import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { concatMap, type Subscription, timer } from 'rxjs';
import { corsHeaders, isWelcome } from './cors.js';
import { type Endpoint, legacyEndpoint, modernEndpoint } from './endpoints.js';
import { House } from './house.js';

const SIGNED = '<!doctype html><html lang="en"><title>Release</title><h1>Signed</h1><p>You may close this page.</p>';

/** Passes a response on, as it comes. */
const pass = async (answer: Response, response: ServerResponse): Promise<void> => {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.flushHeaders();
  const reader = answer.body?.getReader();
  response.on('close', () => void reader?.cancel().catch(() => undefined));
  for (;;) {
    const chunk = await reader?.read();
    if (chunk === undefined || chunk.done) break;
    response.write(chunk.value);
  }
  response.end();
};

/** The demo's server: revision 2026-07-28 at `/mcp`, those before at `/legacy`, and a page to be sent to at `/sign`. */
export class DemoServer {
  readonly #house = new House();
  #endpoints = new Map<string, Endpoint>();
  #server: Server | undefined;
  #port: number;
  readonly #leaving: Subscription;

  /** @param port where it listens on loopback; 0 is any that is free, and the same from then on */
  constructor(port = 0) {
    this.#port = port;
    this.#leaving = this.#house.leaving$
      .pipe(
        // The answer to whoever sent it away is still on its way.
        concatMap((ms) =>
          timer(100).pipe(
            concatMap(() => this.stop()),
            concatMap(() => timer(ms)),
            concatMap(() => this.start()),
          ),
        ),
      )
      .subscribe({ error: (reason: unknown) => console.error('the demo server is gone:', reason) });
  }

  /** The two endpoints, modern and legacy. */
  get urls(): { readonly modern: string; readonly legacy: string } {
    return { modern: `${this.#house.origin}/mcp`, legacy: `${this.#house.origin}/legacy` };
  }

  /** Listens; what it knew before it was stopped it still knows, but for its sessions. */
  async start(): Promise<void> {
    this.#endpoints = new Map([
      ['/mcp', modernEndpoint(this.#house)],
      ['/legacy', legacyEndpoint(this.#house)],
    ]);
    const server = createServer((request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
    server.listen(this.#port, '127.0.0.1');
    await once(server, 'listening');
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port;
    this.#house.origin = `http://127.0.0.1:${this.#port}`;
  }

  /** Breaks every connection and forgets every session, as a death does. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
    for (const endpoint of this.#endpoints.values()) await endpoint.close();
  }

  /** Stops it for good. */
  async close(): Promise<void> {
    this.#leaving.unsubscribe();
    await this.stop();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', headers } = request;
    const url = new URL(request.url ?? '/', this.#house.origin);
    const { origin } = headers;
    // Every page on the web can reach loopback: only those of this machine are answered.
    if (origin !== undefined && !isWelcome(origin)) return void response.writeHead(403).end();
    for (const [name, value] of Object.entries(origin === undefined ? {} : corsHeaders(origin)))
      response.setHeader(name, value);
    if (method === 'OPTIONS') return void response.writeHead(204).end();
    if (url.pathname === '/sign') return void response.writeHead(200, { 'content-type': 'text/html' }).end(SIGNED);
    const endpoint = this.#endpoints.get(url.pathname);
    if (endpoint === undefined) return void response.writeHead(404).end();
    const gone = new AbortController();
    // Whoever hangs up wants nothing any more: that is how a modern call is cancelled.
    response.on('close', () => gone.abort());
    const body = await text(request);
    const init = { method, headers: headers as Record<string, string>, body: body || null, signal: gone.signal };
    await pass(await endpoint.fetch(new Request(url, init)), response);
  }
}
