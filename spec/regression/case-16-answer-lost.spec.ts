import type { ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { connectHttp, EraCache, type HttpOptions, type McpClient } from '../../src/index.js';
import { closing } from '../support/client/connect.js';
import { rejection } from '../support/client/watch.js';
import { event, messageOf, reply, serve, stream } from '../support/http/loopback.js';
import { asJson, peer, type Writing } from '../support/http/peer.js';

const client = (url: string, options: Partial<HttpOptions> = {}): McpClient =>
  closing(connectHttp({ url, eraCache: new EraCache(), ...options }));

const progress = event({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 0, progress: 1 } });

/** Ways in which the stream of an answer ends without it. */
const ENDS: readonly (readonly [string, Writing])[] = [
  ['an empty stream', (response) => stream(response).end()],
  ['a stream that ends after a comment', (response) => stream(response).end(': bye\n\n')],
  ['a stream that ends after a report', (response) => stream(response).end(progress)],
  ['a stream that ends inside the answer', (response, answer) => stream(response).end(event(answer).slice(0, 40))],
  ['a stream that breaks', (response) => stream(response).write(progress, () => response.destroy())],
  ['a connection that breaks before anything was said', (response) => response.destroy()],
];

/** How calls of tools are answered: first so, and then as they should be. */
const once = (write: Writing): Writing => {
  const ways = [write];
  return (...args) => (ways.shift() ?? asJson)(...args);
};

describe.each(['modern', 'legacy'] as const)('case 16: an answer that is lost, from a %s server', (era) => {
  it.each(ENDS)('ends a call that may act twice at once: %s', async (_how, write) => {
    const ran: string[] = [];
    const server = await serve(peer({ era, ran, call: once(write) }));
    const one = client(server.url, { trustAnnotations: 'all' });
    await one.promises.listTools();
    expect(await rejection(one.promises.callTool('pay', {}, { timeoutMs: 0, maxTotalMs: 0 }))).toMatchObject({
      name: 'OutcomeUnknownError',
      method: 'tools/call',
      id: expect.any(Number),
    });
    expect(ran).toEqual(['pay']);
    await expect(one.promises.callTool('pay')).resolves.toBeDefined();
  });

  it.each(ENDS)('is asked for once more where that does no harm: %s', async (_how, write) => {
    const ran: string[] = [];
    const server = await serve(peer({ era, ran, call: once(write) }));
    const one = client(server.url, { trustAnnotations: 'all' });
    await one.promises.listTools();
    await expect(one.promises.callTool('look')).resolves.toBeDefined();
    expect(ran).toEqual(['look', 'look']);
    const ids = server.received.map(messageOf).filter(({ method }) => method === 'tools/call');
    expect(new Set(ids.map(({ id }) => id)).size).toBe(2);
  });

  it('is asked for once more where it is only read, whatever is trusted, and not a third time', async () => {
    let lists = 0;
    const server = await serve(
      peer({
        era,
        rest: (response, answer, received) => {
          if (messageOf(received).method !== 'tools/list') return asJson(response, answer, received);
          lists += 1;
          return lists === 2 ? asJson(response, answer, received) : stream(response).end();
        },
      }),
    );
    const one = client(server.url, { trustAnnotations: 'none', cache: false });
    await expect(one.promises.listTools()).resolves.toHaveLength(2);
    expect(await rejection(one.promises.listTools())).toMatchObject({ name: 'NetworkError' });
    expect(lists).toBe(4);
  });
});

describe('case 16: an answer that is lost, from a server of HTTP+SSE', () => {
  it('ends the call at once with the stream that it would have come on', async () => {
    const calls: unknown[] = [];
    let own: ServerResponse | undefined;
    const server = await serve((received, response) => {
      if (received.method === 'GET') {
        own = stream(response);
        return own.write(event('/messages', { type: 'endpoint' }));
      }
      if (received.path !== '/messages') return reply(response, 404);
      const { id, method } = messageOf(received);
      const result = {
        protocolVersion: '2024-11-05',
        capabilities: { tools: {} },
        serverInfo: { name: 'a', version: '1' },
      };
      if (method === 'tools/call') {
        calls.push(id);
        own?.end();
      } else if (id !== undefined) own?.write(event({ jsonrpc: '2.0', id, result }));
      return reply(response, 202);
    });
    const one = client(server.url);
    expect(await one.promises.ping()).toBe(true);
    expect(await rejection(one.promises.callTool('pay', {}, { timeoutMs: 0, maxTotalMs: 0 }))).toMatchObject({
      name: 'OutcomeUnknownError',
    });
    expect(calls).toHaveLength(1);
    expect(await one.promises.ping()).toBe(true);
  });
});
