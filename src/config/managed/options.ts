import { callback, type Check, milliseconds, object, refuse, whole } from '../../jsonrpc/checks.js';
import type { ClientOptions } from '../../client/index.js';
import { requireText } from '../../client/arguments.js';
import type { PluginDirs } from '../child-env.js';
import type { Variables } from '../expand.js';
import { pluginDirs } from '../load-config.js';
import { type HttpOption, httpOption } from './http-extras.js';
import type { ManagedServer } from './managed-server.js';
import type { ManagedState } from './state.js';

/** How a managed server is run. An unknown option is an `OptionError` that names it. */
export interface ManagedOptions {
  /**
   * How long a start may take, from the spawning of the process to the first list of tools, in ms. Default: the variable
   * `MCP_TIMEOUT`, else 30 000.
   */
  readonly startupTimeoutMs?: number | undefined;
  /** How often a server that died is started again within `restartWindowMs`; one time more, and it has failed. Default 5, and 20 for a server behind a URL. */
  readonly maxRestarts?: number | undefined;
  /** How long a death counts, in ms. Default 60 000. */
  readonly restartWindowMs?: number | undefined;
  /** How long the first start after a death waits, in ms; up to half of it less at random. Later ones double, up to 30 000. Default 500. */
  readonly restartDelayMs?: number | undefined;
  /** How long each of the two grace periods of a stop lasts, in ms. Default 2 000. */
  readonly killGraceMs?: number | undefined;
  /** What the environment of a server's process is laid over, and where variables are read. Default: `process.env`. */
  readonly baseEnv?: Variables | undefined;
  /** The folder of the project: `CLAUDE_PROJECT_DIR` of its process. Default: the working directory of this process. */
  readonly projectDir?: string | undefined;
  /** The plugin that the server belongs to, if it belongs to one. */
  readonly plugin?: PluginDirs | undefined;
  /**
   * What the keys of `_meta` begin with that are the host's own, such as `'my-host/'`: they are removed from what the server
   * answers, so that it cannot pose as the host. Default: none.
   */
  readonly stripMeta?: readonly string[] | undefined;
  /** Counts the tokens of a text, for `maxOutputTokens`. Default: four characters each. */
  readonly countTokens?: ((text: string) => number) | undefined;
  /** Called with each state after the first. A throw is told in the server's `warnings`. */
  readonly onStatus?: ((state: ManagedState, server: ManagedServer) => void) | undefined;
  /** Called as soon as the server says that its tools have changed, before they are listed again. A throw is told in the server's `warnings`. */
  readonly onToolsChanged?: ((server: ManagedServer) => void) | undefined;
  /** Options of the client underneath: hooks, `clientInfo`, `logLevel` and so on; or a function from the key of a server to them. */
  readonly client?: ClientOptions | ((key: string) => ClientOptions) | undefined;
  /**
   * What an entry cannot say of a server behind a URL: `authProvider`, `fetch`, `allowedHosts`, `redirects`, `retry`,
   * `keepAliveMs`; or a function from the key and the URL of a server to them. A server whose entry has an `Authorization`
   * header is not given the `authProvider`. Servers that are processes have no use for it. Default: as `connectHttp` has it.
   */
  readonly http?: HttpOption | undefined;
}

const texts: Check = (value, name) => {
  if (!Array.isArray(value) || !value.every((text) => typeof text === 'string' && text !== '')) {
    refuse(name, 'give a list of texts that are not empty');
  }
};

const client: Check = (value, name) => {
  if (typeof value !== 'function') object(value, name);
};

/** One check for each option of a managed server, for `checkOptions`; its keys are the options there are. */
export const MANAGED_CHECKS: Readonly<Record<keyof ManagedOptions, Check>> = {
  startupTimeoutMs: milliseconds(1),
  maxRestarts: whole(0),
  restartWindowMs: milliseconds(1),
  restartDelayMs: milliseconds(0),
  killGraceMs: milliseconds(0),
  baseEnv: object,
  projectDir: requireText,
  plugin: pluginDirs,
  stripMeta: texts,
  countTokens: callback,
  onStatus: callback,
  onToolsChanged: callback,
  client,
  http: httpOption,
};
