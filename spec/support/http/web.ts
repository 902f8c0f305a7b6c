import type { Handler } from './loopback.js';

/** A response of JSON, as `fetch` has them. */
export const json = (body: unknown, status = 200): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });

/** Puts a server that is written for `fetch` behind `node:http`. Hanging up aborts the request's signal. */
export const webHandler =
  (fetch: (request: Request) => Promise<Response>): Handler =>
  async ({ method, body, headers }, response, { url = '' }) => {
    const abort = new AbortController();
    response.on('close', () => abort.abort());
    const fields = Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]],
    );
    const answer = await fetch(
      new Request(`http://${String(headers['host'])}${url}`, {
        method,
        headers: fields,
        body: body === '' ? null : body,
        signal: abort.signal,
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    // An event stream says that it is one before it says anything else.
    response.flushHeaders();
    const reader = answer.body?.getReader();
    response.on('close', () => void reader?.cancel().catch(() => undefined));
    for (;;) {
      const chunk = await reader?.read();
      if (chunk === undefined || chunk.done) break;
      response.write(chunk.value);
    }
    response.end();
  };
