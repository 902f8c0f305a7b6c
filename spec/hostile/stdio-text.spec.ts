// What a line on stdout should not be.
import { describe, expect, jest } from '@jest/globals';
import { overStdio } from '../support/hostile/over-stdio.js';
import { fails, gives, type Row, timesOut } from '../support/hostile/rows.js';

jest.setTimeout(60_000);

const GREETED = gives(expect.objectContaining({ content: [{ type: 'text', text: 'grüß dich, 漢字 🦀' }] }));

const ROWS: readonly Row[] = [
  { server: 'writes its line in halves', outcome: GREETED },
  { server: 'writes its line byte by byte, and so in half characters', outcome: GREETED },
  { server: 'writes two messages at once', outcome: GREETED },
  { server: 'begins with a byte order mark, and ends its lines in CRLF', outcome: GREETED },
  { server: 'writes 100 000 empty lines', outcome: GREETED },
  { server: 'writes bytes that are no UTF-8', outcome: GREETED, warns: ['invalid-message'] },
  {
    server: 'writes NUL between its members',
    ...timesOut('what is no JSON names no call'),
    warns: ['invalid-message'],
  },
  {
    server: 'writes its answer over many lines',
    ...timesOut('a message is a line: none of these is the answer'),
    warns: ['invalid-message'],
  },
  { server: 'writes a line of 100 MB', outcome: fails('MessageTooLargeError', { limit: 64 * 1024 * 1024 }) },
  { server: 'writes a line of 100 MB that answers nothing', outcome: GREETED, warns: ['invalid-message'] },
  {
    server: 'writes a line that does not end',
    ...timesOut('its end, which may name another call, may yet come'),
    options: { maxMessageBytes: 100_000 },
  },
  { server: 'writes 20 000 banners', outcome: GREETED, warns: ['invalid-message'] },
];

describe('a line of stdout', () => overStdio(ROWS));
