import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach } from '@jest/globals';
import { tap } from 'rxjs';
import { connect, EraCache } from '../../../src/index.js';
import { stdioConnector, type StdioTransport } from '../../../src/transport/stdio/index.js';
import { allGone } from '../child-processes.js';
import { BOUND_MS, declareRows, type Era, type Row, type Stage } from './rows.js';

const SERVER = fileURLToPath(new URL('./stdio.mjs', import.meta.url));
const KILL_GRACE_MS = 100;

const folders = new Set<string>();
afterEach(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  folders.clear();
});

const start = (era: Era, { server, options, cold, boundMs }: Row): Promise<Stage> => {
  const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
  folders.add(folder);
  const pids: number[] = [];
  const connector = stdioConnector({
    command: process.execPath,
    args: [SERVER, era, server, join(folder, 'lives')],
    killGraceMs: KILL_GRACE_MS,
    ...(options?.maxMessageBytes === undefined ? undefined : { maxMessageBytes: options.maxMessageBytes }),
  });
  const counted = Object.assign(
    () => connector().pipe(tap((transport) => pids.push((transport as StdioTransport).pid))),
    connector,
  );
  const { maxMessageBytes: _, ...rest } = options ?? {};
  const client = connect(counted, {
    eraCache: new EraCache(),
    requestTimeoutMs: cold === true ? (boundMs ?? BOUND_MS) : BOUND_MS,
    probeTimeoutMs: BOUND_MS,
    ...rest,
  });
  // What a server starts it names.
  client.stderr$.subscribe((line) => {
    const named = /^pid (\d+)$/.exec(line)?.[1];
    if (named !== undefined) pids.push(Number(named));
  });
  return Promise.resolve({ client, gone: () => allGone(...pids) });
};

/** Declares the specs of rows against the server as a child process. */
export const overStdio = (rows: readonly Row[]): void => {
  declareRows(rows, 'stdio', start);
};
