/**
 * After `npm run build`: what two entries share is one object, in ESM and in CommonJS. An error that
 * `rx-mcp/stdio` throws is an instance of the class that `rx-mcp` exports, and so is the client it returns.
 * The package is loaded by its own name, so this reads the `exports` map as a user's program does. And what CommonJS
 * exports stays what it was: the build takes a private field for an exported name that is spelt the same, and has each
 * assignment to the one overwrite the other.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

const thrownBy = (run) => {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
};

const formats = {
  ESM: async (name) => import(name),
  CommonJS: async (name) => require(name),
};

const failed = [];

const dist = new URL('../dist/', import.meta.url);
for (const file of readdirSync(dist).filter((name) => name.endsWith('.cjs'))) {
  const overwritten = readFileSync(new URL(file, dist), 'utf8').matchAll(/#(\w+) = exports\.\1\b/g);
  for (const [, name] of overwritten) {
    console.log(
      `FAILS: dist/${file}: the private field #${name} overwrites the export ${name}: call the field otherwise`,
    );
    failed.push(name);
  }
}

for (const [format, load] of Object.entries(formats)) {
  const { McpClient, McpError, OptionError, Registry, Toolkit } = await load('rx-mcp');
  const { connectStdio } = await load('rx-mcp/stdio');
  const { ManagedServer, openConfig } = await load('rx-mcp/config');
  const { scriptedTransport } = await load('rx-mcp/testing');

  const client = connectStdio({ command: process.execPath });
  const checks = {
    'the client of rx-mcp/stdio is an McpClient of rx-mcp': client instanceof McpClient,
    'an error of rx-mcp/stdio is an OptionError of rx-mcp':
      thrownBy(() => connectStdio({ command: '' })) instanceof OptionError,
    'an error of rx-mcp/config is an OptionError of rx-mcp':
      thrownBy(() => openConfig({}, { nope: 1 })) instanceof OptionError,
    'an error of rx-mcp/testing is an McpError of rx-mcp':
      thrownBy(() => scriptedTransport({ 'no/such-method': {} })) instanceof McpError,
  };
  await client.close();

  const server = ManagedServer.of('check', { command: process.execPath, args: ['-e', 'process.exit(7)'] });
  const { status, error } = await server.start();
  checks['a server of a config fails with an McpError of rx-mcp'] = status === 'failed' && error instanceof McpError;
  await server.stop();

  const toolkit = new Toolkit({ name: 'check' }).tool('add', { description: 'Adds' }, () => 'added');
  const registry = new Registry().add(toolkit, { prefix: 'check' });
  const calls = [
    { id: 'search', name: 'search_tools', arguments: { query: 'add' } },
    { id: 'call', name: 'call_tool', arguments: { name: 'check_add' } },
  ];
  await registry.promises.toolsForLlm();
  const [found, called] = await registry.searchable().promises.executeToolCalls(calls);
  checks['a registry is searched and called'] =
    found?.structured_content?.tools?.[0]?.name === 'check_add' && called?.content === 'added';

  for (const [claim, holds] of Object.entries(checks)) {
    console.log(`${holds ? 'holds' : 'FAILS'}: ${format}: ${claim}`);
    if (!holds) failed.push(claim);
  }
}

process.exitCode = failed.length === 0 ? 0 : 1;
