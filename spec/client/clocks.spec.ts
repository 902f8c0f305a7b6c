import { describe, expect, it } from '@jest/globals';
import { asyncScheduler } from 'rxjs';
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
    clocks: new CallClocks(new Deadlines(), { timeoutMs, maxTotalMs }, (ms) =>
      expired.push([asyncScheduler.now(), ms]),
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
