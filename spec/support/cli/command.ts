import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe } from '@jest/globals';
import { program } from '../programs/program.js';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** How long a run of the command may take on a machine that has much else to do. */
export const RUN_MS = 60_000;

/** Windows has no `script`, which lends a program a pseudo-terminal, and that of macOS takes other options. */
export const describeAtTerminal = process.platform === 'linux' ? describe : describe.skip;

/** How a run of the command ended. */
export interface Ended {
  readonly out: string;
  readonly err: string;
  readonly code: number | null;
}

/** A run of the command. */
export interface Run {
  readonly child: ChildProcess;
  /** What it wrote to stdout so far; at a terminal, all that it wrote. */
  readonly out: () => string;
  readonly err: () => string;
  /** Resolves when the text is there, from the end of the last one that was waited for; rejects where the run ended without. */
  saying(text: string): Promise<void>;
  /** Types something, or hands it on to stdin. */
  type(text: string): void;
  readonly ended: Promise<Ended>;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Whether its stdin stays open. Without it the command has none. */
  readonly stdin?: boolean;
}

const running = new Set<ChildProcess>();
let home = '';
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'rx-mcp-home-'));
});
afterAll(() => {
  rmSync(home, { recursive: true, force: true });
});

/** The home of whoever runs the command: a folder of each file of specs. */
export const homeFolder = (): string => home;

/** The command as it was built for this run. It is whole: nothing that it needs lies beside it. */
export const programFile = (): string => program('cli', 'main');

const watch = (child: ChildProcess): Run => {
  running.add(child);
  let [out, err, heard] = ['', '', 0];
  const looking = new Set<() => void>();
  const hear = (): void => {
    for (const look of [...looking]) look();
  };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    out += text;
    hear();
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    err += text;
    hear();
  });
  const ended = once(child, 'close').then(([code]) => {
    running.delete(child);
    return { out, err, code: code as number | null };
  });
  const all = (): string => out + err;
  return {
    child,
    out: () => out,
    err: () => err,
    ended,
    type: (text) => void child.stdin?.write(text),
    saying: async (text) => {
      await new Promise<void>((resolve, reject) => {
        const look = (): void => {
          if (all().indexOf(text, heard) < 0) return;
          looking.delete(look);
          resolve();
        };
        looking.add(look);
        void ended.then(() => reject(new Error(`it ended without ${JSON.stringify(text)}: ${all()}`)));
        look();
      });
      heard = all().indexOf(text, heard) + text.length;
    },
  };
};

/** The environment of the command. Jest's own option would be inherited, and loads a module that is still experimental. */
export const envOf = ({ env = {} }: RunOptions): NodeJS.ProcessEnv => ({
  ...process.env,
  ...{
    NODE_OPTIONS: '',
    NO_COLOR: '1',
    TERM: 'xterm',
    HOME: home,
    XDG_CONFIG_HOME: home,
    CLAUDE_CONFIG_DIR: home,
  },
  ...env,
});

/** Starts the command. Ended after its spec, if it has not by then. */
export const startCommand = (args: readonly string[], options: RunOptions = {}): Run =>
  watch(
    spawn(process.execPath, [programFile(), ...args], {
      cwd: options.cwd ?? home,
      env: envOf(options),
      stdio: [options.stdin === true ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    }),
  );

/** Runs the command, and resolves when it has ended. */
export const runCommand = (args: readonly string[], options?: RunOptions): Promise<Ended> =>
  startCommand(args, options).ended;

const quoted = (word: string): string => `'${word.replace(/'/g, `'\\''`)}'`;

/** Starts the command at a pseudo-terminal of 80 columns, where stdout and stderr are one. */
export const startAtTerminal = (args: readonly string[], options: RunOptions = {}): Run => {
  const line = ['stty cols 80 rows 24; exec', ...[process.execPath, programFile(), ...args].map(quoted)].join(' ');
  return watch(
    spawn('script', ['-qefc', line, '/dev/null'], { cwd: options.cwd ?? home, env: envOf(options), stdio: 'pipe' }),
  );
};

/** The command line of a server for specs, for `--stdio`. */
export const serverLine = (name: string, ...args: readonly string[]): string =>
  [process.execPath, program('servers', basename(name, '.mjs')), ...args].map(quoted).join(' ');

/** The same as an entry of a config. */
export const serverEntry = (name: string, ...args: readonly string[]): { command: string; args: string[] } => ({
  command: process.execPath,
  args: [program('servers', basename(name, '.mjs')), ...args],
});

/** The command line of a published server of the devDependencies. */
export const publishedLine = (name: string, ...args: readonly string[]): string =>
  [process.execPath, join(ROOT, 'node_modules/.bin', name), ...args].map(quoted).join(' ');

/** The same as an entry of a config. */
export const publishedEntry = (name: string, ...args: readonly string[]): { command: string; args: string[] } => ({
  command: process.execPath,
  args: [join(ROOT, 'node_modules/.bin', name), ...args],
});

/** Whether a text holds anything but text: a control character, or an escape sequence. */
// eslint-disable-next-line no-control-regex
export const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
});
