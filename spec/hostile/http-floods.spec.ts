// Servers that have a client post without end over HTTP, and take nothing of it.
import { describe, expect, jest } from '@jest/globals';
import { FLOODS } from '../support/hostile/http/floods.js';
import { servedOverHttp } from '../support/hostile/over-http.js';
import { gives, type Row } from '../support/hostile/rows.js';

jest.setTimeout(60_000);

/** What the server says: how many POSTs were open at once, none of which it would answer. */
const SIXTY_FOUR = gives(expect.objectContaining({ content: [{ type: 'text', text: '64' }] }));

const ROWS: readonly Row[] = [
  {
    server: 'asks 1 000 times on its own stream, and takes no answer',
    outcome: SIXTY_FOUR,
    eras: ['legacy'],
  },
  {
    server: 'asks 1 000 times on two streams, and takes no answer',
    outcome: SIXTY_FOUR,
    eras: ['legacy'],
  },
];

describe('a flood over HTTP', () => servedOverHttp(ROWS, FLOODS));
