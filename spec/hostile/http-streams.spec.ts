// Event streams as nobody wants them.
import { describe, jest } from '@jest/globals';
import { STREAMS } from '../support/hostile/http/streams.js';
import { writtenOverHttp } from '../support/hostile/over-http.js';
import { ANSWERED, fails, LOST, type Row, timesOut } from '../support/hostile/rows.js';

jest.setTimeout(60_000);

const small = { options: { maxMessageBytes: 100_000 } } as const;
const tooLarge = fails('MessageTooLargeError', { limit: 100_000 });
const answered = (...servers: readonly string[]): readonly Row[] =>
  servers.map((server) => ({ server, outcome: ANSWERED }));

const ROWS: readonly Row[] = [
  ...answered(
    'drips its stream byte by byte',
    'drips its stream with CRLF',
    'drips its stream with CR',
    'drips its stream by three bytes',
    'drips its JSON byte by byte',
    'mixes its line endings',
    'begins its stream with a byte order mark',
    'spreads its answer over many data lines',
    'leaves its stream open behind the answer',
    'says junk in events before the answer',
    'asks to be tried again in a year',
    'says a retry of nonsense',
    'has an id with NUL',
    'says a comment of 5 MB',
    'says 10 000 events before the answer',
  ),
  { server: 'answers in an event of another type', outcome: LOST },
  // An event that nothing ends was cut off: what it says may lack its end.
  { server: 'does not end its last event', outcome: LOST },
  { server: 'says an event beyond the limit, with the answer', outcome: tooLarge, ...small },
  { server: 'says an event beyond the limit, then the answer', outcome: ANSWERED, ...small },
  { server: 'says a line that does not end', outcome: tooLarge, ...small },
  { server: 'says nothing but comments, for ever', ...timesOut('comments are signs of life') },
];

describe('an event stream', () => writtenOverHttp(ROWS, STREAMS));
