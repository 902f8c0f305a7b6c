import { AuthorizationError } from './authorization-error.js';

/** How far a host is from the public: this machine, a network of somebody's own, or everybody's. */
type Distance = 'loopback' | 'private' | 'public';

const FOUR = /^(\d+)\.(\d+)\.(\d+)\.(\d+)$/;

/** Addresses that are nobody's in public. RFC 6890; RFC 6598 (shared address space). */
const distanceOfFour = (a: number, b: number): Distance => {
  if (a === 127) return 'loopback';
  const isPrivate =
    a === 10 ||
    a === 0 ||
    a >= 224 ||
    (a === 172 && b >= 16 && b <= 31) ||
    (a === 192 && b === 168) ||
    (a === 169 && b === 254) ||
    (a === 100 && b >= 64 && b <= 127) ||
    (a === 198 && (b === 18 || b === 19));
  return isPrivate ? 'private' : 'public';
};

/** The two halves of a IPv4 address at the end of an IPv6 one, as the URL parser writes it. */
const embedded = (host: string): Distance | undefined => {
  // Mapped (RFC 4291, 2.5.5.2), translated (RFC 6052), and 6to4 (RFC 3056).
  const found = /^(?:::ffff:|64:ff9b::|2002:)([0-9a-f]{1,4})(?::([0-9a-f]{1,4}))?/.exec(host);
  if (found === null) return undefined;
  const high = Number.parseInt(found[1] ?? '0', 16);
  return distanceOfFour(high >> 8, high & 0xff);
};

const distanceOfSix = (host: string): Distance => {
  if (host === '::1') return 'loopback';
  const within = embedded(host);
  if (within !== undefined) return within;
  // Unspecified, unique local (RFC 4193), link-local and multicast (RFC 4291).
  return /^(::$|f[cd]|fe[89ab]|fec|ff)/.test(host) ? 'private' : 'public';
};

/** How far a URL's host is, as its name or address says. What a name resolves to is not looked up. */
const distanceOf = ({ hostname }: URL): Distance => {
  const host = hostname.replace(/\.$/, '').toLowerCase();
  if (host.startsWith('[')) return distanceOfSix(host.slice(1, -1));
  const four = FOUR.exec(host);
  if (four !== null) return distanceOfFour(Number(four[1]), Number(four[2]));
  if (host === 'localhost' || host.endsWith('.localhost')) return 'loopback';
  return !host.includes('.') || /\.(local|internal|lan|home\.arpa|intranet|corp|home)$/.test(host)
    ? 'private'
    : 'public';
};

/** A URL for a message: without what may be secret. */
export const told = (url: string | URL): string => {
  if (!URL.canParse(String(url))) return 'what is no URL';
  const { origin, pathname, protocol } = new URL(url);
  return origin === 'null' ? `a ${protocol} URL` : `${origin}${pathname}`;
};

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

  /** The URL, if it may be used; else throws an `AuthorizationError` that names it by `what` it is. */
  require(url: string | URL, what: string): URL {
    const refuse = (reason: string): never => {
      throw new AuthorizationError('url', `${what}, ${told(url)}, is not used: ${reason}`);
    };
    if (!URL.canParse(String(url))) return refuse('it cannot be read');
    const parsed = new URL(url);
    const distance = distanceOf(parsed);
    if (parsed.protocol !== 'https:' && !(parsed.protocol === 'http:' && distance === 'loopback'))
      return refuse('it must be https (on loopback http will do)');
    if (parsed.username !== '' || parsed.password !== '') return refuse('it carries credentials');
    if (distance !== 'public' && distanceOf(this.#server) === 'public' && !this.#allowPrivate)
      return refuse('a private address named by a public server (allowPrivate: true allows it)');
    return parsed;
  }
}
