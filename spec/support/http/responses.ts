import { from, NEVER, type Observable, of, concat, defer } from 'rxjs';
import type { HttpResponse } from '../../../src/transport/http/engine.js';
import { checkHttp, type CheckedHttp } from '../../../src/transport/http/parameters.js';
import type { HttpParameters } from '../../../src/transport/http/options.js';

/** Text as bytes. */
export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A response made by hand, and whether its body was let go. */
export interface MadeResponse extends HttpResponse {
  readonly discarded: boolean;
}

/** Makes a response. A body of texts is emitted at once and ends; one of an Observable as that does. */
export const madeResponse = (
  status: number,
  headers: Readonly<Record<string, string>> = {},
  body: string | readonly string[] | Observable<Uint8Array> = '',
): MadeResponse => {
  const fields = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  let discarded = false;
  const texts = typeof body === 'string' ? [body] : body;
  return {
    url: 'https://mcp.example/mcp?key=secret',
    status,
    statusText: `status ${String(status)}`,
    header: (name) => fields.get(name.toLowerCase()),
    body$: Array.isArray(texts) ? from(texts.map(bytes)) : (texts as Observable<Uint8Array>),
    discard: () => {
      discarded = true;
    },
    get discarded() {
      return discarded;
    },
  };
};

/** A response of JSON. */
export const json = (body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): MadeResponse =>
  madeResponse(status, { 'content-type': 'application/json', ...headers }, JSON.stringify(body));

/** A response that is an event stream: of texts, and then open for ever. */
export const openStream = (...texts: readonly string[]): MadeResponse =>
  madeResponse(200, { 'content-type': 'text/event-stream' }, concat(of(...texts.map(bytes)), NEVER));

/** A response that is an event stream, which ends after its texts. */
export const endingStream = (...texts: readonly string[]): MadeResponse =>
  madeResponse(200, { 'content-type': 'text/event-stream' }, texts);

/** Checked parameters, with an endpoint nobody listens at. */
export const checked = (parameters: Partial<HttpParameters> = {}): CheckedHttp =>
  checkHttp({ url: 'https://mcp.example/mcp', ...parameters });

/** Bytes that break after the given texts. */
export const breaking = (reason: unknown, ...texts: readonly string[]): Observable<Uint8Array> =>
  concat(
    of(...texts.map(bytes)),
    defer((): Observable<never> => {
      throw reason;
    }),
  );
