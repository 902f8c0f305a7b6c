import { describe, expect, it } from '@jest/globals';
import { asyncScheduler, BehaviorSubject } from 'rxjs';
import { CallClocks } from '../../src/client/clocks.js';
import { Deadlines } from '../../src/rx/index.js';
import { type At, inVirtualTime } from '../support/client/virtual-time.js';

/** Clocks, and what they expired with and when. */
const clocks = (
  timeoutMs: number,
  maxTotalMs: number,
): { clocks: CallClocks; expired: (readonly [number, number])[] } => {
  const expired: (readonly [number, number])[] = [];
  return {
    expired,
    clocks: new CallClocks(
      new Deadlines(),
      { timeoutMs, maxTotalMs },
      {
        expire: (ms) => expired.push([asyncScheduler.now(), ms]),
      },
    ),
  };
};

const during = (at: At, upTo: number, every: number, work: () => void): void => {
  for (let ms = every; ms <= upTo; ms += every) at(ms, work);
};

describe('the clocks of a call', () => {
  it('expire with the timeout where nothing starts it anew, and need no cap that is longer', () => {
    inVirtualTime(({ at }) => {
      const { expired } = clocks(100, 300);
      at(1_000, () => expect(expired).toEqual([[100, 100]]));
    });
  });

  it('expire with the cap where the timeout is started anew again and again', () => {
    inVirtualTime(({ at }) => {
      const { clocks: running, expired } = clocks(100, 300);
      running.cap();
      during(at, 500, 50, () => running.restart());
      at(299, () => expect(expired).toEqual([]));
      at(300, () => expect(expired).toEqual([[300, 300]]));
    });
  });

  it('start the cap once, however often it is asked for', () => {
    inVirtualTime(({ at }) => {
      const { clocks: running, expired } = clocks(100, 300);
      running.cap();
      during(at, 500, 50, () => {
        running.restart();
        running.cap();
      });
      at(300, () => expect(expired).toEqual([[300, 300]]));
    });
  });

  it('have the cap from the first where it is shorter than the timeout, or there is no timeout', () => {
    inVirtualTime(({ at }) => {
      const [shorter, alone] = [clocks(100, 50), clocks(0, 200)];
      at(1_000, () => expect([shorter.expired[0], alone.expired]).toEqual([[50, 50], [[200, 200]]]));
    });
  });

  it('never expire at 0 and 0', () => {
    inVirtualTime(({ at }) => {
      const { clocks: running, expired } = clocks(0, 0);
      running.cap();
      running.restart();
      at(10_000_000, () => expect(expired).toEqual([]));
    });
  });

  it('are silent once they are stopped', () => {
    inVirtualTime(({ at }) => {
      const { clocks: running, expired } = clocks(100, 50);
      running.stop();
      running.restart();
      at(1_000, () => expect(expired).toEqual([]));
    });
  });
});

describe('the clocks of a call that are paused', () => {
  it('stand still', () => {
    inVirtualTime(({ at }) => {
      const { clocks: running, expired } = clocks(100, 50);
      at(40, () => running.pause());
      at(1_000_000, () => expect(expired).toEqual([]));
    });
  });

  it('start with the whole timeout anew, and with what was left of the cap', () => {
    inVirtualTime(({ at }) => {
      const [timed, capped] = [clocks(100, 1_000), clocks(0, 100)];
      at(60, () => [timed, capped].forEach((one) => one.clocks.pause()));
      at(500, () => [timed, capped].forEach((one) => one.clocks.resume()));
      at(2_000, () =>
        expect([timed.expired[0], capped.expired[0]]).toEqual([
          [600, 100],
          [540, 100],
        ]),
      );
    });
  });

  it('are capped however often that is: what passed in between adds up', () => {
    inVirtualTime(({ at }) => {
      const { clocks: running, expired } = clocks(100, 300);
      // Each time it runs for 40 ms and stands still for 10: the timeout is never reached.
      for (let ms = 40; ms < 1_000; ms += 50) {
        at(ms, () => running.pause());
        at(ms + 10, () => running.resume());
      }
      at(2_000, () => expect(expired[0]).toEqual([370, 300]));
    });
  });

  it('go on when the last of several pauses is over', () => {
    inVirtualTime(({ at }) => {
      const { clocks: running, expired } = clocks(100, 0);
      at(10, () => running.pause());
      at(20, () => running.pause());
      at(200, () => running.resume());
      at(300, () => running.resume());
      at(2_000, () => expect(expired).toEqual([[400, 100]]));
    });
  });

  it('count the time of several pauses at once only once', () => {
    inVirtualTime(({ at }) => {
      const { clocks: running, expired } = clocks(0, 300);
      at(100, () => running.pause());
      at(150, () => running.pause());
      at(200, () => running.resume());
      at(400, () => running.resume());
      at(2_000, () => expect(expired[0]).toEqual([600, 300]));
    });
  });

  it('heed neither a progress report nor the start of the cap', () => {
    inVirtualTime(({ at }) => {
      const { clocks: running, expired } = clocks(100, 300);
      at(10, () => running.pause());
      at(20, () => {
        running.restart();
        running.cap();
      });
      at(5_000, () => {
        expect(expired).toEqual([]);
        running.resume();
      });
      at(9_000, () => expect(expired[0]).toEqual([5_100, 100]));
    });
  });

  it('stay silent where they were stopped meanwhile', () => {
    inVirtualTime(({ at }) => {
      const { clocks: running, expired } = clocks(100, 50);
      at(10, () => running.pause());
      at(20, () => running.stop());
      at(30, () => running.resume());
      at(1_000, () => expect(expired).toEqual([]));
    });
  });

  it('stand still while the wire waits for somebody, and no further than they are told', () => {
    inVirtualTime(({ at }) => {
      const { clocks: running, expired } = clocks(100, 300);
      const waits$ = new BehaviorSubject(false);
      running.follow(waits$);
      at(50, () => waits$.next(true));
      at(60, () => waits$.next(true));
      at(1_000, () => waits$.next(false));
      at(1_099, () => expect(expired).toEqual([]));
      at(1_101, () => expect(expired).toEqual([[1_100, 100]]));
    });
  });

  it('stand still from the beginning of a call that comes while the wire waits', () => {
    inVirtualTime(({ at }) => {
      const { clocks: running, expired } = clocks(100, 100);
      running.follow(new BehaviorSubject(true));
      at(10_000, () => expect(expired).toEqual([]));
    });
  });
});
