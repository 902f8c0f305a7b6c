// A server on the package of the generation before: legacy only.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import * as z from 'zod';

const text = (words) => ({ content: [{ type: 'text', text: words }] });

/** Makes one server; what happened to its handlers is kept in `journal`. */
export const createAncestor = (journal = []) => {
  const server = new McpServer({ name: 'ancestor', version: '0.9.0' }, { capabilities: { logging: {} } });

  server.registerTool(
    'count',
    { inputSchema: { to: z.number().int() } },
    async ({ to }, { _meta, sendNotification, signal }) => {
      const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      for (let progress = 1; progress <= to && _meta?.progressToken !== undefined; progress += 1) {
        const params = { progressToken: _meta.progressToken, progress, total: to };
        await sendNotification({ method: 'notifications/progress', params });
      }
      await sendNotification({ method: 'notifications/message', params: { level: 'info', data: 'counted' } });
      if (to > 0) return text(String(to));
      journal.push('started');
      await aborted;
      journal.push('aborted');
      return text('too late');
    },
  );

  server.registerResource('age', 'ancestor://age', {}, ({ href }) => ({ contents: [{ uri: href, text: 'old' }] }));

  server.registerPrompt('ask', { argsSchema: { what: z.string() } }, ({ what }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `What is ${what}?` } }],
  }));

  return server;
};
