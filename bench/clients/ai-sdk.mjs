// The client of the AI SDK, @ai-sdk/mcp. It knows no progress.
import { createMCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport as StdioTransport } from '@ai-sdk/mcp/mcp-stdio';
import { serverOf } from '../servers/in-memory.mjs';
import { stdioCommand } from '../servers/stdio-command.mjs';

/** The package has no in-memory transport: this is one of the shape it asks for, without copies. */
const memoryTransport = (wire) => {
  const near = {
    supportsProtocolVersionDiscovery: wire.era === 'modern',
    start: async () => undefined,
    send: async (message) => far.onmessage(message),
    close: async () => near.onclose?.(),
  };
  const far = { onmessage: undefined, send: async (message) => near.onmessage(message) };
  void serverOf(wire).connect(far);
  return near;
};

const transports = {
  stdio: (wire) => new StdioTransport(stdioCommand(wire)),
  http: ({ url }) => ({ type: 'http', url }),
  memory: memoryTransport,
};

/** Opens it on `wire`. */
export const open = async (wire) => {
  const client = await createMCPClient({
    transport: transports[wire.kind](wire),
    protocolVersionDiscovery: wire.era === 'modern',
  });
  return {
    own: client,
    call: (name, args, options) =>
      client.callTool({
        name,
        arguments: args,
        ...(options === undefined ? {} : { options: { signal: options.signal } }),
      }),
    listTools: async () => (await client.listTools()).tools,
    close: () => client.close(),
  };
};
