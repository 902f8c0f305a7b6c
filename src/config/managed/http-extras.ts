import { callback, type Check, checkMembers, milliseconds, object, oneOf } from '../../jsonrpc/checks.js';
import type { HttpParameters } from '../../transport/http/index.js';
import type { ConfigEntry } from '../read-entry.js';
import type { HttpServerConfig } from '../server-config.js';

/** What an entry cannot say of how a server behind a URL is reached; as the options of `connectHttp`. */
export type HttpExtras = Pick<
  HttpParameters,
  'authProvider' | 'fetch' | 'allowedHosts' | 'redirects' | 'retry' | 'keepAliveMs'
>;

/** The same for all servers behind URLs, or by the key and the URL of each. */
export type HttpOption = HttpExtras | ((key: string, url: string) => HttpExtras);

/** What the transport looks at itself is only looked at for being there. */
const anything: Check = () => undefined;

const EXTRAS_CHECKS: Readonly<Record<keyof HttpExtras, Check>> = {
  authProvider: object,
  fetch: callback,
  allowedHosts: anything,
  redirects: oneOf('same-origin', 'error'),
  retry: object,
  keepAliveMs: milliseconds(0),
};

/** Throws an `OptionError` that names the member that cannot be used. */
export const httpOption: Check = (value, name) => {
  if (typeof value !== 'function') checkMembers(value, EXTRAS_CHECKS, name);
};

/** Whether a server is authorized by a header of its entry: that goes before OAuth. */
export const hasAuthorization = ({ headers = {} }: Pick<HttpServerConfig, 'headers'>): boolean =>
  Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');

/**
 * What counts for an entry; nothing for one that is not behind a URL, for which nobody is asked. An `Authorization` header of
 * the entry goes before an `authProvider`. Throws an `OptionError`, and what a function throws.
 */
export const httpExtrasOf = (entry: ConfigEntry, option: HttpOption | undefined): HttpExtras => {
  if (entry.state !== 'usable' || entry.server.transport === 'stdio' || option === undefined) return {};
  const extras = typeof option === 'function' ? option(entry.key, entry.server.url) : option;
  checkMembers(extras, EXTRAS_CHECKS, 'http');
  return hasAuthorization(entry.server) ? { ...extras, authProvider: undefined } : extras;
};
