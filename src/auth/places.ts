import { distanceOf } from '../transport/http/addresses.js';
import { AuthorizationError } from './authorization-error.js';

/** A URL for a message: without what may be secret. */
export const told = (url: string | URL): string => {
  if (!URL.canParse(String(url))) return 'what is no URL';
  const { origin, pathname, protocol } = new URL(url);
  return origin === 'null' ? `a ${protocol} URL` : `${origin}${pathname}`;
};

/** Why a private address is not used. */
export const PRIVATE = 'a private address named by a public server (allowPrivate: true allows it)';

/** True for a host that is this machine. */
export const isLoopback = (url: URL): boolean => distanceOf(url) === 'loopback';

/**
 * Which URLs may be used on behalf of one MCP server: https, or http on loopback; and no private address that a public
 * server names, unless that is allowed, since it could make this machine ask what it cannot ask itself. MCP 2026-07-28
 * basic/authorization/security-considerations, "Communication Security".
 */
export class Places {
  readonly #server: URL;
  readonly #allowPrivate: boolean;

  constructor(server: URL, allowPrivate: boolean) {
    this.#server = server;
    this.#allowPrivate = allowPrivate;
  }

  /** The same for what another host names. */
  namedBy(url: URL): Places {
    return new Places(url, this.#allowPrivate);
  }

  /** The URL, if it may be used; else throws an `AuthorizationError` that names it by `what` it is. */
  require(url: string | URL, what: string): URL {
    const refuse = (reason: string): never => {
      throw new AuthorizationError('url', `${what}, ${told(url)}, is not used: ${reason}`);
    };
    // Of a document of a server's it may be anything.
    const isGiven = typeof (url as unknown) === 'string' || url instanceof URL;
    if (!isGiven || !URL.canParse(String(url))) return refuse('it cannot be read');
    const parsed = new URL(url);
    const distance = distanceOf(parsed);
    if (parsed.protocol !== 'https:' && !(parsed.protocol === 'http:' && distance === 'loopback'))
      return refuse('it must be https (on loopback http will do)');
    if (parsed.username !== '' || parsed.password !== '') return refuse('it carries credentials');
    if (distance !== 'public' && distanceOf(this.#server) === 'public' && !this.#allowPrivate) return refuse(PRIVATE);
    return parsed;
  }

  /** The host on whose word a URL is asked, where that may lead to no private address by a public name. */
  namerOf({ hostname }: URL): string | undefined {
    const isFree = this.#allowPrivate || distanceOf(this.#server) !== 'public' || hostname === this.#server.hostname;
    return isFree ? undefined : this.#server.hostname;
  }
}
