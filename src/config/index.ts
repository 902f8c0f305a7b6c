/**
 * Servers of a config file, running: `openConfig` for all of them, `ManagedServer` for one, `loadConfig` to read a file.
 * For Node.
 *
 * @module rx-mcp/config
 */
export type { PluginDirs } from './child-env.js';
export { describeServer } from './describe-server.js';
export type { Variables } from './expand.js';
export { type LoadedConfig, loadConfig, type LoadOptions } from './load-config.js';
export type { HttpExtras } from './managed/http-extras.js';
export type { ManagedOptions } from './managed/options.js';
export type { ManagedPromises } from './managed/promises.js';
export { ManagedServer } from './managed/managed-server.js';
export type { ManagedState, ManagedStatus } from './managed/state.js';
export type { ConfigProblem, ProblemLevel } from './problem.js';
export type { ConfigEntry } from './read-entry.js';
export type {
  CommonServerConfig,
  HttpServerConfig,
  OAuthServerConfig,
  ServerConfig,
  StdioServerConfig,
} from './server-config.js';
export type { ManagedServers } from './servers/managed-servers.js';
export type { Reloaded } from './servers/following.js';
export { openConfig } from './servers/open-config.js';
export type { OpenOptions } from './servers/options.js';
