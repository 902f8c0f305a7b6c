// A client over HTTP, and the server that it talks to: once in each protocol era, at the same address.
//
//   npm run example:http
//
// In a program of your own, import from 'rx-mcp'.
import { EventEmitter, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { filter, tap, takeWhile } from 'rxjs';
import * as z from 'zod';
import { type CallEvent, type CallToolResult, connectHttp, type McpClient } from '../src/index.js'; // 'rx-mcp'

/** Says `stopped` when it learns that an order is no longer wanted. */
const bakery = new EventEmitter();

/** A server with one tool, which takes its time and reports on it. */
const createBakery = (): McpServer => {
  const server = new McpServer({ name: 'bakery', version: '1.0.0' });
  server.registerTool(
    'bake',
    { description: 'Bakes loaves, and reports on each', inputSchema: z.object({ loaves: z.number().int() }) },
    async ({ loaves }, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken;
      mcpReq.signal.addEventListener('abort', () => bakery.emit('stopped'));
      for (let progress = 1; progress <= loaves && !mcpReq.signal.aborted; progress += 1) {
        await pause(20);
        if (progressToken === undefined) continue;
        const params = { progressToken, progress, total: loaves, message: `loaf ${progress} of ${loaves}` };
        await mcpReq.notify({ method: 'notifications/progress', params });
      }
      return { content: [{ type: 'text', text: `${loaves} loaves` }] };
    },
  );
  return server;
};

/** Puts it behind `node:http`: every request has an instance of its own, whichever era it speaks. */
const listen = async (): Promise<{ readonly url: string; readonly server: Server }> => {
  const { fetch } = createMcpHandler(createBakery);
  const server = createServer((request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    const gone = new AbortController();
    // Whoever hangs up wants nothing any more: that is how a modern call is cancelled.
    response.on('close', () => {
      if (!response.writableEnded) gone.abort();
    });
    const answer = async (): Promise<void> => {
      const body = await text(request);
      const init = { method, headers: headers as Record<string, string>, body: body || null, signal: gone.signal };
      const answered = await fetch(new Request(new URL(url, `http://${headers.host}`), init));
      response.writeHead(answered.status, Object.fromEntries(answered.headers));
      for await (const chunk of answered.body ?? []) response.write(chunk);
      response.end();
    };
    answer().catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, server };
};

const show = (event: CallEvent<CallToolResult>): void => {
  if (event.kind === 'progress') console.log(`  ${event.message ?? event.progress}`);
  if (event.kind === 'result') console.log('  done:', event.result.content[0]);
};

const visit = async (mcp: McpClient): Promise<void> => {
  const { era, protocolVersion, info } = await mcp.promises.server();
  console.log(`${info?.name}, ${era} era, ${protocolVersion}`);
  for (const tool of await mcp.promises.listTools()) console.log(`  ${tool.name}: ${tool.description}`);

  // All of a call's events, the result last.
  await mcp.callTool('bake', { loaves: 3 }, { observe: 'events' }).forEach(show);

  // Whoever unsubscribes has cancelled, and the server is told: by hanging up, or by a notice.
  const stopped = once(bakery, 'stopped');
  const few$ = mcp.callTool('bake', { loaves: 1_000 }, { observe: 'events' }).pipe(
    tap(show),
    filter((event) => event.kind === 'progress'),
    takeWhile(({ progress }) => progress < 2),
  );
  await few$.forEach(() => undefined);
  await stopped;
  console.log('  that is enough, and the bakery knows');
};

const { url, server } = await listen();
for (const era of ['auto', 'legacy'] as const) {
  await using mcp = connectHttp({ url, era });
  await visit(mcp);
}
server.close();
server.closeAllConnections();
