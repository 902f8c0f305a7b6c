/** What a page of another origin may send to a server. Each `Mcp-Param-…` that a tool's schema names belongs here, too. */
const REQUEST_HEADERS = [
  'Content-Type',
  'Authorization',
  'Last-Event-ID',
  'Mcp-Session-Id',
  'Mcp-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
];

/** What it may read of the answer. Without the first, no call of a legacy server finds its session. */
const RESPONSE_HEADERS = ['Mcp-Session-Id', 'WWW-Authenticate', 'Retry-After'];

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether a page may talk to the demo: one of this machine may, any other on the web may not. */
export const isWelcome = (origin: string): boolean => URL.canParse(origin) && LOOPBACK.has(new URL(origin).hostname);

/** The headers that let a page of this origin in. WHATWG Fetch, "HTTP CORS protocol". */
export const corsHeaders = (origin: string): Readonly<Record<string, string>> => ({
  'access-control-allow-origin': origin,
  'access-control-allow-methods': 'GET, POST, DELETE',
  'access-control-allow-headers': REQUEST_HEADERS.join(', '),
  'access-control-expose-headers': RESPONSE_HEADERS.join(', '),
  'access-control-max-age': '600',
  vary: 'Origin',
});
