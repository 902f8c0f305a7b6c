// What a process pays for importing a client, before it has done anything with it.
import { costOf } from '../support/measure.mjs';

const entries = {
  'rx-mcp': ['../../dist/stdio.js'],
  rxjs: ['rxjs'],
  floor: ['../clients/floors/lines.mjs'],
  'official-2': ['@modelcontextprotocol/client', '@modelcontextprotocol/client/stdio'],
  'official-1': ['@modelcontextprotocol/sdk/client/index.js', '@modelcontextprotocol/sdk/client/stdio.js'],
  'ai-sdk': ['@ai-sdk/mcp', '@ai-sdk/mcp/mcp-stdio'],
};

const run = (client) =>
  costOf(
    async () => {
      for (const entry of entries[client]) await import(entry);
    },
    1,
    1_000,
  );

export const imports = [
  {
    name: 'import',
    title: 'cold import, for stdio',
    unit: 'ms',
    yardstick: 'rxjs',
    clients: Object.keys(entries),
    run: (client) => run(client),
  },
];
