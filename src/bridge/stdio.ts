/**
 * Servers that run as processes. For Node.
 *
 * @module rx-mcp/stdio
 */
import { negotiate } from '../protocol/negotiate.js';
import { stdioConnector, type StdioParameters } from '../transport/stdio/index.js';
import { wired } from './connect/wired.js';
import { McpClient } from './mcp-client.js';
import type { ClientOptions } from '../client/index.js';
import type { Connector } from '../transport/index.js';

/** How to start a server, and the options of its client. */
export interface StdioOptions extends Omit<StdioParameters, 'maxMessageBytes'>, ClientOptions {
  /**
   * Called once, as the client is made, with the wire to the server, which is not open yet; what it returns is used in its place. For
   * tests and for looking into a fault: `recordTo` writes down what is said, `faultyTransport` damages it. Default: the wire as it is.
   */
  readonly wire?: ((connector: Connector) => Connector) | undefined;
}

/** The options that say how the server is started. */
const OWN = ['command', 'args', 'env', 'cwd', 'inheritEnv', 'killGraceMs', 'restart', 'redact', 'wire'];

export type { StdioParameters } from '../transport/stdio/index.js';

/**
 * A client of a server that runs as a child process and speaks over its standard streams. Nothing is spawned until
 * first use. The child ends with `close()`, and with this process, and so does everything it started, unless that
 * left its process group. After a death the next use starts it again, unless `restart` is false. Throws an
 * `OptionError` where an option is unknown or cannot be used. MCP 2026-07-28 basic/transports/stdio.
 */
export const connectStdio = (options: StdioOptions): McpClient => {
  // Plain JavaScript may call it with nothing: then it is the command that is missing.
  const given: StdioOptions = options ?? {};
  const { command, args, env, cwd, inheritEnv, killGraceMs, restart, redact, wire, ...clientOptions } = given;
  const { maxMessageBytes } = clientOptions;
  const own = { command, args, env, cwd, inheritEnv, killGraceMs, restart, redact };
  const connector = wired(stdioConnector({ ...own, maxMessageBytes }), wire);
  return new McpClient(connector, clientOptions, 'all', OWN, negotiate);
};
