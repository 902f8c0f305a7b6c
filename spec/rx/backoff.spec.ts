import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { asyncScheduler } from 'rxjs';
import { Backoff } from '../../src/rx/index.js';
import { marbles } from '../support/marbles.js';

/** The delays of so many tries, in ms. */
const delays = (backoff: Backoff, count: number, leastMs?: number): number[] => {
  const seen: number[] = [];
  marbles(() => {
    for (let tried = 0; tried < count; tried += 1) {
      const began = asyncScheduler.now();
      backoff.next(leastMs).subscribe(() => seen.push(asyncScheduler.now() - began));
    }
  });
  return seen;
};

const never = (): number => 0;
const always = (): number => 1;

afterEach(() => {
  jest.restoreAllMocks();
});

describe('Backoff', () => {
  it('doubles its delays up to the cap', () => {
    const backoff = new Backoff({ firstMs: 500, maxMs: 30_000, random: never });
    expect(delays(backoff, 9)).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
    expect(backoff.tries).toBe(9);
  });

  it('shortens each by up to half at random, the capped ones too', () => {
    expect(delays(new Backoff({ firstMs: 500, maxMs: 2_000, random: always }), 4)).toEqual([250, 500, 1_000, 1_000]);
    const sequence = [0, 0.5, 1];
    const random = (): number => sequence.shift() ?? 0;
    expect(delays(new Backoff({ firstMs: 400, maxMs: 400, random }), 3)).toEqual([200, 300, 400]);
  });

  it('takes its chance from Math.random unless told otherwise, anew for each delay', () => {
    const random = jest.spyOn(Math, 'random').mockReturnValueOnce(0.5).mockReturnValueOnce(0.25);
    expect(delays(new Backoff({ firstMs: 1_000, maxMs: 1_000 }), 2)).toEqual([750, 875]);
    expect(random).toHaveBeenCalledTimes(2);
  });

  it('begins again with the first delay after a success', () => {
    const backoff = new Backoff({ firstMs: 100, maxMs: 1_000, random: never });
    expect(delays(backoff, 3)).toEqual([100, 200, 400]);
    backoff.succeeded();
    expect(backoff.tries).toBe(0);
    expect(delays(backoff, 2)).toEqual([100, 200]);
  });

  it('waits no longer than the cap after any number of tries', () => {
    const backoff = new Backoff({ firstMs: 1, maxMs: 50, random: never });
    for (let tried = 0; tried < 5_000; tried += 1) void backoff.next();
    expect(delays(backoff, 1)).toEqual([50]);
  });

  it('says how long it would wait to those who wait in another way, and counts that', () => {
    const backoff = new Backoff({ firstMs: 100, maxMs: 1_000, random: never });
    expect([backoff.nextMs(), backoff.nextMs(), backoff.nextMs(700), backoff.nextMs(5_000)]).toEqual([
      100, 200, 700, 1_000,
    ]);
    expect(backoff.tries).toBe(4);
    backoff.succeeded();
    expect(backoff.nextMs()).toBe(100);
  });

  it('never waits where it does not at first, after any number of tries', () => {
    const backoff = new Backoff({ firstMs: 0, maxMs: 1_000, random: never });
    for (let tried = 0; tried < 2_000; tried += 1) expect(backoff.nextMs()).toBe(0);
  });

  it('waits at least as long as it is told, within the cap', () => {
    expect(delays(new Backoff({ firstMs: 100, maxMs: 1_000, random: never }), 1, 300)).toEqual([300]);
    expect(delays(new Backoff({ firstMs: 100, maxMs: 1_000, random: never }), 1, 5_000)).toEqual([1_000]);
  });
});
