import { stdioCommand } from '../../servers/stdio-command.mjs';
import { serveOn } from '../../servers/in-memory.mjs';

const transports = {
  stdio: ({ StdioClientTransport }, wire) =>
    new StdioClientTransport({
      ...stdioCommand(wire),
      ...(wire.maxBytes === undefined ? {} : { maxBufferSize: wire.maxBytes }),
    }),
  http: ({ StreamableHTTPClientTransport }, { url }) => new StreamableHTTPClientTransport(new URL(url)),
  memory: ({ InMemoryTransport }, { era, tools }) => {
    const [near, far] = InMemoryTransport.createLinkedPair();
    void serveOn(far, era, tools);
    return near;
  },
};

/** Connects a client of one of the official packages, whose classes are handed in. */
export const adapt = async (classes, wire, options) => {
  const client = new classes.Client({ name: 'bench', version: '1.0.0' }, options);
  await client.connect(transports[wire.kind](classes, wire));
  return { client, close: () => client.close() };
};
