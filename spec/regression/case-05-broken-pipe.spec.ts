import { describe, expect, it, jest } from '@jest/globals';
import { peer } from '../support/child-processes.js';
import { startParent } from '../support/parent-processes.js';

jest.setTimeout(60_000);

describe('case 5: a server that dies while it is written to', () => {
  it.each([
    ['a native program that reads nothing', { command: 'false' }, 50],
    ['a server that dies during the handshake', peer('flee', '0'), 10],
    ['a server that closes its stdin', { ...peer('close-stdin'), killGraceMs: 10 }, 3],
    [
      'a server that closes its stdout',
      { command: 'sh', args: ['-c', 'exec >&-; exec cat >/dev/null'], killGraceMs: 10 },
      3,
    ],
  ])('fails what was sent with the reason, and nothing escapes: %s', async (_what, parameters, count) => {
    const parent = startParent('burst', String(count), JSON.stringify(parameters));
    expect(JSON.parse(await parent.line())).toEqual({
      ends: ['ServerGoneError TransportClosedError ended'],
      uncaught: [],
    });
    expect(await parent.ended).toEqual({ code: 0, signal: null, stderr: '' });
  });
});
