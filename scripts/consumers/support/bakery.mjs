/**
 * What the fresh projects talk to: a server of the protocol at `/mcp`, of the official package, in either era, and the
 * files of one folder beside it, so that a page has the origin of its server.
 */
import { EventEmitter, once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.map': 'application/json' };

const createBakery = (happenings) => () => {
  const server = new McpServer({ name: 'bakery', version: '1.0.0' });
  server.registerTool(
    'bake',
    { description: 'Bakes loaves, and reports on each', inputSchema: z.object({ loaves: z.number().int() }) },
    async ({ loaves }, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken;
      mcpReq.signal.addEventListener('abort', () => happenings.emit('stopped'));
      for (let progress = 1; progress <= loaves && !mcpReq.signal.aborted; progress += 1) {
        await pause(10);
        if (progressToken === undefined) continue;
        const params = { progressToken, progress, total: loaves, message: `loaf ${progress} of ${loaves}` };
        await mcpReq.notify({ method: 'notifications/progress', params });
      }
      return { content: [{ type: 'text', text: `${loaves} loaves` }] };
    },
  );
  return server;
};

const answerWith = async (handle, request, response) => {
  const gone = new AbortController();
  response.on('close', () => {
    if (!response.writableEnded) gone.abort();
  });
  const body = await text(request);
  const { method, headers } = request;
  const url = new URL(request.url, `http://${headers.host}`);
  const answered = await handle(new Request(url, { method, headers, body: body || null, signal: gone.signal }));
  response.writeHead(answered.status, Object.fromEntries(answered.headers));
  for await (const chunk of answered.body ?? []) response.write(chunk);
  response.end();
};

const sendFile = async (folder, path, response) => {
  const file = normalize(join(folder, path === '/' ? 'index.html' : path));
  const bytes =
    folder !== undefined && file.startsWith(folder) ? await readFile(file).catch(() => undefined) : undefined;
  if (bytes === undefined) return response.writeHead(404).end();
  response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' }).end(bytes);
};

/**
 * Opens it on the loopback interface. `happenings` says `stopped` whenever a call is given up by its client.
 * @param folder the files that are served, if any
 */
export const openBakery = async (folder) => {
  const happenings = new EventEmitter();
  const { fetch: handle } = createMcpHandler(createBakery(happenings));
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const answer = pathname === '/mcp' ? answerWith(handle, request, response) : sendFile(folder, pathname, response);
    answer.catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${server.address().port}`;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { origin, url: `${origin}/mcp`, happenings, close };
};
