import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { StdioParameters } from '../../src/transport/stdio/index.js';
import { program } from './programs/program.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A script of the folder `parents`, as a process of its own. */
export interface Parent {
  readonly process: ChildProcessByStdio<Writable, Readable, Readable>;
  /** The next line of its stdout; rejects when there is none. */
  line(): Promise<string>;
  /** How it ended. */
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; stderr: string }>;
}

const linesOf = (reader: Interface): (() => Promise<string>) => {
  const lines = reader[Symbol.asyncIterator]();
  return async () => {
    const { value, done } = await lines.next();
    if (done === true) throw new Error('there is no further line');
    return value;
  };
};

/** It loads a copy of its own of what is in the sources. */
const TRANSLATED = 'copies';
const copies = ['--import', 'tsx', 'spec/support/parents/copies.ts'];

/** Starts a TypeScript file of the folder `parents`. */
export const startParent = (script: string, ...args: readonly string[]): Parent => {
  const file = script === TRANSLATED ? copies : [program('parents', script)];
  // Jest's own option would be inherited, and loads a module that is still experimental.
  const env = { ...process.env, NODE_OPTIONS: '' };
  const child = spawn(process.execPath, ['--expose-gc', ...file, ...args], {
    cwd: ROOT,
    env,
    stdio: 'pipe',
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += String(chunk)));
  const ended = once(child, 'close').then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
    stderr,
  }));
  return { process: child, ended, line: linesOf(createInterface({ input: child.stdout })) };
};

/** A parent that holds connections open, and the processes behind them. */
export type Holder = Parent & { readonly pids: number[] };

const withPids = async (parent: Parent): Promise<Holder> => ({
  ...parent,
  pids: JSON.parse(await parent.line()) as number[],
});

/** Holds these connections open; does something before the first of them, if told so. */
export const hold = (servers: readonly StdioParameters[], early = ''): Promise<Holder> =>
  withPids(startParent('holder', JSON.stringify(servers), early));

/** Holds two connections to this server open, each by a copy of the module; the copy that is named starts first. */
export const holdByCopies = (server: StdioParameters, first: 'esm' | 'cjs'): Promise<Holder> =>
  withPids(startParent('copies', JSON.stringify(server), first));
