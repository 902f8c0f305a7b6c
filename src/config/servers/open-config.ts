import { ManagedServers } from './managed-servers.js';
import type { OpenOptions } from './options.js';

/**
 * Runs the servers of a config: returns at once, and reads it and starts all of them in the background, together. Whatever
 * is wrong with the config or a server is in `problems` and `status`, and costs no other server. They are started again
 * when they die, and with `watch` follow the file as it changes. They belong to what is returned: `stop()` ends them. Throws
 * an `OptionError` where an option is unknown or cannot be used.
 * @param source the path of a file, or what such a file holds
 * @example
 * await using servers = openConfig('.mcp.json', { watch: true });
 * await servers.ready();
 * for (const [key, { status, reason }] of servers.status) console.log(key, status, reason ?? '');
 * const tools = await servers.promises.toolsForLlm({ format: 'anthropic' });
 */
export const openConfig = (source: string | URL | object, options: OpenOptions = {}): ManagedServers =>
  new ManagedServers(source, options);
