import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { connectStdio } from '../../../src/bridge/stdio.js';
import { type ClientOptions, connectInMemory, EraCache, type McpClient } from '../../../src/index.js';
import { closing } from '../client/connect.js';
import { createInterview } from './interview.mjs';
import { program } from '../programs/program.js';

const SCRIPT = program('servers', 'interview-stdio');

/** How the interview is reached: as a child, or in this process. */
export const WAYS = ['over stdio', 'in memory'] as const;

/** A client of the interview, which asks before it answers; closed after its spec. `form`: see `interview-stdio.mjs`. */
export const interview = (
  way: (typeof WAYS)[number],
  options: ClientOptions = {},
  form: 'modern' | 'dual' = 'modern',
): McpClient => {
  const given = { eraCache: new EraCache(), ...options };
  if (way === 'over stdio') {
    return closing(connectStdio({ command: process.execPath, args: [SCRIPT, form], ...given }));
  }
  const legacy = form === 'modern' ? 'reject' : 'serve';
  const journal: unknown[] = [];
  return closing(
    connectInMemory(
      { connect: (transport) => serveStdio(() => createInterview(journal), { transport, legacy }) },
      given,
    ),
  );
};
