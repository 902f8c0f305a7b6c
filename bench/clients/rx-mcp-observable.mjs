// This library, its calls subscribed to as Observables in place of their Promise twins.
import { open as openPromises } from './rx-mcp.mjs';

/** Opens it. */
export const open = async (wire) => {
  const client = await openPromises(wire);
  return {
    ...client,
    call: (name, args) =>
      new Promise((resolve, reject) => {
        client.own.callTool(name, args).subscribe({ next: resolve, error: reject });
      }),
  };
};
