// A server that counts what its tools did: `pay` must not run twice, `look` may.
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';

/** Makes one server for `fetch`, of both eras at one endpoint. `ran` keeps each run, by the tool and what it was for. */
export const createTill = (ran) =>
  createMcpHandler(() => {
    const server = new McpServer({ name: 'till', version: '1.0.0' });
    const run =
      (name) =>
      async ({ what }) => {
        ran.push(`${name} ${what}`);
        return { content: [{ type: 'text', text: `${name}: ${what} ${'.'.repeat(200)}` }] };
      };
    const inputSchema = z.object({ what: z.string() });
    server.registerTool('pay', { inputSchema }, run('pay'));
    server.registerTool('look', { inputSchema, annotations: { readOnlyHint: true } }, run('look'));
    return server;
  });
