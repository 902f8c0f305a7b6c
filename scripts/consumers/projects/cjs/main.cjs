// Node, as CommonJS: the same.
const assert = require('node:assert/strict');
const { join } = require('node:path');
const { connectHttp, McpClient, McpError, OptionError } = require('rx-mcp');
const { oauth } = require('rx-mcp/auth');
const { fileTokenStore } = require('rx-mcp/auth/node');
const { openConfig } = require('rx-mcp/config');
const { connectStdio } = require('rx-mcp/stdio');
const { fixtureServer } = require('rx-mcp/testing');
const { loadRecording } = require('rx-mcp/testing/node');
const manifest = require('rx-mcp/package.json');

for (const entry of [oauth, fileTokenStore, openConfig, fixtureServer, loadRecording])
  assert.equal(typeof entry, 'function');
assert.equal(manifest.name, 'rx-mcp');

const main = async () => {
  const http = connectHttp({ url: process.env.SERVER });
  const kinds = [];
  await http.callTool('bake', { loaves: 3 }, { observe: 'events' }).forEach(({ kind }) => kinds.push(kind));
  assert.deepEqual(kinds, ['progress', 'progress', 'progress', 'result']);
  await http.close();

  const stdio = connectStdio({ command: process.execPath, args: [join(__dirname, 'server.mjs')] });
  assert.ok(stdio instanceof McpClient);
  const { content } = await stdio.promises.callTool('greet', { name: 'you' });
  assert.deepEqual(content, [{ type: 'text', text: 'hello, you' }]);
  await stdio.close();

  assert.throws(
    () => connectStdio({ command: '' }),
    (error) => error instanceof OptionError && error instanceof McpError,
  );
  console.log('works');
};

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
