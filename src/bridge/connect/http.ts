import { isObject } from '../../jsonrpc/index.js';
import { httpConnector, type HttpParameters } from '../../transport/http/index.js';
import { refuse } from '../../jsonrpc/checks.js';
import { negotiateOverHttp } from '../../protocol/negotiate-http.js';
import { McpClient } from '../mcp-client.js';
import type { Connector } from '../../transport/index.js';
import { wired } from './wired.js';
import type { ClientOptions } from '../../client/index.js';

/** The options that say how the server is reached. */
const OWN = ['url', 'headers', 'fetch', 'authProvider', 'allowedHosts', 'redirects', 'retry', 'keepAliveMs', 'wire'];

/** How to reach a server over HTTP, and the options of its client. */
export interface HttpOptions extends Omit<HttpParameters, 'maxMessageBytes'>, ClientOptions {
  /**
   * Called once, as the client is made, with the wire to the server, which is not open yet; what it returns is used in its place. For
   * tests and for looking into a fault: `recordTo` writes down what is said, `faultyTransport` damages it. Default: the wire as it is.
   */
  readonly wire?: ((connector: Connector) => Connector) | undefined;
}

/**
 * A client of a server over HTTP, of any revision: Streamable HTTP of either era, and HTTP+SSE, found out by itself.
 * Nothing is sent until first use. Its tools' annotations are believed only as far as `trustAnnotations` says: `'overlap'`
 * by default here. Throws an `OptionError` where an option is unknown or cannot be used.
 * MCP 2026-07-28 basic/transports/streamable-http.
 */
export const connectHttp = (options: HttpOptions): McpClient => {
  if (!isObject(options)) return refuse('options', 'give an object with a url');
  const { url, headers, fetch, authProvider, allowedHosts, redirects, retry, keepAliveMs, wire, ...clientOptions } =
    options;
  const { maxMessageBytes } = clientOptions;
  const connector = httpConnector({
    url,
    headers,
    fetch,
    authProvider,
    allowedHosts,
    redirects,
    retry,
    keepAliveMs,
    maxMessageBytes,
  });
  return new McpClient(wired(connector, wire), clientOptions, 'overlap', OWN, negotiateOverHttp);
};
