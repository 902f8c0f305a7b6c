import { type InMemoryServer, memoryConnector } from '../../transport/memory/index.js';
import { negotiate } from '../../protocol/negotiate.js';
import { McpClient } from '../mcp-client.js';
import type { ClientOptions } from '../../client/index.js';

/**
 * A client of a server that runs in this very process: a server of the official SDK, or anything else with
 * `connect(transport)`. The server is connected on first use, and again by the next use after it closed. Throws an
 * `OptionError` where an option is unknown or cannot be used.
 */
export const connectInMemory = (server: InMemoryServer, options: ClientOptions = {}): McpClient =>
  new McpClient(memoryConnector(server), options, 'all', [], negotiate);
