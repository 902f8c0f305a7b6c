import { catchError, concatMap, forkJoin, map, of, throwError } from 'rxjs';
import type { Observable } from 'rxjs';
import { ProtocolError } from '../../src/index.js'; // 'rx-mcp'
import type { McpClient, Tool } from '../../src/index.js';
import type { Happening } from './happenings.js';
import { oneLine } from './text.js';

/** How many there are. Some servers declare a list and then refuse it; that is no reason to end. */
const count = (list$: Observable<readonly unknown[]>): Observable<number | 'refused'> =>
  list$.pipe(
    map(({ length }) => length),
    catchError((reason: unknown) =>
      reason instanceof ProtocolError ? of('refused' as const) : throwError(() => reason),
    ),
  );

const describe = (tools: readonly Tool[]): string[] => {
  const width = Math.min(30, Math.max(...tools.map(({ name }) => name.length)));
  return tools.map(({ name, description = '' }) =>
    `  ${oneLine(name).padEnd(width)}  ${oneLine(description, 90)}`.trimEnd(),
  );
};

/** Whom we talk to, in which revision, and what they offer. The first use of the client: this starts the server. */
export const listing = (mcp: McpClient): Observable<Happening> =>
  forkJoin({
    server: mcp.server(),
    tools: mcp.listTools(),
    prompts: count(mcp.listPrompts()),
    resources: count(mcp.listResources()),
  }).pipe(
    concatMap(({ server: { era, protocolVersion, info }, tools, prompts, resources }) => [
      `era: ${era}`,
      `version: ${oneLine(protocolVersion)}`,
      ...describe(tools),
      `server: ${oneLine(info === undefined ? 'it gave no name' : `${info.name} ${info.version}`)}`,
      `tools: ${tools.length}, prompts: ${prompts}, resources: ${resources}`,
    ]),
    map((text) => ({ kind: 'line', text })),
  );
