import { fileURLToPath } from 'node:url';
import { connectStdio, type StdioOptions } from '../../../src/bridge/stdio.js';
import { EraCache, type McpClient } from '../../../src/index.js';
import { closing } from '../client/connect.js';

const SERVER = fileURLToPath(new URL('../children/field-server.mjs', import.meta.url));

/** A client of a server with a habit, as a process; closed after its spec. */
export const field = (habit: string, argument = '', options: Partial<StdioOptions> = {}): McpClient =>
  closing(
    connectStdio({
      command: process.execPath,
      args: [SERVER, habit, argument],
      eraCache: new EraCache(),
      killGraceMs: 500,
      ...options,
    }),
  );
