/** What is to be shown of a URL before it is opened. */
export interface UrlFacts {
  readonly host: string;
  readonly warning?: string | undefined;
}

const LOOPBACK = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * The facts of a URL a server wants opened; a string that says why it must not be. Only https is opened, and http
 * on loopback. MCP 2026-07-28 client/elicitation, "Safe URL Handling".
 */
export const factsOf = (url: unknown): UrlFacts | string => {
  if (typeof url !== 'string' || !URL.canParse(url)) return 'it is not a URL';
  const { protocol, hostname, host, username, password, href } = new URL(url);
  if (protocol !== 'https:' && !(protocol === 'http:' && LOOPBACK.test(hostname))) {
    return 'it is neither https nor http on loopback';
  }
  const odd: string[] = [];
  if (hostname.split('.').some((label) => label.startsWith('xn--'))) {
    odd.push('its host is written in Punycode and may look like another');
  }
  if (username !== '' || password !== '') odd.push('it carries a user name before the host');
  // What a browser makes of it is what counts, and a person reads what is written.
  const same = [url, `${url}/`].some((text) => text.toLowerCase() === href.toLowerCase());
  if (!same && odd.length === 0) odd.push(`it leads to ${href}`);
  return odd.length === 0 ? { host } : { host, warning: odd.join('; ') };
};
