// A server of the protocol as a process, without a package: one tool, in the era that has no handshake.
import { createInterface } from 'node:readline';

const VERSION = '2026-07-28';

const answers = {
  'server/discover': () => ({
    supportedVersions: [VERSION],
    capabilities: { tools: {} },
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'greeter', version: '1.0.0' } },
  }),
  'tools/list': () => ({ tools: [{ name: 'greet', inputSchema: { type: 'object' } }] }),
  'tools/call': ({ arguments: { name } }) => ({ content: [{ type: 'text', text: `hello, ${name}` }] }),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = { resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...answers[method]?.(params) };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
});
