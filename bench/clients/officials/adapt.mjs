import { stdioCommand } from '../../servers/stdio-command.mjs';
import { serverOf } from '../../servers/in-memory.mjs';

const transports = {
  stdio: ({ StdioClientTransport }, wire) =>
    new StdioClientTransport({
      ...stdioCommand(wire),
      ...(wire.maxBytes === undefined ? {} : { maxBufferSize: wire.maxBytes }),
    }),
  http: ({ StreamableHTTPClientTransport }, { url }) => new StreamableHTTPClientTransport(new URL(url)),
  memory: ({ InMemoryTransport }, wire) => {
    const [near, far] = InMemoryTransport.createLinkedPair();
    void serverOf(wire).connect(far);
    return near;
  },
};

/** Connects a client of one of the official packages, whose classes are handed in. */
export const adapt = async (classes, wire, options) => {
  const client = new classes.Client({ name: 'bench', version: '1.0.0' }, options);
  await client.connect(transports[wire.kind](classes, wire));
  return { client, close: () => client.close() };
};
