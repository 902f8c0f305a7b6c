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

/** A call with its progress, one listener for it alone; `onResult` is called in the very turn in which the result is there. */
const observed = (mcp, name, args, { signal, onProgress, onResult }) =>
  new Promise((resolve, reject) => {
    mcp.callTool(name, args, { observe: 'events', signal }).subscribe({
      next: (event) => {
        if (event.kind === 'progress') onProgress(event);
        if (event.kind !== 'result') return;
        onResult?.();
        resolve(event.result);
      },
      error: reject,
    });
  });

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
    call: (name, args, options) =>
      options?.onProgress === undefined
        ? mcp.promises.callTool(name, args, options)
        : observed(mcp, name, args, options),
    listTools: () => mcp.promises.listTools(),
    report: (name, args, onProgress, onResult) => observed(mcp, name, args, { onProgress, onResult }),
    close: () => mcp.close(),
  };
};
