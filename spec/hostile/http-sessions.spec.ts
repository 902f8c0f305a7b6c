// Sessions that are lost in every moment. The modern era has none.
import { describe, jest } from '@jest/globals';
import { SESSIONS } from '../support/hostile/http/sessions.js';
import { servedOverHttp } from '../support/hostile/over-http.js';
import { ANSWERED, fails, gives, type Row } from '../support/hostile/rows.js';

jest.setTimeout(60_000);

const listed: NonNullable<Row['ask']> = async (client, bound) =>
  (await client.promises.listTools(bound)).map(({ name }) => name);
const legacy = { eras: ['legacy'], options: { retry: { firstDelayMs: 1, attempts: 2 } } } as unknown as Pick<
  Row,
  'eras'
>;
const answered = (...servers: readonly string[]): readonly Row[] =>
  servers.map((server) => ({ server, ...legacy, outcome: ANSWERED }));

const ROWS: readonly Row[] = [
  ...answered(
    'forgets the session at the first call',
    'forgets the session at its own stream',
    'forgets the session at the word that it is initialized',
    'resets the word that it is initialized',
    'answers 500 to the word that it is initialized',
    'does not let the session be deleted',
    'fails to delete the session',
    'resets the deletion of the session',
    'never answers the deletion of the session',
    'resets its own stream again and again',
    'ends its own stream again and again',
    'answers its own stream with a page',
    'never answers its own stream',
    'says junk on its own stream',
    'gives initialize an empty session',
  ),
  { server: 'forgets the session at its list', ...legacy, ask: listed, outcome: gives(['greet', 'deed']) },
  // A new session once, and no more.
  {
    server: 'forgets the session at every call',
    ...legacy,
    outcome: fails('HttpError', { status: 404 }),
    lives: false,
  },
];

describe('a session', () => servedOverHttp(ROWS, SESSIONS));
