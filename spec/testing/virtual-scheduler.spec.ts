import { describe, expect, it } from '@jest/globals';
import { asapScheduler, defer, ignoreElements, interval, takeUntil, throwError, timer } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import type { Connector } from '../../src/index.js';
import { fixtureServer, marbles, type MarbleHelpers } from '../../src/testing/index.js';
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

describe('a test in virtual time that does not end', () => {
  it('throws, and says what is open and how to leave it', () => {
    const server = fixtureServer();
    let isAway = false;
    const connector: Connector = (form) =>
      defer(() => (isAway ? throwError(() => new Error('away')) : server.connector(form)));
    const reason = thrownBy(() =>
      marbles(({ connect, at, marksOf }) => {
        const mcp = connect(connector, { era: 'modern' });
        marksOf(mcp.tools$);
        marksOf(mcp.callTool('echo', { message: 'ended' }));
        at(10, () => {
          isAway = true;
          server.drop();
        });
      }),
    );
    const { message } = reason as Error;
    expect(message).toContain('the test does not end');
    expect(message).toContain('mcp.close()');
    expect(message).toMatch(/\(open: a client that is \w+ ?\(?.*away.*; a stream of marksOf, last mark at 0 ms\)/);
  });

  it.each([0, 1, 60_000])('throws where a timer comes again and again: after %i ms', (ms) => {
    const again = (): void => marbles(({ marksOf }) => void marksOf(interval(ms).pipe(ignoreElements())));
    expect(String(thrownBy(again))).toContain('without a mark');
  });

  it('fails by what failed before', () => {
    const reason = new Error('no');
    const body = ({ at, marksOf }: MarbleHelpers): void => {
      marksOf(interval(60_000));
      at(1, () => {
        throw reason;
      });
    };
    expect(thrownBy(() => marbles(body))).toBe(reason);
  });

  it('has the longest timer there is, and days of heartbeats', () => {
    let ticks = 0;
    let late = 0;
    marbles(({ now }) => {
      interval(1_000)
        .pipe(takeUntil(timer(2 * 86_400_000)))
        .subscribe(() => (ticks += 1));
      timer(2 ** 31 - 1).subscribe(() => (late = now()));
    });
    expect([ticks, late]).toEqual([172_799, 2 ** 31 - 1]);
  });
});
