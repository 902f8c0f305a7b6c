// Answers over HTTP that are not as HTTP or the protocol wants them.
import { inspect } from 'node:util';
import { describe, expect, jest } from '@jest/globals';
import { watch } from '../support/client/watch.js';
import { ANSWERS } from '../support/hostile/http/answers.js';
import { writtenOverHttp } from '../support/hostile/over-http.js';
import { ANSWERED, fails, INVALID, LOST, type Row } from '../support/hostile/rows.js';

jest.setTimeout(60_000);

const status = (code: number, facts: object = {}): Row['outcome'] => fails('HttpError', { status: code, ...facts });
const answered = (...servers: readonly string[]): readonly Row[] =>
  servers.map((server) => ({ server, outcome: ANSWERED }));
const invalid = (...servers: readonly string[]): readonly Row[] =>
  servers.map((server) => ({ server, outcome: INVALID }));
const refused = (...codes: readonly (readonly [string, number])[]): readonly Row[] =>
  codes.map(([server, code]) => ({ server, outcome: status(code) }));

const ROWS: readonly Row[] = [
  ...invalid(
    'answers with 202',
    'answers with 204',
    'answers with 205',
    'answers with an empty 200',
    'answers with an empty body of JSON',
    'answers with blanks of JSON',
    'answers with a web page',
    'answers without a media type',
    'answers with JSON as text/plain',
    'answers with a media type of nonsense',
    'answers in UTF-16',
    'answers with a stream of JSON’s type',
    'answers with half of its JSON',
    'answers with its JSON twice',
    'answers another id',
    'answers with an empty batch',
    'answers with a batch that lacks the answer',
    'compresses in a way nobody knows',
  ),
  ...answered(
    'answers with 206 and the answer',
    'answers with a media type in capitals and with parameters',
    'answers with a media type of JSON of its own',
    'claims latin1',
    'answers with a byte order mark',
    'compresses unasked',
    'answers with 10 000 header fields',
    'names a session in a call’s answer',
    'sets a cookie',
    'says early hints first',
  ),
  { server: 'answers with an error of another id', outcome: fails('ProtocolError', { code: -32603 }) },
  { server: 'answers in JSON of a stream’s type', outcome: LOST },
  { server: 'claims to compress and does not', outcome: LOST },
  { server: 'compresses half', outcome: LOST },
  {
    server: 'compresses 50 MB into a few bytes',
    outcome: fails('MessageTooLargeError', { limit: 1_000_000 }),
    options: { maxMessageBytes: 1_000_000 },
  },
  ...refused(
    ['answers with 300', 300],
    ['answers with 304', 304],
    ['redirects to itself for ever', 307],
    ['redirects to nowhere', 307],
    ['redirects to a scheme that is none', 307],
    ['redirects to a file', 308],
    ['redirects to another origin', 307],
    ['redirects with 303', 303],
    ['answers with 400 and half a JSON-RPC error', 400],
    ['answers with 403', 403],
    ['answers with 404', 404],
    ['answers with 413', 413],
    ['answers with 418 and 10 MB', 418],
    ['answers with 429', 429],
    ['answers with 500 and a web page', 500],
    ['answers with 503 and a Retry-After of nonsense', 503],
    ['answers with 599', 599],
    ['answers with 700', 700],
  ),
  { server: 'answers with 400 and a JSON-RPC error', outcome: fails('ProtocolError', { code: -32603 }) },
  { server: 'answers with 401', outcome: fails('UnauthorizedError', { challenge: 'Bearer realm="x"' }) },
  { server: 'ends its stream without a word', outcome: LOST },
  { server: 'ends its stream with a comment', outcome: LOST },
];

/** Plainly, or as in a URL, it is in nothing that an answer leads to. */
const TOKEN = 's3cr3t-t0ken/with+odd=chars.of.it';
const FORMS = [TOKEN, encodeURIComponent(TOKEN)];
const silent = {
  asymmetricMatch: (text: unknown): boolean => typeof text === 'string' && !FORMS.some((form) => text.includes(form)),
  toString: () => 'a text without the token',
};

/** Calls the tool, and looks at all that is told of it. */
const told: NonNullable<Row['ask']> = async (client, bound) => {
  const states = watch(client.state$);
  const warnings = watch(client.warnings$);
  try {
    return await client.promises.callTool('deed', {}, bound);
  } catch (reason) {
    const all = inspect([reason, (reason as Error).stack, states.values, warnings.values], { depth: 20 });
    expect(all).toEqual(silent);
    throw reason;
  }
};

const secret = (server: string, outcome: Row['outcome']): Row => ({
  server,
  outcome,
  ask: told,
  options: { headers: { authorization: `Bearer ${TOKEN}` } },
});

const REPEATS: readonly Row[] = [
  secret('repeats its credentials in a 401', fails('UnauthorizedError', { challenge: silent })),
  secret('repeats its credentials in a 401, in percents', fails('UnauthorizedError', { challenge: silent })),
  secret('repeats its credentials in a 403', status(403)),
  secret('repeats its credentials in a media type', fails('InvalidMessageError', { message: silent })),
  secret('repeats its credentials in a redirect', status(307)),
  secret('repeats its credentials in its status', status(500)),
];

describe('an answer over HTTP that repeats what it was sent', () => writtenOverHttp(REPEATS, ANSWERS));
describe('an answer over HTTP', () => writtenOverHttp(ROWS, ANSWERS));
