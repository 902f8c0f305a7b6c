import { describe, expect, it } from '@jest/globals';
import { reportsOf, type Reporting } from '../../bench/scenarios/notices.mjs';

/** A client that reports so, in one turn; its result is there with `'result'`, or when its Promise is. */
const reporting = (...happens: readonly (number | 'result')[]): Reporting => ({
  report: (_name, _args, onProgress, onResult) => {
    for (const one of happens) {
      if (one === 'result') onResult();
      else onProgress({ progress: one });
    }
    return Promise.resolve();
  },
});

describe('the reports of a call', () => {
  it('are all there, in order, before the result', async () => {
    expect(await reportsOf(reporting(1, 2, 3, 'result'), 3)).toEqual({ lost: 0, misplaced: 0 });
    expect(await reportsOf(reporting(1, 2, 3), 3)).toEqual({ lost: 0, misplaced: 0 });
  });

  it('are late in the turn of the result as well, once it is there', async () => {
    expect(await reportsOf(reporting(1, 2, 'result', 3), 3)).toEqual({ lost: 0, misplaced: 1 });
  });

  it('are late after the Promise of a client that has no other sign', async () => {
    const late: Reporting = {
      report: (_name, _args, onProgress) => {
        setImmediate(() => onProgress({ progress: 1 }));
        return Promise.resolve();
      },
    };
    expect(await reportsOf(late, 1)).toEqual({ lost: 0, misplaced: 1 });
  });

  it('are out of order, or lost', async () => {
    expect(await reportsOf(reporting(2, 1, 'result'), 3)).toEqual({ lost: 1, misplaced: 2 });
  });
});
