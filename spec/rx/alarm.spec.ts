import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { asyncScheduler, Observable, type SchedulerLike, Subscription } from 'rxjs';
import { Alarm } from '../../src/rx/alarm.js';
import { Deadlines } from '../../src/rx/index.js';
import { holdingTimers } from '../support/holding-timers.js';
import { marbles } from '../support/marbles.js';

/** A scheduler worked by hand, whose timers are such as Node's: `log` tells what was done with them. */
const handClock = () => {
  const log: string[] = [];
  const clock = {
    log,
    time: 1_000,
    now: () => clock.time,
    schedule: ((work: () => void, delay = 0) => {
      log.push(`start ${delay}`);
      clock.fire = work;
      const id = { ref: () => log.push('ref'), unref: () => log.push('unref') };
      return Object.assign(new Subscription(() => log.push('stop')), { id });
    }) as unknown as SchedulerLike['schedule'],
    fire: (): void => undefined,
  };
  return clock;
};

afterEach(() => {
  jest.useRealTimers();
});

describe('Alarm', () => {
  it('rings at the time that was set first', () => {
    const clock = handClock();
    const ring = jest.fn();
    const alarm = new Alarm(clock, ring);
    alarm.set(10);
    alarm.set(5);
    expect(clock.log).toEqual(['start 10']);
    clock.fire();
    expect(ring).toHaveBeenCalledTimes(1);
    alarm.set(5);
    expect(clock.log).toEqual(['start 10', 'start 5']);
  });

  it('is one timer for waits that come and go, and is over when its time is', () => {
    const clock = handClock();
    const ring = jest.fn();
    const alarm = new Alarm(clock, ring);
    alarm.set(10);
    alarm.rest();
    clock.time += 4;
    alarm.set(10);
    alarm.rest();
    expect(clock.log).toEqual(['start 10', 'unref', 'ref', 'unref']);
    alarm.set(3);
    expect(clock.log.slice(4)).toEqual(['stop', 'start 3']);
    alarm.rest();
    clock.fire();
    expect(ring).not.toHaveBeenCalled();
    alarm.set(10);
    expect(clock.log.slice(6)).toEqual(['unref', 'start 10']);
  });

  it.each([
    ['was set back', -1],
    ['is past its time', 11],
  ])('is left to itself, and one started anew, where the clock %s while it rested', (_, passed) => {
    const clock = handClock();
    const ring = jest.fn();
    const alarm = new Alarm(clock, ring);
    alarm.set(10);
    alarm.rest();
    clock.time += passed;
    const former = clock.fire;
    alarm.set(10);
    expect(clock.log).toEqual(['start 10', 'unref', 'start 10']);
    former();
    expect(ring).not.toHaveBeenCalled();
    clock.fire();
    expect(ring).toHaveBeenCalledTimes(1);
  });

  it('is stopped for good, at rest or not, and nothing is done with one that is not set', () => {
    const clock = handClock();
    const alarm = new Alarm(clock, () => undefined);
    alarm.rest();
    alarm.stop();
    alarm.set(10);
    alarm.stop();
    alarm.rest();
    alarm.set(10);
    alarm.rest();
    alarm.stop();
    alarm.set(10);
    expect(clock.log).toEqual(['start 10', 'stop', 'start 10', 'unref', 'stop', 'start 10']);
  });

  it('holds the process open while it is waited for, and not while it rests', () => {
    const before = holdingTimers();
    const alarm = new Alarm(asyncScheduler, () => undefined);
    for (let i = 0; i < 3; i += 1) {
      alarm.set(60_000);
      expect(holdingTimers()).toBe(before + 1);
      alarm.rest();
      expect(holdingTimers()).toBe(before);
    }
    alarm.set(60_000);
    alarm.stop();
    expect(holdingTimers()).toBe(before);
  });
});

describe('Deadlines whose timer rests', () => {
  const rested = (): Deadlines => {
    const deadlines = new Deadlines(asyncScheduler, true);
    deadlines.start(50, () => undefined).cancel();
    return deadlines;
  };

  it('expire in virtual time', () => {
    const deadlines = rested();
    marbles(({ expectObservable }) => {
      const expiry$ = new Observable<string>((subscriber) => {
        const running = deadlines.start(50, () => {
          subscriber.next('x');
        });
        return () => {
          running.cancel();
        };
      });
      expectObservable(expiry$).toBe('50ms x');
    });
  });

  it('expire by fake timers, and by real ones after these', () => {
    const deadlines = rested();
    const expire = jest.fn();
    jest.useFakeTimers({ now: Date.now() });
    deadlines.start(50, expire);
    jest.advanceTimersByTime(50);
    expect(expire).toHaveBeenCalledTimes(1);
    deadlines.start(50, expire).cancel();
    jest.useRealTimers();
    const before = holdingTimers();
    const running = deadlines.start(50, expire);
    expect(holdingTimers()).toBe(before + 1);
    running.cancel();
  });

  it('leave none once they are released, and stop no deadline that runs', () => {
    jest.useFakeTimers();
    const deadlines = new Deadlines(asyncScheduler, true);
    const expire = jest.fn();
    for (const ms of [50, 60, 70]) deadlines.start(ms, () => undefined).cancel();
    deadlines.start(70, expire);
    deadlines.release();
    expect(jest.getTimerCount()).toBe(1);
    jest.advanceTimersByTime(70);
    expect(expire).toHaveBeenCalledTimes(1);
    deadlines.start(50, expire);
    jest.advanceTimersByTime(50);
    expect(expire).toHaveBeenCalledTimes(2);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('leave no timer of a length that is out of use, once there is another', () => {
    jest.useFakeTimers();
    const deadlines = new Deadlines(asyncScheduler, true);
    const lengths = [50, 60, 70, 80];
    for (const ms of lengths) deadlines.start(ms, () => undefined).cancel();
    // That of the first, which most have, and that of the last.
    expect(jest.getTimerCount()).toBe(2);
  });
});
