import { fileURLToPath } from 'node:url';
import { connectStdio, type StdioOptions } from '../../../src/bridge/stdio.js';
import { EraCache, type McpClient } from '../../../src/index.js';
import { closing } from '../client/connect.js';

/** A client of a published server of the devDependencies, by the name of its command; closed after its spec. */
export const published = (command: string, args: readonly string[], options: Partial<StdioOptions> = {}): McpClient =>
  closing(
    connectStdio({
      command: fileURLToPath(new URL(`../../../node_modules/.bin/${command}`, import.meta.url)),
      args,
      eraCache: new EraCache(),
      ...options,
    }),
  );
