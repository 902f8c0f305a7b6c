// A server that answers nothing before so many of its kind are up: `rendezvous-stdio.mjs <folder> <name> <count>`. They meet
// in the folder.
import { readdirSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const [folder, name, count] = process.argv.slice(2);

await new Promise((resolve) => {
  const look = () => {
    if (readdirSync(folder).length < Number(count)) return;
    watcher.close();
    resolve();
  };
  const watcher = watch(folder, look);
  writeFileSync(join(folder, name), '');
  look();
});

serveStdio(() => {
  const server = new McpServer({ name, version: '1.0.0' });
  server.registerTool('meet', {}, () => ({ content: [] }));
  return server;
});
