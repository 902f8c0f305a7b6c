import { PassThrough } from 'node:stream';
import { NEVER } from 'rxjs';
import type { Context, Globals } from '../../../src/cli/context.js';
import type { Io } from '../../../src/cli/io.js';
import { Screen } from '../../../src/cli/screen.js';

type Stream = PassThrough & { isTTY?: boolean; columns?: number };

/** A world for the command, made of streams. */
export interface FakeIo extends Io {
  readonly stdin: Stream;
  readonly stdout: Stream;
  readonly stderr: Stream;
  /** All that was written to stdout. */
  readonly out: () => string;
  readonly err: () => string;
}

const stream = (isTTY: boolean): Stream => Object.assign(new PassThrough(), { isTTY, columns: 80 });

/** Makes a world; at a terminal, if that is wanted. */
export const fakeIo = ({ terminal = false, ...others }: { terminal?: boolean } & Partial<Io> = {}): FakeIo => {
  const [stdin, stdout, stderr] = [stream(terminal), stream(terminal), stream(terminal)];
  let [out, err] = ['', ''];
  stdout.on('data', (chunk: Buffer) => (out += String(chunk)));
  stderr.on('data', (chunk: Buffer) => (err += String(chunk)));
  return {
    ...{ env: { NO_COLOR: '1' }, cwd: '/', home: '/', platform: 'linux', signals$: NEVER, exitNow: () => undefined },
    ...others,
    ...{ stdin, stdout, stderr, out: () => out, err: () => err },
  };
};

/** What a command works with, in such a world. */
export const fakeContext = (
  io: Io,
  globals: Partial<Globals> = {},
): Context & { readonly interrupted: () => boolean } => {
  const controller = new AbortController();
  return {
    io,
    screen: new Screen(io, { colour: true }),
    globals: { header: [], json: false, verbose: false, ...globals },
    signal: controller.signal,
    interrupt: () => controller.abort(),
    interrupted: () => controller.signal.aborted,
  };
};
