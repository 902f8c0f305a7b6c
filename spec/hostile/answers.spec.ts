// What a server may answer, over stdio and as the events of a stream: the outcome of each, and that the next call is answered.
import { describe, expect, jest } from '@jest/globals';
import { overHttp } from '../support/hostile/over-http.js';
import { overStdio } from '../support/hostile/over-stdio.js';
import { ANSWERED, fails, gives, INVALID, LOST, type Row, timesOut } from '../support/hostile/rows.js';

jest.setTimeout(60_000);

const NOBODYS = 'an answer that names no call in flight is nobody’s, and another may yet come';

const three: NonNullable<Row['ask']> = (client, bound) =>
  Promise.all([1, 2, 3].map((n) => client.promises.callTool('deed', { n }, bound)));
const numbered = (n: number): unknown =>
  expect.objectContaining({ content: [{ type: 'text', text: `call ${String(n)}` }] });

const ROWS: readonly Row[] = [
  { server: 'answers twice', outcome: ANSWERED, warns: ['unmatched-answer'] },
  {
    server: 'answers twice, first with an error',
    outcome: fails('ProtocolError', { code: -32603 }),
    warns: ['unmatched-answer'],
  },
  { server: 'answers an id that was never asked, then the right one', outcome: ANSWERED, warns: ['unmatched-answer'] },
  { server: 'answers with the id as a string', ...timesOut(NOBODYS), onHttp: LOST, warns: ['unmatched-answer'] },
  { server: 'answers with the id null', ...timesOut(NOBODYS), onHttp: LOST, warns: ['invalid-message'] },
  { server: 'answers with the id as a fraction', ...timesOut(NOBODYS), onHttp: LOST, warns: ['invalid-message'] },
  { server: 'answers without an id', ...timesOut(NOBODYS), onHttp: LOST, warns: ['invalid-message'] },
  {
    server: 'answers with an error without an id',
    ...timesOut(NOBODYS),
    onHttp: fails('ProtocolError', { code: -32700 }),
    warns: ['unmatched-answer'],
  },
  { server: 'answers the next request before it was made', outcome: ANSWERED, warns: ['unmatched-answer'] },
  { server: 'answers three calls in the wrong order', outcome: gives([1, 2, 3].map(numbered)), ask: three },
  { server: 'answers with neither result nor error', outcome: INVALID },
  { server: 'answers with both result and error', outcome: INVALID },
  { server: 'answers with a null error alone', outcome: INVALID },
  { server: 'answers with an error without a code', outcome: INVALID },
  { server: 'answers with an error whose code is a text', outcome: INVALID },
  { server: 'answers with an error without a message', outcome: fails('ProtocolError', { code: -32050 }) },
  {
    server: 'answers that it does not support the version, and names none that it does',
    outcome: fails('ProtocolError', { code: -32022, data: undefined }),
  },
  { server: 'answers with an error that is a text', outcome: INVALID },
  { server: 'answers without jsonrpc', outcome: ANSWERED },
  { server: 'answers with jsonrpc 1.0', outcome: ANSWERED },
  {
    server: 'answers with a method beside the result',
    ...timesOut('what has a method is a request of the server’s, whose ids are its own'),
    onHttp: LOST,
    eras: ['modern'],
    warns: ['unexpected-request'],
  },
  {
    server: 'answers with a method beside the result',
    ...timesOut('what has a method is a request of the server’s, whose ids are its own'),
    onHttp: LOST,
    eras: ['legacy'],
  },
  { server: 'marks its own answer as invalid', outcome: ANSWERED },
  { server: 'never answers', ...timesOut('a server may be slow'), onHttp: LOST },
];

describe('what is answered on a line of stdout', () => overStdio(ROWS));
describe('what is answered as an event of a stream', () => overHttp(ROWS));
