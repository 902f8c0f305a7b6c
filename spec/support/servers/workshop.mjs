// A server for specs, on the official server package: something of everything, in either era.
import { completable, McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import * as z from 'zod';

const text = (words) => ({ content: [{ type: 'text', text: words }] });

const TOOLS = ['hammer', 'handsaw', 'plane'];

/** Makes one server; what happened to its handlers is kept in `journal`, which servers may share. */
export const createWorkshop = (journal = []) => {
  const server = new McpServer(
    { name: 'workshop', version: '1.2.3' },
    { capabilities: { logging: {} }, instructions: 'mind your fingers' },
  );

  server.registerTool(
    'add',
    {
      description: 'Adds two numbers',
      inputSchema: z.object({ a: z.number(), b: z.number() }),
      outputSchema: z.object({ sum: z.number() }),
      annotations: { readOnlyHint: true, idempotentHint: true },
    },
    ({ a, b }) => ({ ...text(String(a + b)), structuredContent: { sum: a + b } }),
  );

  server.registerTool(
    'saw',
    { description: 'Reports and logs each cut', inputSchema: z.object({ cuts: z.number().int() }) },
    async ({ cuts }, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken;
      for (let progress = 1; progress <= cuts; progress += 1) {
        await mcpReq.log('info', `cut ${progress}`);
        await mcpReq.log('debug', 'sawdust');
        if (progressToken === undefined) continue;
        const params = { progressToken, progress, total: cuts, message: `cut ${progress} of ${cuts}` };
        await mcpReq.notify({ method: 'notifications/progress', params });
      }
      return text(`${cuts} cuts`);
    },
  );

  server.registerTool(
    'wait',
    {
      description: 'Reports once and then waits until nobody wants it any more',
      inputSchema: z.object({ id: z.string() }),
    },
    async ({ id }, { mcpReq }) => {
      const { signal } = mcpReq;
      const progressToken = mcpReq._meta?.progressToken;
      journal.push(`${id} started`);
      const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      if (progressToken !== undefined) {
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress: 1 } });
      }
      if (!signal.aborted) await aborted;
      journal.push(`${id} aborted`);
      return text('too late');
    },
  );

  server.registerTool('journal', { description: 'What happened here' }, () => text(journal.join('\n')));

  server.registerTool('fail', { description: 'Fails as a result' }, () => ({
    ...text('the blade broke'),
    isError: true,
  }));

  server.registerResource(
    'motto',
    'workshop://motto',
    { description: 'Over the door', mimeType: 'text/plain' },
    ({ href }) => ({ contents: [{ uri: href, mimeType: 'text/plain', text: 'measure twice, cut once' }] }),
  );

  server.registerResource(
    'tool',
    new ResourceTemplate('workshop://tools/{name}', {
      list: undefined,
      complete: { name: (value) => TOOLS.filter((name) => name.startsWith(value)) },
    }),
    { description: 'A tool on the wall' },
    ({ href }, { name }) => ({ contents: [{ uri: href, text: `a ${name}` }] }),
  );

  server.registerPrompt(
    'order',
    {
      description: 'Orders a piece of furniture',
      argsSchema: z.object({ piece: z.string(), wood: completable(z.string(), () => ['oak', 'ash']) }),
    },
    ({ piece, wood }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: `Build a ${piece} of ${wood}.` } }],
    }),
  );

  return server;
};
