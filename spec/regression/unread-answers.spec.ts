// A legacy server asks without end and never takes an answer: each answer, and each notice, kept a connection or a line.
import { describe, expect, it } from '@jest/globals';
import type { Subscription } from 'rxjs';
import { connectHttp } from '../../src/index.js';
import { serve } from '../support/http/loopback.js';
import { until } from '../support/http/turns.js';

describe('a legacy server that never answers the POSTs of answers and notices', () => {
  it('has 64 of them open at most, however much it asks and however many calls are given up', async () => {
    let open = 0;
    let most = 0;
    const server = await serve((received, response) => {
      const { method, id } = JSON.parse(received.body === '' ? '{}' : received.body) as {
        method?: string;
        id?: number;
      };
      if (received.method === 'GET') {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (let at = 0; at < 90; at += 1) response.write(`data: {"jsonrpc":"2.0","id":"r${at}","method":"ping"}\n\n`);
      } else if (method === 'initialize') {
        const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'x', version: '1' } };
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
      } else if (method === 'notifications/initialized') response.writeHead(202).end();
      else if (method !== 'tools/call') {
        open += 1;
        most = Math.max(most, open);
      }
    });
    const client = connectHttp({ url: server.url, era: 'legacy' });
    await client.promises.server();
    await until(() => open === 64);
    const calls: Subscription[] = Array.from({ length: 20 }, () =>
      client.callTool('x').subscribe({ error: () => undefined }),
    );
    await until(() => server.received.filter(({ body }) => body.includes('tools/call')).length === 20);
    for (const call of calls) call.unsubscribe();
    await client.close();
    expect(most).toBe(64);
  });
});
