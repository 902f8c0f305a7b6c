import { asyncScheduler, type Subscription } from 'rxjs';
import type { AuthorizationState, OAuthProvider } from '../auth/index.js';
import type { McpClient } from '../bridge/mcp-client.js';
import type { ClientOptions } from '../client/index.js';
import { VERSION } from '../client/version.js';
import { childEnvOf } from '../config/child-env.js';
import { reasonOf } from '../config/fields.js';
import { LastLines } from '../config/managed/last-lines.js';
import { OptionError } from '../errors/index.js';
import { Dialogues } from './ask/dialogue.js';
import type { Chosen } from './choose.js';
import { clocksOf } from './clocks.js';
import type { Context } from './context.js';
import { configError, usageError } from './exit.js';
import { stderrParts, warningParts } from './lines.js';
import { mayLogIn } from './login/login-line.js';
import { stateParts } from './login/states.js';
import { unseen } from './progress.js';

/** A server in use. It is the user's to stop, by `await using`. */
export interface Target extends AsyncDisposable {
  readonly chosen: Chosen;
  readonly client: McpClient;
  /** What authorizes its requests; nothing where nobody can log in to it. */
  readonly provider: OAuthProvider | undefined;
  /** The last lines that it wrote to stderr and that say anything, without its secrets. */
  readonly stderrTail: readonly string[];
  /** Ends it: nothing of it is left when the Promise resolves, which never rejects. Idempotent. */
  stop(): Promise<void>;
}

/** What is said of an option of the client, which the user gave in words of the command or the config. */
const refusalOf = (error: OptionError, { fromConfig, key }: Chosen): Error =>
  fromConfig
    ? configError(`the server ${JSON.stringify(key)}: ${error.option}: ${reasonOf(error)}`)
    : usageError(
        `--${error.option === 'url' || error.option === 'headers' ? error.option.replace(/s$/, '') : 'stdio'}: ${reasonOf(error)}`,
      );

const connectTo = async (
  { server, projectDir, fromConfig, redact }: Chosen,
  { io }: Context,
  options: ClientOptions,
  retries: number,
  authProvider: OAuthProvider | undefined,
): Promise<McpClient> => {
  if (server.transport === 'stdio') {
    const { connectStdio } = await import('../bridge/stdio.js');
    const { command, args, cwd, env } = server;
    // What was typed at a terminal is started as a shell would start it; a server of a config as its clients do.
    const childEnv = fromConfig ? childEnvOf({ baseEnv: io.env, env, projectDir }) : io.env;
    return connectStdio({ ...options, command, args, cwd, env: childEnv, inheritEnv: false, redact });
  }
  const { connectHttp } = await import('../bridge/connect/http.js');
  const { url, headers } = server;
  return connectHttp({ ...options, url, headers, authProvider, retry: { attempts: retries } });
};

/** Shows what a server says besides its answers, on stderr. */
const follow = (client: McpClient, { redact }: Chosen, { screen }: Context): void => {
  const error = (): void => undefined;
  client.stderr$.subscribe({ next: (line) => screen.err(...stderrParts(line, redact)), error });
  client.warnings$.subscribe({ next: (warning) => screen.err(...warningParts(warning, redact)), error });
};

/** How a target is opened. */
export interface TargetOptions {
  readonly client?: ClientOptions | undefined;
  /** How often a request is repeated that a server over HTTP was too busy for. Default 3. */
  readonly retries?: number | undefined;
  /** Whether `--verbose` shows its stderr and its warnings; a command that has ways of its own says false. Default true. */
  readonly follows?: boolean | undefined;
  /** Whether somebody is asked to log in, where the server wants that. Default: where there is a terminal. */
  readonly asks?: boolean | undefined;
  /** What questions at the terminal are asked by: one at a time. Default: by some of its own. */
  readonly dialogues?: Dialogues | undefined;
  /** Told of each state of an authorization. Default: lines on stderr, where somebody is asked. */
  readonly onState?: ((state: AuthorizationState) => void) | undefined;
}

/** What authorizes the requests to a server. OAuth is loaded here, since most servers do without. */
const providerOf = async (
  { key, server }: Chosen,
  context: Context,
  { asks = context.screen.interactive, dialogues = new Dialogues(context, () => unseen) }: TargetOptions,
): Promise<OAuthProvider | undefined> => {
  if (!mayLogIn(server)) return undefined;
  const { pageShower, providerFor } = await import('./login/provider.js');
  return providerFor(server, context, { show: asks ? pageShower(context, key, dialogues) : undefined });
};

/**
 * Makes a client of a server; nothing is started before it is used. Rejects with a usage or config error where its
 * parameters cannot be used.
 */
export const openTarget = async (
  chosen: Chosen,
  context: Context,
  targetOptions: TargetOptions = {},
): Promise<Target> => {
  const { client: options = {}, retries = 3, asks = context.screen.interactive } = targetOptions;
  const clientInfo = { name: 'rx-mcp', version: VERSION };
  const provider = await providerOf(chosen, context, targetOptions);
  const show = (state: AuthorizationState): void => {
    if (asks) context.screen.err(...stateParts(state));
  };
  const states: Subscription | undefined = provider?.states$.subscribe({
    next: targetOptions.onState ?? show,
    error: () => undefined,
  });
  let client: McpClient;
  try {
    const clocks = clocksOf(context.globals.timeoutMs);
    client = await connectTo(chosen, context, { clientInfo, ...clocks, ...options }, retries, provider);
  } catch (error) {
    throw error instanceof OptionError ? refusalOf(error, chosen) : error;
  }
  if (context.globals.verbose && targetOptions.follows !== false) follow(client, chosen, context);
  const stderr = new LastLines();
  client.stderr$.subscribe({
    next: (line) => {
      stderr.push(line);
    },
    error: () => undefined,
  });
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> =>
    (stopping ??= client
      .close()
      .catch(() => undefined)
      .finally(() => states?.unsubscribe()));
  return {
    chosen,
    client,
    provider,
    get stderrTail() {
      return stderr.own;
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
