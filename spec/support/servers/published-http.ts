import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach } from '@jest/globals';

/** A published server as a process that listens on loopback; ended after its spec, unless it lasts. */
export interface PublishedHttp {
  readonly origin: string;
  /** Ends the process, as a crash does, and starts another one on the same port. */
  restart(): Promise<void>;
  /** Ends the process. */
  stop(): Promise<void>;
}

const running = new Set<ChildProcess>();
/** Those that serve several specs. */
const lasting = new Set<ChildProcess>();

/** A port that is free at this moment. */
const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

const start = async (command: string, args: readonly string[], port: number, ready: RegExp): Promise<ChildProcess> => {
  const path = fileURLToPath(new URL(`../../../node_modules/.bin/${command}`, import.meta.url));
  const env = { ...process.env, NODE_OPTIONS: '', PORT: String(port) };
  const child = spawn(process.execPath, [path, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  child.once('close', () => {
    running.delete(child);
    lasting.delete(child);
  });
  let said = '';
  await new Promise<void>((resolve, reject) => {
    const hear = (text: Buffer): void => {
      said += text.toString();
      if (ready.test(said)) resolve();
    };
    // Both are read to the end of its life: a full pipe would stall it.
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('close', () => reject(new Error(`the server ended: ${said}`)));
  });
  return child;
};

const kill = async (child: ChildProcess): Promise<void> => {
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
};

/**
 * Starts a published server of the devDependencies that takes its port from the environment.
 * @param lasts true where it serves all specs of a file, which then stops it
 */
export const publishedHttp = async (
  command: string,
  args: readonly string[],
  ready: RegExp,
  lasts = false,
): Promise<PublishedHttp> => {
  const port = await freePort();
  let child = await start(command, args, port, ready);
  if (lasts) lasting.add(child);
  return {
    origin: `http://127.0.0.1:${String(port)}`,
    restart: async () => {
      await kill(child);
      child = await start(command, args, port, ready);
      if (lasts) lasting.add(child);
    },
    stop: () => kill(child),
  };
};

afterEach(async () => {
  await Promise.all([...running].filter((child) => !lasting.has(child)).map(kill));
});
