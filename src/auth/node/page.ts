/** What the browser is told in the end. */
export type PageKind = 'authorized' | 'failed' | 'stray';

const TEXTS: Readonly<Record<PageKind, readonly [title: string, text: string]>> = {
  authorized: ['Authorized', 'The application has its authorization. You can close this window.'],
  failed: ['Not authorized', 'The application has no authorization, and says why. You can close this window.'],
  stray: ['Nothing to do', 'Nothing here waits for this answer. Go back to the application, and begin again.'],
};

/** The header fields of a page: it loads nothing, is kept nowhere, and tells nobody where it was. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  connection: 'close',
};

/** A page. It says nothing that came with a request: anybody could have written that. */
export const pageOf = (kind: PageKind): string => {
  const [title, text] = TEXTS[kind];
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><style>body{font:1rem/1.5 system-ui,sans-serif;max-width:30rem;margin:20vh auto;padding:0 1rem;text-align:center;color-scheme:light dark}</style><h1>${title}</h1><p>${text}</p></html>\n`;
};
