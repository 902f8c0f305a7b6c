import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach } from '@jest/globals';
import { program } from './programs/program.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** How long an example may take on a machine that has much else to do. */
export const EXAMPLE_MS = 60_000;

const running = new Set<ChildProcess>();

interface Ended {
  readonly out: readonly string[];
  readonly err: string;
  readonly code: unknown;
}

const run = async (args: readonly string[]): Promise<Ended> => {
  // Jest's own option would be inherited, and loads a module that is still experimental.
  const env = { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1' };
  const child = spawn(process.execPath, args, { cwd: ROOT, env });
  running.add(child);
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += String(chunk)));
  child.stderr.on('data', (chunk: Buffer) => (err += String(chunk)));
  const [code] = (await once(child, 'close')) as [unknown];
  running.delete(child);
  return { out: out.trimEnd().split('\n'), err, code };
};

/** Runs an example as its readers do, and resolves with all it said. One that does not end is ended after its spec. */
export const runExample = (file: string, ...args: readonly string[]): Promise<Ended> =>
  run(['--import', 'tsx', `examples/${file}`, ...args]);

/** The same, built beforehand with the server beside it: for what it does with other arguments. */
export const runBuiltExample = (name: string, ...args: readonly string[]): Promise<Ended> =>
  run([program('examples', name), ...args]);

afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
});
