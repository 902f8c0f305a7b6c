// A server that has a tool for each file in a folder: `changing-stdio.mjs <form> <folder>`, where `legacy` knows no other era.
import { readdirSync, watch } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';

const [form, folder] = process.argv.slice(2);

const create = () => {
  const server = new McpServer(
    { name: 'changing', version: '1.0.0' },
    { capabilities: { logging: {}, tools: { listChanged: true } } },
  );
  const tools = new Map();
  const look = () => {
    const names = readdirSync(folder);
    for (const name of names) {
      if (!tools.has(name))
        tools.set(
          name,
          server.registerTool(name, {}, () => ({ content: [] })),
        );
    }
    for (const [name, tool] of tools) {
      if (names.includes(name)) continue;
      tools.delete(name);
      tool.remove();
    }
  };
  look();
  watch(folder, look);
  return server;
};

if (form === 'legacy') await create().connect(new StdioServerTransport());
else serveStdio(create);
