// TypeScript as Node reads it, with the types of Node: every entry, from an ES module.
import { type CallToolResult, connectHttp, type HttpOptions, McpError } from 'rx-mcp';
import { AuthorizationError, oauth } from 'rx-mcp/auth';
import { fileTokenStore, loopbackRedirect } from 'rx-mcp/auth/node';
import { openConfig } from 'rx-mcp/config';
import { connectStdio, type StdioOptions } from 'rx-mcp/stdio';
import { fixtureServer } from 'rx-mcp/testing';
import { loadRecording } from 'rx-mcp/testing/node';

const options: HttpOptions = { url: process.env['SERVER'] ?? '' };
const stdio: StdioOptions = { command: 'never-started' };
export const entries = [
  oauth,
  fileTokenStore,
  loopbackRedirect,
  openConfig,
  fixtureServer,
  loadRecording,
  connectStdio,
  stdio,
];

const mcp = connectHttp(options);
const seen: number[] = [];
let last: CallToolResult | undefined;
await mcp.callTool('bake', { loaves: 3 }, { observe: 'events' }).forEach((event) => {
  if (event.kind === 'progress') seen.push(event.progress);
  if (event.kind === 'result') last = event.result;
});
await mcp.close();
const [content] = last?.content ?? [];
if (seen.join() !== '1,2,3' || content?.type !== 'text' || content.text !== '3 loaves') throw new Error('not baked');
const error: McpError = new AuthorizationError('discovery', 'no');
if (!(error instanceof McpError)) throw new Error('two classes of one name');
console.log('works');
