#!/usr/bin/env node
import { fromEvent, map, merge } from 'rxjs';
import { homeOfUser } from '../config/folders.js';
import { usageError } from './exit.js';
import type { Io } from './io.js';
import { run } from './run.js';

const io: Io = {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  get cwd() {
    try {
      return process.cwd();
    } catch {
      throw usageError('the folder that this was started in is gone', 'change to another one');
    }
  },
  home: homeOfUser(),
  platform: process.platform,
  signals$: merge(
    fromEvent(process, 'SIGINT').pipe(map(() => 'SIGINT' as const)),
    fromEvent(process, 'SIGTERM').pipe(map(() => 'SIGTERM' as const)),
  ),
  // Servers that still run are ended with this process.
  exitNow: (code) => process.exit(code),
};

/** Resolves when all that was written has left, or cannot. */
const written = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => {
    if (stream.destroyed || !stream.writable) resolve();
    else stream.write('', () => resolve());
  });

const exitCode = await run(process.argv.slice(2), io);
await Promise.all([written(process.stdout), written(process.stderr)]);
// A terminal that was read from would keep the process.
process.exit(exitCode);
