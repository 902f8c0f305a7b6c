import { hasAuthorization } from '../../config/managed/http-extras.js';
import { redactUrl } from '../../config/redact.js';
import type { HttpServerConfig, ServerConfig } from '../../config/server-config.js';
import type { Chosen } from '../choose.js';
import type { Globals } from '../context.js';

/** Whether a server may be logged in to: it is behind a URL, and nobody has given it an `Authorization` header. */
export const mayLogIn = (server: ServerConfig): server is HttpServerConfig =>
  server.transport !== 'stdio' && !hasAuthorization(server);

/** A word as it is typed at a shell. */
const quoted = (word: string): string =>
  /^[\w./:@%+=,-]+$/.test(word) && !word.startsWith('-') ? word : `'${word.replace(/'/g, `'\\''`)}'`;

/** What is typed to log in to a server; nothing where that is of no use. A URL with a secret in it is not told. */
export const loginLine = (
  { key, server, fromConfig }: Pick<Chosen, 'key' | 'server' | 'fromConfig'>,
  { config }: Pick<Globals, 'config'>,
): string | undefined => {
  if (!mayLogIn(server)) return undefined;
  const { url } = server;
  if (!fromConfig) return `rx-mcp login --url ${redactUrl(url) === url ? quoted(url) : '<url>'}`;
  return ['rx-mcp login', quoted(key), ...(config === undefined ? [] : ['--config', quoted(config)])].join(' ');
};
