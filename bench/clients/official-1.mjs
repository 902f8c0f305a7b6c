// The official client of before, @modelcontextprotocol/sdk. It speaks the legacy era alone.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { adapt } from './officials/adapt.mjs';

const classes = { Client, InMemoryTransport, StreamableHTTPClientTransport, StdioClientTransport };

/** Opens it on `wire`. */
export const open = async (wire) => {
  const { client, close } = await adapt(classes, wire, {});
  return {
    own: client,
    call: (name, args, options) => client.callTool({ name, arguments: args }, undefined, optionsOf(options)),
    listTools: async () => (await client.listTools()).tools,
    report: (name, args, onProgress) =>
      client.callTool({ name, arguments: args }, undefined, { onprogress: onProgress, resetTimeoutOnProgress: true }),
    close,
  };
};

const optionsOf = (options) =>
  options === undefined ? undefined : { signal: options.signal, onprogress: options.onProgress };
