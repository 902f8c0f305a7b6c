// A POST for each message, as barely as each HTTP client allows: the answer is JSON, or the one event of a stream.
import { request as nodeRequest, Agent } from 'node:http';

const dataLine = '\ndata: ';

/** The message of an answer, from its media type and its text. */
const messageOf = (type, text) => {
  if (!type.startsWith('text/event-stream')) return JSON.parse(text);
  const start = text.indexOf(dataLine) + dataLine.length;
  return JSON.parse(text.slice(start, text.indexOf('\n', start)));
};

const baseHeaders = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

const headersOf = (era, { method, params }) =>
  era === 'modern'
    ? {
        ...baseHeaders,
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...(params?.name === undefined ? {} : { 'mcp-name': params.name }),
      }
    : { ...baseHeaders, 'mcp-protocol-version': '2025-11-25' };

const throughFetch = async (url) => ({
  post: async (headers, body) => {
    const response = await fetch(url, { method: 'POST', headers, body });
    return { status: response.status, type: response.headers.get('content-type') ?? '', text: await response.text() };
  },
  close: async () => undefined,
});

const throughPool = async (url) => {
  const { Pool } = await import('undici');
  const { origin, pathname: path } = new URL(url);
  const pool = new Pool(origin);
  return {
    post: async (headers, body) => {
      const response = await pool.request({ method: 'POST', path, headers, body });
      const text = await response.body.text();
      return { status: response.statusCode, type: response.headers['content-type'] ?? '', text };
    },
    close: () => pool.destroy(),
  };
};

const throughNode = async (url) => {
  const agent = new Agent({ keepAlive: true });
  const post = (headers, body) =>
    new Promise((resolve, reject) => {
      const request = nodeRequest(url, { method: 'POST', agent, headers }, (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({ status: response.statusCode, type: response.headers['content-type'] ?? '', text });
        });
      });
      request.on('error', reject);
      request.end(body);
    });
  return { post, close: async () => agent.destroy() };
};

const ways = { fetch: throughFetch, pool: throughPool, node: throughNode };

/** Opens a way to post; `wire.way` is `fetch`, `pool` or `node`. */
export const openHttp = async (wire, receive) => {
  const { post, close } = await ways[wire.way](wire.url);
  return {
    post: (message) => {
      void post(headersOf(wire.era, message), JSON.stringify(message)).then(({ status, type, text }) => {
        if (status !== 202) receive(messageOf(type, text));
      });
    },
    close,
  };
};
