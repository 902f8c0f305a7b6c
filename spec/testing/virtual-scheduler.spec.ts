import { describe, expect, it } from '@jest/globals';
import { asapScheduler, timer } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { VirtualScheduler } from '../../src/testing/virtual-scheduler.js';
import { thrownBy } from '../support/client/watch.js';

const same = (actual: unknown, expected: unknown): void => {
  expect(actual).toEqual(expected);
};

/** Two timers that are due in one frame, and an immediate of the first that takes the second back. Emits how often which fired. */
const takenBack = (scheduler: TestScheduler): readonly string[] => {
  const fired: string[] = [];
  scheduler.run(({ flush }) => {
    timer(5).subscribe(() => {
      fired.push('first');
      asapScheduler.schedule(() => {
        fired.push('immediate');
        second.unsubscribe();
      });
    });
    const second = timer(5).subscribe(() => fired.push('second'));
    timer(6).subscribe(() => fired.push('later'));
    flush();
  });
  return fired;
};

describe('virtual time', () => {
  it('goes on where an immediate takes back a timer that is due in the same frame', () => {
    expect(takenBack(new VirtualScheduler(same))).toEqual(['first', 'immediate', 'later']);
  });

  it('would not with the scheduler of rxjs, for which it would be needless otherwise', () => {
    expect(thrownBy(() => takenBack(new TestScheduler(same)))).toMatchObject({
      message: expect.stringMatching(/^Expected a due/),
    });
  });

  it('throws what is thrown in it', () => {
    const reason = new Error('no');
    const scheduler = new VirtualScheduler(same);
    scheduler.schedule(() => {
      throw reason;
    }, 5);
    expect(thrownBy(() => scheduler.flush())).toBe(reason);
  });

  it('hands the state over, and runs an action again that schedules itself', () => {
    const scheduler = new VirtualScheduler(same);
    const seen: unknown[] = [];
    scheduler.schedule<number>(
      function (state = 0) {
        seen.push([scheduler.now(), state]);
        if (state < 2) this.schedule(state + 1, 10);
      },
      1,
      0,
    );
    scheduler.flush();
    expect(seen).toEqual([
      [1, 0],
      [11, 1],
      [21, 2],
    ]);
  });
});
