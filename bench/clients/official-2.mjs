// The official client, @modelcontextprotocol/client, told which era it meets.
import { Client, InMemoryTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { adapt } from './officials/adapt.mjs';

const classes = { Client, InMemoryTransport, StreamableHTTPClientTransport, StdioClientTransport };

/** Opens it on `wire`. */
export const open = async (wire) => {
  const mode = wire.era === 'modern' ? { pin: '2026-07-28' } : 'legacy';
  const { client, close } = await adapt(classes, wire, { versionNegotiation: { mode } });
  return {
    own: client,
    call: (name, args, options) => client.callTool({ name, arguments: args }, optionsOf(options)),
    listTools: async () => (await client.listTools()).tools,
    report: (name, args, onProgress) =>
      client.callTool({ name, arguments: args }, { onprogress: onProgress, resetTimeoutOnProgress: true }),
    close,
  };
};

const optionsOf = (options) =>
  options === undefined ? undefined : { signal: options.signal, onprogress: options.onProgress };
