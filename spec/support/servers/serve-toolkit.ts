import { ProtocolError as OfficialError, Server, type ServerContext } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { type Observable, Subscription } from 'rxjs';
import type { LocalTools } from '../../../src/bridge/toolkit/local-tools.js';
import { type CallEvent, type CallToolResult, type InMemoryServer, ProtocolError } from '../../../src/index.js';

type Served = Pick<LocalTools, 'listTools' | 'get' | 'call'>;

/** Runs a call, tells its events to the client in order, and resolves with its result. */
const answer = (call$: Observable<CallEvent<CallToolResult>>, { mcpReq }: ServerContext): Promise<CallToolResult> =>
  new Promise((resolve, reject) => {
    const progressToken = mcpReq._meta?.progressToken;
    let told: Promise<unknown> = Promise.resolve();
    const call = new Subscription();
    mcpReq.signal.addEventListener('abort', () => {
      call.unsubscribe();
    });
    const tell = (event: CallEvent<CallToolResult>): Promise<unknown> | undefined => {
      if (event.kind === 'log') return mcpReq.log(event.level, event.data, event.logger);
      if (event.kind !== 'progress' || progressToken === undefined) return undefined;
      const { progress, total, message } = event;
      const params = { progressToken, progress, total, message };
      return mcpReq.notify({ method: 'notifications/progress', params });
    };
    call.add(
      call$.subscribe({
        next: (event) => {
          told = told.then(() => (event.kind === 'result' ? resolve(event.result) : tell(event)));
        },
        error: (reason: unknown) => {
          const refused = reason instanceof ProtocolError;
          reject(refused ? new OfficialError(reason.code, reason.message) : (reason as Error));
        },
      }),
    );
  });

/** The tools of a toolkit behind a server of the official package: one for each connection. */
const serverOf = (tools: Served): Server => {
  const server = new Server({ name: 'toolkit', version: '1.0.0' }, { capabilities: { tools: {}, logging: {} } });
  server.setRequestHandler('tools/list', () => ({ tools: [...tools.listTools()] }));
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: args } }, context) => {
    const schema = tools.get(name)?.outputSchema;
    // A legacy client takes no structured content but objects: the package wraps what is none.
    return server.projectCallToolResult(await answer(tools.call(name, args), context), schema);
  });
  return server;
};

/**
 * Serves a toolkit by the official server package in this process, to be reached by `connectInMemory`: the same tools
 * through a real client. In either era.
 */
export const serveToolkit = ({ source }: { readonly source: Served }): InMemoryServer => ({
  connect: (transport) => serveStdio(() => serverOf(source), { transport }),
});
