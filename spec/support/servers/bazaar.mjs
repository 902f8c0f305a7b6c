// A server for specs whose tools, prompts, resources and news change while it is used; in either era.
import { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';

const text = (words) => ({ content: [{ type: 'text', text: words }] });

const names = z.object({ names: z.array(z.string()) });

/** Makes one server. What it is subscribed to and unsubscribed from, the old way, is kept in `journal`. */
export const createBazaar = (journal = []) => {
  const server = new McpServer(
    { name: 'bazaar', version: '1.0.0' },
    { capabilities: { tools: { listChanged: true }, resources: { subscribe: true, listChanged: true } } },
  );
  const stalls = new Map();
  let news = 'quiet';

  const open = (name) => {
    if (!stalls.has(name))
      stalls.set(
        name,
        server.registerTool(name, { description: `Sells ${name}` }, () => text(name)),
      );
  };
  const shut = (name) => {
    stalls.get(name)?.remove();
    stalls.delete(name);
  };

  server.registerTool('open', { description: 'Opens stalls', inputSchema: names }, ({ names: wanted }) => {
    for (const name of wanted) open(name);
    return text('open');
  });

  server.registerTool('shut', { description: 'Shuts stalls', inputSchema: names }, ({ names: wanted }) => {
    for (const name of wanted) shut(name);
    return text('shut');
  });

  server.registerTool(
    'rush',
    { description: 'Opens and shuts so many stalls, and leaves one', inputSchema: z.object({ stalls: z.number() }) },
    ({ stalls: count }) => {
      for (let stall = 1; stall <= count; stall += 1) {
        open(`stall-${stall}`);
        shut(`stall-${stall - 1}`);
      }
      return text('over');
    },
  );

  server.registerTool(
    'tell',
    { description: 'Changes the news', inputSchema: z.object({ news: z.string() }) },
    async (told) => {
      news = told.news;
      await server.server.sendResourceUpdated({ uri: 'bazaar://news' });
      return text('told');
    },
  );

  server.registerTool('post', { description: 'Posts a bill and a prompt', inputSchema: names }, ({ names: posted }) => {
    for (const name of posted) {
      server.registerResource(name, `bazaar://bills/${name}`, {}, ({ href }) => ({
        contents: [{ uri: href, text: name }],
      }));
      server.registerPrompt(name, {}, () => ({ messages: [] }));
    }
    return text('posted');
  });

  server.registerResource('news', 'bazaar://news', {}, ({ href }) => ({ contents: [{ uri: href, text: news }] }));
  server.registerPrompt('haggle', {}, () => ({ messages: [] }));

  for (const method of ['resources/subscribe', 'resources/unsubscribe']) {
    server.server.setRequestHandler(method, ({ params }) => {
      journal.push(`${method} ${params.uri}`);
      return {};
    });
  }

  server.registerTool('journal', { description: 'What was subscribed to' }, () => text(journal.join('\n')));

  server.registerTool('burn', { description: 'Ends the process without a word' }, () => process.exit(3));

  return server;
};
