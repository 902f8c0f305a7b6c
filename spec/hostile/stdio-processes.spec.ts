// What the process of a server should not do.
import { describe, expect, jest } from '@jest/globals';
import { watch } from '../support/client/watch.js';
import { overStdio } from '../support/hostile/over-stdio.js';
import { ANSWERED, fails, gives, type Row, timesOut } from '../support/hostile/rows.js';

jest.setTimeout(60_000);

/** The call left, and the server is gone for this reason: nothing says whether the tool ran. */
const lost = (facts: object = {}): Row['outcome'] =>
  fails('OutcomeUnknownError', {
    method: 'tools/call',
    cause: expect.objectContaining({ name: 'ServerGoneError', ...facts }),
  });
const gone = (exitCode: number): Row['outcome'] => fails('ServerGoneError', { exitCode, command: process.execPath });
const listed: NonNullable<Row['ask']> = async (client, bound) =>
  (await client.promises.listTools(bound)).map(({ name }) => name);
const server: NonNullable<Row['ask']> = async (client, bound) => (await client.promises.server(bound)).era;

const flood: NonNullable<Row['ask']> = (client, bound) =>
  Promise.all(Array.from({ length: 50 }, () => client.promises.callTool('deed', { text: 'x'.repeat(100_000) }, bound)));

/** Calls `deed`, and counts what is answered meanwhile: what its pipe holds of it, and a hundred that wait. */
const unread: NonNullable<Row['ask']> = async (client, bound) => {
  const { values } = watch(client.wire$);
  try {
    return await client.promises.callTool('deed', {}, bound);
  } finally {
    const answers = values.filter(({ direction, message }) => direction === 'out' && 'result' in message);
    const refusals = values.filter(({ direction, message }) => direction === 'out' && 'error' in message);
    expect(answers.length + refusals.length).toBeGreaterThan(90);
    expect(answers.length + refusals.length).toBeLessThan(200);
  }
};

const ROWS: readonly Row[] = [
  { server: 'exits with 0 in the middle of a call', outcome: lost({ exitCode: 0, signal: null }) },
  {
    server: 'exits with 3 and says why',
    outcome: lost({ exitCode: 3, stderrTail: expect.stringContaining('it hurts') }),
  },
  { server: 'is killed in the middle of a call', outcome: lost({ exitCode: null, signal: 'SIGKILL' }) },
  {
    server: 'throws in the middle of a call',
    outcome: lost({ exitCode: 1, stderrTail: expect.stringContaining('a bug of the server') }),
  },
  { server: 'exits in the middle of its answer', outcome: lost({ exitCode: 1 }), warns: ['invalid-message'] },
  { server: 'answers without the end of its line, and exits', outcome: ANSWERED, lives: 'anew' },
  { server: 'answers, and exits', outcome: ANSWERED, lives: 'anew' },
  // A list is safe to ask for again.
  { server: 'exits in the middle of a list', ask: listed, outcome: gives(['greet', 'deed']) },
  { server: 'exits before its first byte', ask: server, cold: true, lives: false, outcome: gone(9) },
  // The one restart is the probe's: a server may exit on what it does not know.
  {
    server: 'exits before its first byte, the first time',
    ask: server,
    cold: true,
    eras: ['legacy'],
    outcome: gives('legacy'),
  },
  {
    server: 'exits before its first byte, the first time',
    ask: server,
    cold: true,
    eras: ['modern'],
    outcome: gives('modern'),
  },
  { server: 'crashes in the probe', ask: server, cold: true, eras: ['legacy'], outcome: gives('legacy') },
  { server: 'crashes in initialize', ask: server, cold: true, lives: false, eras: ['legacy'], outcome: gone(2) },
  { server: 'closes its stdout and lives', outcome: lost({ exitCode: null, signal: null }) },
  {
    server: 'closes its stdin and lives, and does not answer',
    // The next is the notice that the call was given up: by then the server, however busy the machine, has closed it.
    ...timesOut('what nobody reads is noticed by the next that is written', 3_000),
    warns: ['housekeeping'],
  },
  { server: 'leaves a process that holds its stdout', outcome: lost({ exitCode: 0 }) },
  { server: 'leaves a process that holds its stdout, and has answered', outcome: ANSWERED, lives: 'anew' },
  { server: 'starts a process that outlives it', outcome: ANSWERED },
  { server: 'does not hear the end of its stdin, nor SIGTERM', outcome: ANSWERED },
  { server: 'writes for ever once its stdin has ended', outcome: ANSWERED },
  { server: 'writes 50 MB to stderr', outcome: ANSWERED },
  { server: 'writes a line to stderr that does not end', outcome: ANSWERED },
  { server: 'closes its stderr', outcome: ANSWERED },
  {
    server: 'stops reading',
    ask: flood,
    ...timesOut('a server may read late: a pipe that is full says no more than that'),
    lives: false,
  },
  {
    server: 'stops reading, and asks 600 times',
    ask: unread,
    ...timesOut('a server may read late, and then answer', 500),
    lives: false,
    eras: ['legacy'],
    warns: ['too-many-requests'],
  },
  { server: 'stops itself', ...timesOut('a process that stands still may go on'), lives: false },
];

describe('the process of a server', () => overStdio(ROWS));
