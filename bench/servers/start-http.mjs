import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Starts the raw HTTP server in a process of its own; `close` ends it and waits for its end. */
export const startHttp = async (era, form) => {
  const child = spawn(process.execPath, [fileURLToPath(new URL('http.mjs', import.meta.url)), era, form], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [port] = await once(child.stdout, 'data');
  const ended = once(child, 'exit');
  return {
    url: `http://127.0.0.1:${String(port).trim()}/mcp`,
    close: async () => {
      child.stdin.end();
      await ended;
    },
  };
};
