// Processes that share what they know through a Redis: the era of a server, its list of tools, a token.
//
//   npm run example:shared-state              starts a redis-server of its own, where one is installed
//   npm run example:shared-state -- redis://host:6379
//
// In a program of your own, import from 'rx-mcp' and 'rx-mcp/auth'.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { startCounting } from './server.js';
import { redisStores } from './stores.js';

const MORE = 3;

/** A port of 127.0.0.1 that nobody has. */
const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

/** Starts a Redis that keeps nothing, and resolves when it takes connections. */
const startRedis = async (): Promise<{ readonly url: string; readonly child: ChildProcess }> => {
  const port = await freePort();
  const child = spawn('redis-server', [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
  ]);
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      reject(new Error(`redis-server ended with ${code}`));
    });
    child.stdout.on('data', (text: Buffer) => {
      if (String(text).includes('Ready to accept connections')) resolve();
    });
  });
  return { url: `redis://127.0.0.1:${port}`, child };
};

const worker = fileURLToPath(new URL('worker.ts', import.meta.url));

/** Runs a process to its end. Resolves with what it said. */
const runWorker = async (redis: string, origin: string): Promise<string> => {
  const child = spawn(process.execPath, ['--import', 'tsx', worker, redis, origin], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.on('data', (text: Buffer) => (out += String(text)));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code === 0) return out.trim();
  process.exitCode = 1;
  return `${out.trim()} (exit code ${code})`;
};

/** Whether a Redis is there. */
const answers = async (url: string): Promise<boolean> => {
  try {
    const stores = await redisStores(url);
    await stores.close();
    return true;
  } catch {
    return false;
  }
};

/** Runs one process, and some more at once. */
const run = async (redis: string): Promise<void> => {
  const server = await startCounting();
  const round = async (who: string, count: number): Promise<void> => {
    const before = new Map(server.asked);
    const all = Array.from({ length: count }, () => runWorker(redis, server.origin));
    console.log(`${who}: ${(await Promise.all(all)).join(', ')}`);
    const asked = ['a token', 'tools/list', 'tools/call'].map(
      (what) => `${what} ${(server.asked.get(what) ?? 0) - (before.get(what) ?? 0)}`,
    );
    console.log(`  asked for: ${asked.join(', ')}`);
  };
  try {
    await round('one process', 1);
    await round(`${MORE} more at once`, MORE);
  } finally {
    await server.close();
  }
};

const [given] = process.argv.slice(2);
const redis = given === undefined ? await startRedis() : { url: given, child: undefined };
try {
  if (await answers(redis.url)) await run(redis.url);
  else {
    // What else is in the URL may be a password.
    const place = URL.canParse(redis.url) ? new URL(redis.url).host : 'that URL';
    console.error(`No Redis answers at ${place}. Start one there, or leave the URL out.`);
    process.exitCode = 1;
  }
} finally {
  redis.child?.kill();
}
