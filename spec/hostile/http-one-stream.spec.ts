// HTTP+SSE: one stream carries every answer.
import { describe, jest } from '@jest/globals';
import { ONE_STREAM } from '../support/hostile/http/one-stream.js';
import { servedOverHttp } from '../support/hostile/over-http.js';
import { ANSWERED, fails, LOST, type Row } from '../support/hostile/rows.js';

jest.setTimeout(60_000);

const legacy = { eras: ['legacy'] } as const;
const small = { ...legacy, options: { maxMessageBytes: 100_000 } } as const;

const ROWS: readonly Row[] = [
  { server: 'says an event beyond the limit on the one stream', ...small, outcome: ANSWERED },
  {
    server: 'answers beyond the limit on the one stream',
    ...small,
    outcome: fails('MessageTooLargeError', { limit: 100_000 }),
  },
  { server: 'says junk on the one stream', ...legacy, outcome: ANSWERED },
  { server: 'ends the one stream', ...legacy, outcome: LOST, lives: 'anew' },
  { server: 'resets the one stream', ...legacy, outcome: LOST, lives: 'anew' },
];

describe('the one stream of HTTP+SSE', () => servedOverHttp(ROWS, ONE_STREAM));
