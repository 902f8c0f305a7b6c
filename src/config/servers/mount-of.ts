import { defaultIfEmpty, type Observable, switchMap, take } from 'rxjs';
import type { Mount } from '../../bridge/router/mount.js';
import { offerBackend, offeredBackend } from '../../bridge/own-backend.js';
import type { ToolProvider } from '../../bridge/index.js';
import type { Tool } from '../../protocol/schemas/index.js';
import type { ManagedServer } from '../managed/managed-server.js';

/** The list of a server that is connected; of any other, at once, what it has without being asked. */
const listOf = (server: ManagedServer, ask: () => Observable<readonly Tool[]>): Observable<readonly Tool[]> =>
  server.status$.pipe(
    // One that dies meanwhile is waited for no longer: while it is started again it has what it had.
    switchMap(({ status }) => (status === 'connected' ? ask() : server.tools$.pipe(take(1)))),
    take(1),
    defaultIfEmpty([]),
  );

/**
 * A managed server where it stands among others, by its key: under the names its tools have already. Nobody who lists the
 * tools of all waits for one that is being started.
 */
export const mountOf = (server: ManagedServer): Mount => {
  const provider: ToolProvider = {
    tellsEvents: true,
    toolsForLlm: () => server.toolsForLlm(),
    executeToolCalls: (calls, options) => server.executeToolCalls(calls, options),
    listTools: (options) => listOf(server, () => server.listTools(options)),
    knownTools: () => listOf(server, () => server.knownTools()),
    tools$: server.tools$,
  };
  const backend = offeredBackend(server);
  if (backend !== undefined) offerBackend(provider, backend, provider);
  return { prefix: server.key, provider, whole: server.toolPrefix };
};
