// What a server says that does nothing bad: the ground on which each deed of the hostile server stands.

export const TOOLS = [
  { name: 'greet', inputSchema: { type: 'object' } },
  { name: 'deed', inputSchema: { type: 'object' } },
];

const serverInfo = { name: 'hostile', version: '1' };
const capabilities = { tools: {} };

/** What `greet` gives. */
export const hello = { content: [{ type: 'text', text: 'hello' }] };

/** Which of a deed's stages a message belongs to; `undefined` where it has no say. */
export const stageOf = ({ method, params, id }) => {
  if (id === undefined) return method === 'notifications/initialized' ? 'initialized' : undefined;
  if (method === 'server/discover') return 'discover';
  if (method === 'initialize') return 'initialize';
  if (method === 'tools/list') return 'list';
  if (method === 'subscriptions/listen') return 'listen';
  return method === 'tools/call' && params?.name === 'deed' ? 'call' : undefined;
};

/** The result of a request in an era; `undefined` where there is none. */
export const resultOf = (era, { method }) => {
  if (method === 'server/discover' && era === 'modern') {
    return { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities, serverInfo };
  }
  if (method === 'initialize' && era === 'legacy') return { protocolVersion: '2025-11-25', capabilities, serverInfo };
  if (method === 'ping' && era === 'legacy') return {};
  if (method === 'tools/list') return { tools: TOOLS };
  return method === 'tools/call' ? hello : undefined;
};

/** A right answer to a request. */
export const answerTo = (era, { id, method, params }) => {
  const result = resultOf(era, { method, params });
  if (result !== undefined) return { jsonrpc: '2.0', id, result };
  return { jsonrpc: '2.0', id, error: { code: -32601, message: `no such method: ${method}` } };
};
