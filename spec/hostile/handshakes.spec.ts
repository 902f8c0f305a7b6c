// Openings of a connection that are not as they should be, over either wire.
import { describe, expect, jest } from '@jest/globals';
import { overHttp } from '../support/hostile/over-http.js';
import { overStdio } from '../support/hostile/over-stdio.js';
import { fails, gives, type Row, timesOut } from '../support/hostile/rows.js';

jest.setTimeout(60_000);

const server: NonNullable<Row['ask']> = (client, bound) => client.promises.server(bound);
const listed: NonNullable<Row['ask']> = async (client, bound) => (await client.promises.listTools(bound)).length;
const cold = { cold: true, lives: false, ask: server } as const;
const alive = { cold: true, ask: server } as const;
const modern = { eras: ['modern'] } as const;
const legacy = { eras: ['legacy'] } as const;
const REFUSED = fails('ProtocolError', { code: -32601 });
const VERSION = fails('UnsupportedVersionError');
const NO_HANDSHAKE = fails('InvalidMessageError', { method: 'initialize' });

const ROWS: readonly Row[] = [
  // What is no DiscoverResult leads to `initialize`, which these modern servers do not know.
  { server: 'opens with null', ...cold, ...modern, outcome: REFUSED },
  { server: 'opens with null', ...cold, ...legacy, outcome: NO_HANDSHAKE },
  { server: 'opens with nothing in its result', ...cold, ...modern, outcome: REFUSED },
  { server: 'opens with nothing in its result', ...cold, ...legacy, outcome: NO_HANDSHAKE },
  { server: 'opens with a version nobody speaks', ...cold, outcome: VERSION },
  { server: 'opens with a version that is a number', ...cold, ...modern, outcome: REFUSED },
  { server: 'opens with a version that is a number', ...cold, ...legacy, outcome: NO_HANDSHAKE },
  { server: 'opens with versions that are a text', ...cold, ...modern, outcome: REFUSED },
  {
    server: 'opens with capabilities that are none',
    ...cold,
    outcome: gives(expect.objectContaining({ capabilities: {} })),
  },
  { server: 'opens with capabilities that are none', ...cold, ask: listed, outcome: gives(0) },
  { server: 'opens with capabilities of null', ...cold, outcome: gives(expect.objectContaining({ capabilities: {} })) },
  {
    server: 'opens with a serverInfo of nonsense',
    ...alive,
    outcome: gives(expect.objectContaining({ capabilities: { tools: {} } })),
  },
  { server: 'refuses to open', ...cold, outcome: REFUSED },
  { server: 'refuses every version and names none', ...cold, outcome: VERSION },
  { server: 'refuses the version it names', ...cold, outcome: VERSION },
  { server: 'refuses to open with nonsense', ...cold, outcome: NO_HANDSHAKE },
  {
    server: 'asks before it has answered initialize',
    ...alive,
    ...legacy,
    outcome: gives(expect.objectContaining({ era: 'legacy' })),
  },
  {
    server: 'answers initialize twice',
    ...alive,
    ...legacy,
    outcome: gives(expect.objectContaining({ era: 'legacy' })),
    warns: ['unmatched-answer'],
  },
  {
    server: 'refuses the word that it is initialized',
    ...alive,
    ...legacy,
    outcome: gives(expect.objectContaining({ era: 'legacy' })),
    warns: ['unmatched-answer'],
  },
];

const NEVER: Row = {
  server: 'never opens',
  ...cold,
  ...timesOut('a server may be slow to start'),
  options: { probeTimeoutMs: 10 },
};

describe('an opening on lines of stdout', () => overStdio([...ROWS, NEVER]));
// The stream of an exchange ends, and with it what could be answered.
describe('an opening as the events of a stream', () =>
  overHttp(ROWS.filter((row) => row.server !== 'refuses the word that it is initialized')));
