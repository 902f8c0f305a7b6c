// Connections that break, stall, or speak no HTTP.
import { describe, jest } from '@jest/globals';
import { CONNECTIONS } from '../support/hostile/http/connections.js';
import { writtenOverHttp } from '../support/hostile/over-http.js';
import { ANSWERED, INVALID, LOST, type Row, timesOut } from '../support/hostile/rows.js';

jest.setTimeout(60_000);

const lost = (...servers: readonly string[]): readonly Row[] => servers.map((server) => ({ server, outcome: LOST }));
const late = (...servers: readonly string[]): readonly Row[] =>
  servers.map((server) => ({ server, ...timesOut('as long as the connection stands, the answer may come') }));

const ROWS: readonly Row[] = [
  ...lost(
    'resets the connection before its head',
    'closes the connection before its head',
    'resets the connection inside the head',
    'closes the connection inside the head',
    'resets the connection inside the body',
    'closes the connection inside the body',
    'resets the connection inside its stream',
    'half-closes the connection and says nothing',
    'promises more bytes than it sends',
    'promises bytes of no number',
    'sends chunks of nonsense',
    'does not end its chunks',
    'speaks no HTTP',
    'speaks HTTP/0.9',
    'sends a head of 1 MB',
    'sends a field with a forbidden character',
  ),
  { server: 'resets the connection behind the answer of its stream', outcome: ANSWERED },
  { server: 'sends no length, and closes at the end', outcome: ANSWERED },
  { server: 'sends a second answer nobody asked for', outcome: ANSWERED },
  { server: 'promises fewer bytes than it sends', outcome: INVALID },
  ...late('never sends its head', 'never ends its head', 'never ends its body', 'opens its stream and says nothing'),
];

describe('a connection', () => writtenOverHttp(ROWS, CONNECTIONS));
