import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Starts a raw server over HTTP in a process of its own; `close` ends it and waits for its end. */
export const startServer = async (script, ...args) => {
  const child = spawn(process.execPath, [fileURLToPath(new URL(script, import.meta.url)), ...args], {
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

/** Starts the one of an era that answers in one form: `json` or `sse`. */
export const startHttp = (era, form) => startServer('http.mjs', era, form);
