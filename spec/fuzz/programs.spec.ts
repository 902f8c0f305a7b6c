// Random programs of calls, cancellations, changes, faults and closes, in virtual time, against a model of what each call must get.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { interval, throwError, timer } from 'rxjs';
import { thrownBy } from '../support/client/watch.js';
import { checkAlways, checkCalm } from '../support/fuzz/expectations.js';
import { FOUND } from '../support/fuzz/found.js';
import { calm, rough } from '../support/fuzz/program.js';
import { runProgram } from '../support/fuzz/run-program.js';
import { FUZZ_MS, LONG, settings } from '../support/fuzz/settings.js';
import { untilQuiet } from '../support/fuzz/virtual.js';

const MOST = LONG ? 60 : 15;

describe('a program', () => {
  for (const [found, program] of FOUND) {
    it(`no longer finds: ${found}`, async () => checkAlways(await runProgram(program)));
  }

  it('would be found to leave a timer behind, and to throw where nobody hears it', () => {
    expect(thrownBy(() => untilQuiet(10, () => interval(1_000).subscribe()))).toMatchObject({
      message: expect.stringContaining('1 things are still scheduled'),
    });
    const reason = new Error('unheard');
    expect(thrownBy(() => untilQuiet(10, () => throwError(() => reason).subscribe()))).toBe(reason);
    untilQuiet(10, () => timer(5).subscribe());
  });

  it(
    'gets what it must, exactly, on a wire that loses nothing',
    async () => {
      await fc.assert(
        fc.asyncProperty(calm(MOST), async (program) => {
          const outcome = await runProgram(program);
          checkAlways(outcome);
          checkCalm(outcome);
        }),
        settings(60, 3_000),
      );
    },
    FUZZ_MS,
  );

  it(
    'gets one outcome for each call, and leaves nothing, whatever goes wrong',
    async () => {
      await fc.assert(
        fc.asyncProperty(rough(MOST), async (program) => {
          checkAlways(await runProgram(program));
        }),
        settings(150, 10_000),
      );
    },
    FUZZ_MS,
  );
});
