/** A URL in parts, as a browser will go there: it has no character beyond ASCII, and nothing that turns the rest around. */
export interface UrlParts {
  readonly before: string;
  readonly host: string;
  readonly after: string;
}

/** Where the host stands in a URL: not where it only seems to. */
export const partsOf = (text: string): UrlParts => {
  const { href, protocol, username, password, host } = new URL(text);
  const who = username === '' && password === '' ? '' : `${username}${password === '' ? '' : `:${password}`}@`;
  const before = `${protocol}//${who}`;
  return { before, host, after: href.slice(before.length + host.length) };
};

/** The host that a link leads to, where following it can do no harm to a page; `undefined` of any other. */
export const linkHost = (uri: unknown): string | undefined => {
  if (typeof uri !== 'string' || !URL.canParse(uri)) return undefined;
  const { protocol, username, password, host } = new URL(uri);
  return protocol === 'https:' && username === '' && password === '' ? host : undefined;
};
