import { describe, expect, it, jest } from '@jest/globals';
import { peer } from '../support/child-processes.js';
import { startParent } from '../support/parent-processes.js';

jest.setTimeout(60_000);

const MEBIBYTES = 100;

describe('case 4: a server that floods its stderr during a call', () => {
  it.each([
    ['lines that nobody reads', 'ignore', 'lines', 0],
    ['lines that somebody reads', 'listen', 'lines', MEBIBYTES * 1_024 * 1_023],
    ['one line without end that nobody reads', 'ignore', 'one-line', 0],
    ['one line without end that somebody waits for', 'listen', 'one-line', 0],
  ])('is answered, and nothing of 100 MiB stays in memory: %s', async (_what, how, form, characters) => {
    const parent = startParent('flood', how, JSON.stringify(peer('flood-stderr', String(MEBIBYTES), form)));
    const report = JSON.parse(await parent.line()) as { grown: number; characters: number };
    expect(report).toMatchObject({ received: { jsonrpc: '2.0', id: 1, result: { written: MEBIBYTES } }, alive: true });
    // The answer and the last bytes of stderr race for their pipes: a few lines may still be on their way.
    expect(report.characters).toBeLessThanOrEqual(characters);
    expect(report.characters).toBeGreaterThan(characters - 1_048_576);
    expect(report.grown).toBeLessThan(4_194_304);
    expect(await parent.ended).toMatchObject({ code: 0 });
  });
});
