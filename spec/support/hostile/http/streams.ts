import type { ServerResponse } from 'node:http';
import { event, stream } from '../../http/loopback.js';
import type { Writing } from '../../http/peer.js';
import { nextTurn } from '../../http/turns.js';

/** Writes pieces, each in a turn of its own. */
const trickle = async (response: ServerResponse, text: string, size = 1): Promise<void> => {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) {
    response.write(bytes.subarray(at, at + size));
    await nextTurn();
  }
  response.end();
};
const noise = ': a comment\n\nevent: other\ndata: nothing\n\nretry: 10\n\nid\n\ndata\n\n';
const slowly =
  (ending: string, size = 1): Writing =>
  (response, answer) =>
    trickle(stream(response), (noise + event(answer)).replaceAll('\n', ending), size);
const once =
  (make: (answer: object) => string): Writing =>
  (response, answer) =>
    stream(response).end(make(answer));
const staying =
  (make: (answer: object) => string): Writing =>
  (response, answer) =>
    void stream(response).write(make(answer));

/** Event streams as nobody wants them. */
export const STREAMS: Readonly<Record<string, Writing>> = {
  'drips its stream byte by byte': slowly('\n'),
  'drips its stream with CRLF': slowly('\r\n'),
  'drips its stream with CR': slowly('\r'),
  'drips its stream by three bytes': slowly('\r\n', 3),
  'drips its JSON byte by byte': (response, answer) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    return trickle(response, JSON.stringify(answer));
  },
  'mixes its line endings': once((answer) => `: a\r\n\r: b\n\r\n${event(answer).replace(/\n\n$/, '\r\n\r\n')}`),
  'begins its stream with a byte order mark': once((answer) => `\ufeff${event(answer)}`),
  'spreads its answer over many data lines': once(
    (answer) => `data: ${JSON.stringify(answer, null, 2).replaceAll('\n', '\ndata: ')}\n\n`,
  ),
  'leaves its stream open behind the answer': staying(event),
  'says junk in events before the answer': once((answer) =>
    [event('no JSON'), event('{"a":'), event('[]'), event('42'), event('null'), event(answer)].join(''),
  ),
  'answers in an event of another type': once((answer) => event(answer, { type: 'other' })),
  'does not end its last event': once((answer) => event(answer).trimEnd()),
  'asks to be tried again in a year': once((answer) => event(answer, { retry: 31_536_000_000 })),
  'says a retry of nonsense': once((answer) => `retry: -1\nretry: 1e9\nretry: x\n${event(answer)}`),
  'has an id with NUL': once((answer) => `id: a\0b\n${event(answer)}`),
  'says an event beyond the limit, with the answer': once((answer) =>
    event({ ...answer, padding: 'x'.repeat(200_000) }),
  ),
  'says an event beyond the limit, then the answer': once(
    (answer) => event({ jsonrpc: '2.0', method: 'x', params: { padding: 'x'.repeat(200_000) } }) + event(answer),
  ),
  'says a line that does not end': staying(
    (answer) => `data: ${JSON.stringify(answer).slice(0, 40)}${'x'.repeat(200_000)}`,
  ),
  'says a comment of 5 MB': once((answer) => `: ${'x'.repeat(5_000_000)}\n\n${event(answer)}`),
  'says nothing but comments, for ever': (response) => {
    const timer = setInterval(() => stream$(response), 5);
    response.on('close', () => clearInterval(timer));
    stream(response);
  },
  'says 10 000 events before the answer': once(
    (answer) => event({ jsonrpc: '2.0', method: 'notifications/x' }).repeat(10_000) + event(answer),
  ),
};

const stream$ = (response: ServerResponse): void => void response.write(': still here\n\n');
