// This library, as it is built, with its default options: the era is found out, results are validated as shipped.
import { stdioCommand } from '../servers/stdio-command.mjs';

const connects = {
  stdio: async (wire, options) => {
    const { connectStdio } = await import('../../dist/stdio.js');
    return connectStdio({ ...stdioCommand(wire), ...options });
  },
  http: async (wire, options) => {
    const { connectHttp } = await import('../../dist/index.js');
    return connectHttp({ url: wire.url, ...options });
  },
  memory: async (wire, options) => {
    const { connectInMemory } = await import('../../dist/index.js');
    const { serverOf } = await import('../servers/in-memory.mjs');
    return connectInMemory(serverOf(wire), options);
  },
};

/** Opens a client of this library on `wire`; `options` are its own. */
export const open = async (wire, options = {}) => {
  const mcp = await connects[wire.kind](wire, {
    ...(wire.maxBytes === undefined ? {} : { maxMessageBytes: wire.maxBytes }),
    ...options,
  });
  const { era } = await mcp.promises.server();
  if (era !== wire.era) throw new Error(`connected as ${era}, wanted ${wire.era}`);
  return {
    own: mcp,
    call: (name, args, options) => mcp.promises.callTool(name, args, options),
    listTools: () => mcp.promises.listTools(),
    report: (name, args, onProgress) =>
      new Promise((resolve, reject) => {
        mcp.callTool(name, args, { observe: 'events' }).subscribe({
          next: (event) => {
            if (event.kind === 'progress') onProgress(event);
            if (event.kind === 'result') resolve(event.result);
          },
          error: reject,
        });
      }),
    close: () => mcp.close(),
  };
};
