// Node, as ESM: every entry is loaded, and one process and one URL are called.
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { connectHttp, McpError, OptionError } from 'rx-mcp';
import { oauth } from 'rx-mcp/auth';
import { fileTokenStore } from 'rx-mcp/auth/node';
import { openConfig } from 'rx-mcp/config';
import { connectStdio } from 'rx-mcp/stdio';
import { fixtureServer } from 'rx-mcp/testing';
import { loadRecording } from 'rx-mcp/testing/node';
import manifest from 'rx-mcp/package.json' with { type: 'json' };

for (const entry of [oauth, fileTokenStore, openConfig, fixtureServer, loadRecording])
  assert.equal(typeof entry, 'function');
assert.equal(manifest.name, 'rx-mcp');

const http = connectHttp({ url: process.env.SERVER });
const kinds = [];
await http.callTool('bake', { loaves: 3 }, { observe: 'events' }).forEach(({ kind }) => kinds.push(kind));
assert.deepEqual(kinds, ['progress', 'progress', 'progress', 'result']);
await http.close();

const server = fileURLToPath(new URL('server.mjs', import.meta.url));
const stdio = connectStdio({ command: process.execPath, args: [server] });
const { content } = await stdio.promises.callTool('greet', { name: 'you' });
assert.deepEqual(content, [{ type: 'text', text: 'hello, you' }]);
await stdio.close();

assert.throws(
  () => connectStdio({ command: '' }),
  (error) => error instanceof OptionError && error instanceof McpError,
);
console.log('works');
