import { existsSync, readFileSync, watch } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ReplaySubject, filter, firstValueFrom, map, take } from 'rxjs';
import type { Observable, Subscription } from 'rxjs';
import type { Inbound } from '../../src/jsonrpc/index.js';
import { isNotification } from '../../src/jsonrpc/index.js';
import { stdioConnector } from '../../src/transport/stdio/index.js';
import type { StdioParameters, StdioTransport } from '../../src/transport/stdio/index.js';

const PEER = fileURLToPath(new URL('./children/peer.mjs', import.meta.url));

/** Parameters that start the raw peer with a behaviour of its own. */
export const peer = (behaviour: string, ...args: readonly string[]): StdioParameters => ({
  command: process.execPath,
  args: [PEER, behaviour, ...args],
});

/** The command line of the raw peer, for a shell. */
export const peerLine = (behaviour: string): string => `'${process.execPath}' '${PEER}' ${behaviour}`;

/** True while a process lives. One that has ended but was not collected by its parent yet does not. */
export const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
  } catch {
    return process.platform !== 'linux';
  }
};

/** Resolves when none of these processes lives. Nothing tells about processes of others, so they are asked after. */
export const allGone = async (...pids: readonly number[]): Promise<void> => {
  while (pids.some(isRunning)) await new Promise((resolve) => setTimeout(resolve, 10));
};

/** Resolves when there is such a file, in a folder that is there already. */
export const appears = (file: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const look = (): void => {
      if (!existsSync(file)) return;
      watcher.close();
      resolve();
    };
    const watcher = watch(dirname(file), look).on('error', reject);
    // It may have come before it was watched for.
    look();
  });

/** One life of a connection, with everything it received so far. */
export interface Opened {
  readonly transport: StdioTransport;
  /** Unsubscribing closes the life. */
  readonly life: Subscription;
  /** All messages, those received before included; ends as `inbound$` does. */
  readonly messages$: Observable<Inbound>;
  /** The parameters of the first notification of this method, `x-test/` left out. */
  told<T>(method: string): Promise<T>;
}

/** Starts a server and reads from it. */
export const open = async (parameters: StdioParameters): Promise<Opened> => {
  const opened = new ReplaySubject<StdioTransport>(1);
  const life = stdioConnector(parameters)().subscribe({
    next: (transport) => opened.next(transport as StdioTransport),
    error: (reason: unknown) => opened.error(reason),
  });
  const transport = await firstValueFrom(opened);
  const messages$ = new ReplaySubject<Inbound>();
  // A spec that does not look at the end of the wire is not to fail by it.
  messages$.subscribe({ error: () => undefined });
  transport.inbound$.subscribe(messages$);
  const told = <T>(method: string): Promise<T> =>
    firstValueFrom(
      messages$.pipe(
        filter(isNotification),
        filter((message) => message.method === `x-test/${method}`),
        take(1),
        map(({ params }) => params as T),
      ),
    );
  return { transport, life, messages$, told };
};

/** What an Observable errors with; rejects when it completes. */
export const failureOf = (source$: Observable<unknown>): Promise<unknown> =>
  new Promise((resolve, reject) => {
    source$.subscribe({ error: resolve, complete: () => reject(new Error('it completed')) });
  });

/** A request of a method that no recorder of frames counts. */
export const request = (id: number, params: Record<string, unknown> = {}) =>
  ({ jsonrpc: '2.0', id, method: 'x-test/request', params }) as const;
