import type { McpClient } from '../bridge/mcp-client.js';
import type { ClientOptions } from '../client/index.js';
import { VERSION } from '../client/version.js';
import { childEnvOf } from '../config/child-env.js';
import { reasonOf } from '../config/fields.js';
import { OptionError } from '../errors/index.js';
import { asyncScheduler } from 'rxjs';
import type { AuthProvider } from '../transport/http/index.js';
import { authorizationOf, isAuthorizedByHand } from './authorize.js';
import type { Chosen } from './choose.js';
import type { Context } from './context.js';
import { configError, usageError } from './exit.js';

/** A server in use. It is the user's to stop, by `await using`. */
export interface Target extends AsyncDisposable {
  readonly chosen: Chosen;
  readonly client: McpClient;
  /** The last lines that it wrote to stderr, without its secrets. */
  readonly stderrTail: readonly string[];
  /** Ends it: nothing of it is left when the Promise resolves, which never rejects. Idempotent. */
  stop(): Promise<void>;
}

const TAIL = 5;

/** What is said of an option of the client, which the user gave in words of the command or the config. */
const refusalOf = (error: OptionError, { fromConfig, key }: Chosen): Error =>
  fromConfig
    ? configError(`the server ${JSON.stringify(key)}: ${error.option}: ${reasonOf(error)}`)
    : usageError(
        `--${error.option === 'url' || error.option === 'headers' ? error.option.replace(/s$/, '') : 'stdio'}: ${reasonOf(error)}`,
      );

const connectTo = async (
  { server, projectDir, fromConfig }: Chosen,
  { io }: Context,
  options: ClientOptions,
  retries: number,
  authProvider: AuthProvider | undefined,
): Promise<McpClient> => {
  if (server.transport === 'stdio') {
    const { connectStdio } = await import('../bridge/stdio.js');
    const { command, args, cwd, env } = server;
    // What was typed at a terminal is started as a shell would start it; a server of a config as its clients do.
    const childEnv = fromConfig ? childEnvOf({ baseEnv: io.env, env, projectDir }) : io.env;
    return connectStdio({ ...options, command, args, cwd, env: childEnv, inheritEnv: false });
  }
  const { connectHttp } = await import('../bridge/connect/http.js');
  const { url, headers } = server;
  return connectHttp({ ...options, url, headers, authProvider, retry: { attempts: retries } });
};

/** The clocks of a client: what the user gave, else what the config says, else the client's own. */
const clocksOf = (timeoutMs: number | undefined): ClientOptions =>
  timeoutMs === undefined
    ? {}
    : { requestTimeoutMs: timeoutMs, maxTotalMs: timeoutMs === 0 ? 0 : Math.max(600_000, timeoutMs) };

/** How a target is opened. */
export interface TargetOptions {
  readonly client?: ClientOptions | undefined;
  /** How often a request is repeated that a server over HTTP was too busy for. Default 3. */
  readonly retries?: number | undefined;
  /** Whether the user is asked to log in where a server wants it. Default: at a terminal. */
  readonly asks?: boolean | undefined;
  /** False sends no tokens, also where there are some. Default true. */
  readonly authorizes?: boolean | undefined;
}

/**
 * Makes a client of a server; nothing is started before it is used. Rejects with a usage or config error where its
 * parameters cannot be used.
 */
export const openTarget = async (
  chosen: Chosen,
  context: Context,
  { client: options = {}, retries = 3, asks = context.screen.interactive, authorizes = true }: TargetOptions = {},
): Promise<Target> => {
  const clientInfo = { name: 'rx-mcp', version: VERSION };
  const isRemote = chosen.server.transport !== 'stdio';
  const authProvider =
    isRemote && authorizes && !isAuthorizedByHand(chosen) ? await authorizationOf(chosen, context, asks) : undefined;
  let client: McpClient;
  try {
    const clocks = clocksOf(context.globals.timeoutMs);
    client = await connectTo(chosen, context, { clientInfo, ...clocks, ...options }, retries, authProvider);
  } catch (error) {
    throw error instanceof OptionError ? refusalOf(error, chosen) : error;
  }
  const lines: string[] = [];
  client.stderr$.subscribe({
    next: (line) => {
      lines.push(chosen.redact(line));
      if (lines.length > TAIL) lines.shift();
    },
    error: () => undefined,
  });
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopping ??= client.close().catch(() => undefined));
  return {
    chosen,
    client,
    get stderrTail() {
      return lines.slice();
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
};

/** The time that passes until the returned function is called, in ms. */
export const stopwatch = (): (() => number) => {
  const since = asyncScheduler.now();
  return () => asyncScheduler.now() - since;
};
