import { Observable } from 'rxjs';
import type { ChildProcess } from 'node:child_process';
import spawn from 'cross-spawn';
import type { SpawnFailedError } from '../../errors/index.js';
import type { Connector } from '../transport.js';
import { layEnvironment } from './environment.js';
import { identityOf, partitionOf } from './identity.js';
import { checkParameters } from './parameters.js';
import type { CheckedParameters, StdioParameters } from './parameters.js';
import { explainSpawnFailure } from './spawn-failure.js';
import { StdioTransport } from './stdio-transport.js';
import type { StartedChild } from './stdio-transport.js';

const isWindows = process.platform === 'win32';

const start = ({ command, args, cwd, env, inheritEnv }: CheckedParameters): ChildProcess =>
  spawn(command, args, {
    cwd,
    env: layEnvironment(inheritEnv ? process.env : {}, env, isWindows),
    stdio: ['pipe', 'pipe', 'pipe'],
    // The leader of a group of its own, so that what it starts can be ended with it. On Windows it would open a console.
    detached: !isWindows,
    windowsHide: true,
    shell: false,
  });

const isStarted = (child: ChildProcess): child is StartedChild => child.pid !== undefined;

// A child that was not started reports it later, and has pipes nonetheless.
const discard = (child: ChildProcess): void => {
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.on('error', () => undefined).destroy();
};

/**
 * A server that runs as a child process, as a connector. Throws an `OptionError` at once for parameters that cannot be
 * used; starts nothing before it is subscribed.
 *
 * Subscribing starts the process (never through a shell) and emits one {@link StdioTransport} as soon as it runs; it does
 * not complete. Errors with `SpawnFailedError`, which says whether the command or the working directory was at fault.
 * The process lives as long as the subscription: unsubscribing closes it as `StdioTransport.close()` does, and subscribing
 * again starts another one. The wire form is ignored: stdio has one.
 *
 * When this process exits, or is ended by SIGINT, SIGTERM or SIGHUP, the server and what it started are killed first. A
 * signal that the application listens to, with `once` too, is left to it: it closes what it has opened, or exits. The
 * listeners for it leave a second after the last server. After another end, as by SIGKILL, the server sees the end of its
 * stdin.
 *
 * `identity` is a hash over command, arguments, working directory and `env`; `partition` covers what is inherited, too;
 * `reopens` is `restart`.
 * MCP 2026-07-28 basic/transports, "stdio".
 *
 * @example
 * stdioConnector({ command: 'my-mcp-server', args: ['--stdio'] })().pipe(switchMap(wire => wire.inbound$));
 */
export const stdioConnector = (parameters: StdioParameters): Connector => {
  const checked = checkParameters(parameters);
  const explain = (error: unknown): SpawnFailedError => explainSpawnFailure(error, checked);

  const open = (): Observable<StdioTransport> =>
    new Observable((subscriber) => {
      let child: ChildProcess;
      try {
        child = start(checked);
      } catch (error) {
        subscriber.error(explain(error));
        return;
      }
      if (!isStarted(child)) {
        child.on('error', (error) => subscriber.error(explain(error)));
        discard(child);
        return;
      }
      const transport = new StdioTransport(child, {
        command: checked.command,
        redact: checked.redact,
        killGraceMs: checked.killGraceMs,
        maxMessageBytes: checked.maxMessageBytes,
        explain,
      });
      subscriber.add(() => void transport.close());
      child.once('spawn', () => subscriber.next(transport));
    });

  const identity = identityOf(checked);
  return Object.assign(open, { identity, partition: partitionOf(identity, checked), reopens: checked.restart });
};
