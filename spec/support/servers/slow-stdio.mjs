// A server that never finishes, and writes what becomes of its calls into a file, with the ids of its process and of one
// that it has started: `slow-stdio.mjs <file> [stubborn]`. A stubborn one heeds no signal but the last.
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

const [file, habit] = process.argv.slice(2);
const note = (line) => appendFileSync(file, `${line}\n`);

const inner = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: 'ignore' });
note(`pids ${process.pid} ${inner.pid}`);

if (habit === 'stubborn') {
  process.on('SIGTERM', () => undefined);
  setInterval(() => undefined, 1_000);
}

serveStdio(() => {
  const server = new McpServer({ name: 'slow', version: '1.0.0' });
  server.registerTool('wait', { inputSchema: z.object({}) }, async (_args, { mcpReq }) => {
    note('started');
    const progressToken = mcpReq._meta?.progressToken;
    const gone = new Promise((resolve) => mcpReq.signal.addEventListener('abort', resolve, { once: true }));
    await mcpReq.notify({
      method: 'notifications/progress',
      params: { progressToken, progress: 1, message: 'waiting' },
    });
    if (!mcpReq.signal.aborted) await gone;
    note('cancelled');
    return { content: [] };
  });
  return server;
});
