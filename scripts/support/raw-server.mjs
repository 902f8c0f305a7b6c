// The smallest MCP server there is: newline-delimited JSON on stdin and stdout, no library, one tool named `echo`.
// `node raw-server.mjs modern|legacy` says which era it speaks; it refuses the other one's opening as real servers do.
// With `notices` as a second argument each call is preceded by one progress report (when asked for) and one log line.
// A call whose argument `holdIn` is the id of this process is not answered; `held` on stderr says that it is here.
const era = process.argv[2] ?? 'modern';
const notices = process.argv[3] === 'notices';
const info = { name: 'raw-server', version: '1.0.0' };
const capabilities = { tools: {}, logging: {} };
const tool = {
  name: 'echo',
  description: 'Answers with its arguments.',
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true, idempotentHint: true },
};

const complete = (result) =>
  era === 'modern'
    ? { resultType: 'complete', ...result, _meta: { 'io.modelcontextprotocol/serverInfo': info } }
    : result;
const cacheable = era === 'modern' ? { ttlMs: 0, cacheScope: 'private' } : {};

const handlers = {
  modern: {
    'server/discover': () => complete({ supportedVersions: ['2026-07-28'], capabilities, ...cacheable }),
  },
  legacy: {
    initialize: () => ({ protocolVersion: '2025-11-25', capabilities, serverInfo: info }),
    ping: () => ({}),
    'logging/setLevel': () => ({}),
  },
}[era];
if (handlers === undefined) throw new Error(`no such era: ${era}`);
handlers['tools/list'] = () => complete({ tools: [tool], ...cacheable });
handlers['tools/call'] = (params) =>
  complete({ content: [{ type: 'text', text: JSON.stringify(params.arguments ?? {}) }] });

const write = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

const before = (params) => {
  const meta = params?._meta ?? {};
  if (meta.progressToken !== undefined) {
    write({
      method: 'notifications/progress',
      params: { progressToken: meta.progressToken, progress: 1, total: 1 },
    });
  }
  if (era === 'legacy' || meta['io.modelcontextprotocol/logLevel'] !== undefined) {
    write({ method: 'notifications/message', params: { level: 'info', data: 'called' } });
  }
};

const handle = (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const handler = handlers[method];
  if (handler === undefined) {
    write({ id, error: { code: -32601, message: `Method not found: ${method}` } });
    return;
  }
  if (method === 'tools/call' && params.arguments?.holdIn === process.pid) {
    process.stderr.write('held\n');
    return;
  }
  if (notices && method === 'tools/call') before(params);
  write({ id, result: handler(params) });
};

let rest = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  for (const line of lines) if (line !== '') handle(line);
});
// The end of stdin ends the process: nothing else keeps it alive.
