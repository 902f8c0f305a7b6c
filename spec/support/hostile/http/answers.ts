import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { event, type Received, reply, stream } from '../../http/loopback.js';
import type { Writing } from '../../http/peer.js';

const typed =
  (type: string | undefined, encode: (text: string) => string | Uint8Array = (text) => text): Writing =>
  (response, answer) =>
    response.writeHead(200, type === undefined ? {} : { 'content-type': type }).end(encode(JSON.stringify(answer)));
const status =
  (code: number, body: string | object = '', headers: Readonly<Record<string, string>> = {}): Writing =>
  (response) =>
    reply(response, code, body, headers);
const html = { 'content-type': 'text/html' };
const json = { 'content-type': 'application/json' };
const failure = (id: unknown) => ({ jsonrpc: '2.0', id, error: { code: -32603, message: 'no' } });

/** The token that a client was given, as it came. */
const tokenIn = ({ headers }: Received): string => String(headers.authorization).replace('Bearer ', '');
const challenge = (response: ServerResponse, code: number, what: string): unknown =>
  reply(response, code, 'no', { 'www-authenticate': `Bearer error="invalid_token", error_description="${what}"` });

const encoded = (response: ServerResponse, encoding: string, body: Uint8Array | string): unknown =>
  response.writeHead(200, { ...json, 'content-encoding': encoding }).end(body);

/** Whole answers that are not as HTTP or the protocol wants them. */
export const ANSWERS: Readonly<Record<string, Writing>> = {
  'answers with 202': status(202),
  'answers with 204': status(204),
  'answers with 205': status(205),
  'answers with 206 and the answer': (response, answer) => reply(response, 206, answer),
  'answers with an empty 200': status(200),
  'answers with an empty body of JSON': status(200, '', json),
  'answers with blanks of JSON': status(200, ' \r\n\t', json),
  'answers with a web page': status(200, '<html>', html),
  'answers without a media type': typed(undefined),
  'answers with JSON as text/plain': typed('text/plain'),
  'answers with a media type of nonsense': typed(';;;=,application/json'),
  'answers with a media type in capitals and with parameters': typed('APPLICATION/JSON ; charset="utf-8"; x=y'),
  'answers with a media type of JSON of its own': typed('application/vnd.mcp+json'),
  'claims latin1': typed('application/json; charset=ISO-8859-1'),
  'answers in UTF-16': typed('application/json; charset=utf-16le', (text) => Buffer.from(text, 'utf16le')),
  'answers with a byte order mark': typed('application/json', (text) => `\ufeff${text}`),
  'answers in JSON of a stream’s type': typed('text/event-stream'),
  'answers with a stream of JSON’s type': (response, answer) => response.writeHead(200, json).end(event(answer)),
  'answers with half of its JSON': typed('application/json', (text) => text.slice(0, text.length / 2)),
  'answers with its JSON twice': typed('application/json', (text) => text + text),
  'answers another id': (response, answer) => reply(response, 200, { ...answer, id: 999_999 }),
  'answers with an error of another id': (response) => reply(response, 200, failure('who')),
  'answers with an empty batch': (response) => reply(response, 200, []),
  'answers with a batch that lacks the answer': (response) => reply(response, 200, [{ jsonrpc: '2.0', method: 'x' }]),
  'compresses unasked': (response, answer) => encoded(response, 'gzip', gzipSync(JSON.stringify(answer))),
  'claims to compress and does not': (response, answer) => encoded(response, 'gzip', JSON.stringify(answer)),
  'compresses half': (response, answer) => encoded(response, 'gzip', gzipSync(JSON.stringify(answer)).subarray(0, 30)),
  'compresses in a way nobody knows': (response) => encoded(response, 'x-zip', Uint8Array.of(1, 2, 3, 4)),
  'compresses 50 MB into a few bytes': (response) =>
    encoded(response, 'gzip', gzipSync(Buffer.alloc(50_000_000, 0x20))),
  'answers with 300': status(300),
  'answers with 304': status(304),
  'redirects to itself for ever': status(307, '', { location: '/mcp' }),
  'redirects to nowhere': status(307),
  'redirects to a scheme that is none': status(307, '', { location: 'javascript:alert(1)' }),
  'redirects to a file': status(308, '', { location: 'file:///etc/passwd' }),
  'redirects to another origin': status(307, '', { location: 'http://127.0.0.1:9/mcp' }),
  'redirects with 303': status(303, '', { location: '/other' }),
  'answers with 400 and a JSON-RPC error': (response) => reply(response, 400, failure(null)),
  'answers with 400 and half a JSON-RPC error': status(400, '{"jsonrpc":"2.0","error":', json),
  'answers with 401': status(401, 'who are you?', { 'www-authenticate': 'Bearer realm="x"' }),
  'repeats its credentials in a 401': (response, _answer, received) =>
    challenge(response, 401, `${tokenIn(received)} is expired`),
  'repeats its credentials in a 401, in percents': (response, _answer, received) =>
    challenge(response, 401, `see https://a.example/?t=${encodeURIComponent(tokenIn(received))}`),
  'repeats its credentials in a 403': (response, _answer, received) => challenge(response, 403, tokenIn(received)),
  'repeats its credentials in a media type': (response, answer, received) =>
    response.writeHead(200, { 'content-type': `x/${tokenIn(received)}` }).end(JSON.stringify(answer)),
  'repeats its credentials in a redirect': (response, _answer, received) =>
    reply(response, 307, '', { location: `http://127.0.0.1:9/${encodeURIComponent(tokenIn(received))}` }),
  'repeats its credentials in its status': (response, _answer, received) =>
    response.writeHead(500, `no ${tokenIn(received)}`).end(),
  'answers with 403': status(403, 'not you'),
  'answers with 404': status(404, 'Cannot POST /mcp'),
  'answers with 413': status(413, 'too large'),
  'answers with 418 and 10 MB': status(418, 'x'.repeat(10_000_000)),
  'answers with 429': status(429, 'slowly', { 'retry-after': '3600' }),
  'answers with 500 and a web page': status(500, '<html>', html),
  'answers with 503 and a Retry-After of nonsense': status(503, 'down', { 'retry-after': 'soon; -1; 1e99' }),
  'answers with 599': status(599),
  'answers with 700': status(700),
  'answers with 10 000 header fields': (response, answer) => {
    for (let n = 0; n < 100; n += 1) response.appendHeader('x-many', String(n));
    return reply(response, 200, answer);
  },
  'names a session in a call’s answer': (response, answer) => reply(response, 200, answer, { 'mcp-session-id': 'new' }),
  'sets a cookie': (response, answer) => reply(response, 200, answer, { 'set-cookie': 'a=b' }),
  'says early hints first': (response, answer) => {
    response.writeProcessing();
    response.writeEarlyHints({ link: '</x>; rel=preload' });
    return reply(response, 200, answer);
  },
  'ends its stream without a word': (response) => stream(response).end(),
  'ends its stream with a comment': (response) => stream(response).end(': goodbye\n\n'),
};
