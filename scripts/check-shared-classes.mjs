/**
 * After `npm run build`: what two entries share is one object, in ESM and in CommonJS. An error that
 * `rx-mcp/stdio` throws is an instance of the class that `rx-mcp` exports, and so is the client it returns.
 * The package is loaded by its own name, so this reads the `exports` map as a user's program does.
 */
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

for (const [format, load] of Object.entries(formats)) {
  const { McpClient, McpError, OptionError } = await load('rx-mcp');
  const { connectStdio } = await load('rx-mcp/stdio');
  const { scriptedTransport } = await load('rx-mcp/testing');

  const client = connectStdio({ command: process.execPath });
  const checks = {
    'the client of rx-mcp/stdio is an McpClient of rx-mcp': client instanceof McpClient,
    'an error of rx-mcp/stdio is an OptionError of rx-mcp':
      thrownBy(() => connectStdio({ command: '' })) instanceof OptionError,
    'an error of rx-mcp/testing is an McpError of rx-mcp':
      thrownBy(() => scriptedTransport({ 'no/such-method': {} })) instanceof McpError,
  };
  await client.close();

  for (const [claim, holds] of Object.entries(checks)) {
    console.log(`${holds ? 'holds' : 'FAILS'}: ${format}: ${claim}`);
    if (!holds) failed.push(claim);
  }
}

process.exitCode = failed.length === 0 ? 0 : 1;
