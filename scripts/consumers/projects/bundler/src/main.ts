// TypeScript as bundlers read it, for a page: without the types of Node, and with the libraries of a browser alone.
import { type CallToolResult, connectHttp, type McpClient, type Tool } from 'rx-mcp';
import { oauth } from 'rx-mcp/auth';
import { fixtureServer } from 'rx-mcp/testing';
import { filter, map, type Observable } from 'rxjs';

export const mcp: McpClient = connectHttp({ url: new URL('/mcp', location.href) });
export const tools$: Observable<readonly Tool[]> = mcp.tools$;
export const done$: Observable<CallToolResult> = mcp.callTool('bake', { loaves: 3 }, { observe: 'events' }).pipe(
  filter((event) => event.kind === 'result'),
  map(({ result }) => result),
);
export const others = [oauth, fixtureServer];
