import { describe, expect, it } from '@jest/globals';
import { Turns } from '../../../src/config/servers/turns.js';

/** Work that ends when it is told to. */
const byHand = () => {
  const ends: (() => void)[] = [];
  const turns = new Turns(
    () =>
      new Promise<number>((resolve) => {
        const round = ends.length + 1;
        ends.push(() => resolve(round));
      }),
  );
  return { turns, ends };
};

describe('turns', () => {
  it('begin at once while nothing is done', async () => {
    const { turns, ends } = byHand();
    expect(turns.isBusy).toBe(false);
    const first = turns.take();
    expect([ends.length, turns.isBusy]).toEqual([1, true]);
    ends[0]?.();
    expect([await first, turns.isBusy]).toEqual([1, false]);
    const second = turns.take();
    ends[1]?.();
    expect(await second).toBe(2);
  });

  it('come one after another, and are shared by those who wait for the same', async () => {
    const { turns, ends } = byHand();
    const [first, second, third] = [turns.take(), turns.take(), turns.take()];
    expect(ends).toHaveLength(1);
    ends[0]?.();
    expect(await first).toBe(1);
    expect(turns.isBusy).toBe(true);
    // What comes while the second is being done is not in it.
    while (ends.length < 2) await Promise.resolve();
    const fourth = turns.take();
    ends[1]?.();
    expect([await second, await third]).toEqual([2, 2]);
    while (ends.length < 3) await Promise.resolve();
    ends[2]?.();
    expect([await fourth, turns.isBusy]).toEqual([3, false]);
  });
});
