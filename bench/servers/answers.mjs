// A raw server's answers, without a library and without a wire: from a request to the text, or the object, of its answer.
import { toolsWith, working } from './tools.mjs';

const serverInfo = { name: 'raw', version: '1.0.0' };
const capabilities = { tools: {}, logging: {} };
/** Long enough that no client asks twice within a run. */
const kept = { ttlMs: 3_600_000, cacheScope: 'private' };

const modern = (result) => ({
  resultType: 'complete',
  ...result,
  _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
});

const openings = {
  modern: {
    'server/discover': () => modern({ supportedVersions: ['2026-07-28'], capabilities, ...kept }),
  },
  legacy: {
    initialize: () => ({ protocolVersion: '2025-11-25', capabilities, serverInfo }),
    ping: () => ({}),
    'logging/setLevel': () => ({}),
  },
};

/** Results of more than this are written as JSON once. */
const LARGE = 100_000;

/**
 * The server of one era, with `more` tools in its list: `answer(message)` gives the response, or `undefined` where there
 * is none to give (a notice, a call that is held), and `textOf(response)` its JSON.
 */
export const answersOf = (era, more = 0) => {
  const finish = era === 'modern' ? modern : (result) => result;
  let list;
  const finished = new WeakMap();
  const methods = {
    ...openings[era],
    'tools/list': () => (list ??= finish({ tools: toolsWith(more), ...(era === 'modern' ? kept : {}) })),
    'tools/call': ({ name, arguments: args = {} }) => {
      const result = working[name]?.run(args) ?? (name in working ? undefined : working.echo.run(args));
      if (name !== 'large') return result === undefined ? undefined : finish(result);
      if (!finished.has(result)) finished.set(result, finish(result));
      return finished.get(result);
    },
  };
  const texts = new WeakMap();
  const resultText = (result) => {
    const known = texts.get(result);
    if (known !== undefined) return known;
    const text = JSON.stringify(result);
    if (text.length > LARGE) texts.set(result, text);
    return text;
  };
  return {
    answer: ({ id, method, params }) => {
      if (id === undefined) return undefined;
      const known = methods[method];
      if (known === undefined) return { jsonrpc: '2.0', id, error: { code: -32601, message: `no ${method}` } };
      const result = known(params ?? {});
      return result === undefined ? undefined : { jsonrpc: '2.0', id, result };
    },
    textOf: (response) =>
      'result' in response
        ? `{"jsonrpc":"2.0","id":${JSON.stringify(response.id)},"result":${resultText(response.result)}}`
        : JSON.stringify(response),
  };
};

/** So many progress reports for a call, in order, as messages. */
export const noticesOf = function* ({ params }) {
  const { count = 0 } = params.arguments ?? {};
  const progressToken = params._meta?.progressToken;
  if (progressToken === undefined) return;
  for (let progress = 1; progress <= count; progress += 1) {
    yield { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress, total: count } };
  }
};
