import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { asyncScheduler, Observable, type SchedulerLike, Subscription } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { type Deadline, Deadlines } from '../../src/rx/index.js';
import { marbles } from '../support/marbles.js';

/** One deadline as an Observable: emits `x` when it expires; unsubscribing cancels it. */
const deadline = (deadlines: Deadlines, ms: number, then?: (deadline: Deadline) => void): Observable<string> =>
  new Observable((subscriber) => {
    const running = deadlines.start(ms, () => {
      subscriber.next('x');
    });
    then?.(running);
    return () => {
      running.cancel();
    };
  });

/** A scheduler that says how many of its timers were started, and how many are running. */
const counting = (scheduler: TestScheduler) => {
  let started = 0;
  let running = 0;
  const counted: SchedulerLike = {
    now: () => scheduler.now(),
    schedule: ((work: () => void, delay?: number) => {
      started += 1;
      running += 1;
      let over = false;
      const end = (): void => {
        if (!over) running -= 1;
        over = true;
      };
      const timer = scheduler.schedule(() => {
        end();
        work();
      }, delay);
      timer.add(end);
      return timer;
    }) as SchedulerLike['schedule'],
  };
  return { scheduler: counted, started: () => started, running: () => running };
};

/** A scheduler worked by hand: `tick` runs the next timer at its time, `tickNow` whatever the time is. */
const handClock = () => {
  const due: { readonly at: number; readonly work: () => void }[] = [];
  const clock = {
    time: 0,
    now: () => clock.time,
    schedule: ((work: () => void, delay = 0) => {
      due.push({ at: clock.time + delay, work });
      return new Subscription();
    }) as SchedulerLike['schedule'],
    tick: () => {
      const next = due.shift();
      clock.time = next?.at ?? clock.time;
      next?.work();
    },
    tickNow: () => {
      due.shift()?.work();
    },
  };
  return clock;
};

const at = (ms: number, work: () => void): void => {
  asyncScheduler.schedule(work, ms);
};

describe('Deadlines', () => {
  it('expire once, after their time', () => {
    marbles(({ expectObservable }) => {
      expectObservable(deadline(new Deadlines(), 5)).toBe('5ms x');
      expectObservable(deadline(new Deadlines(), 60_000)).toBe('60s x');
    });
  });

  it('expire in the order in which they were started, whatever their lengths', () => {
    marbles(({ expectObservable }) => {
      const deadlines = new Deadlines();
      expectObservable(deadline(deadlines, 10), '----^').toBe('---- 10ms x');
      expectObservable(deadline(deadlines, 10), '^').toBe('         10ms x');
      expectObservable(deadline(deadlines, 3), '--^').toBe('       -- 3ms x');
      expectObservable(deadline(deadlines, 10), '--^').toBe('      -- 10ms x');
    });
  });

  it('do not expire once they are cancelled, and the others do', () => {
    marbles(({ expectObservable }) => {
      const deadlines = new Deadlines();
      expectObservable(deadline(deadlines, 5), '^---!').toBe(' ----');
      expectObservable(deadline(deadlines, 5), '-^').toBe('    - 5ms x');
      expectObservable(deadline(deadlines, 5), '--^').toBe('   -- 5ms x');
    });
  });

  it('begin anew when they are restarted, behind those started meanwhile', () => {
    marbles(({ expectObservable }) => {
      const deadlines = new Deadlines();
      const restarted$ = deadline(deadlines, 10, (running) => {
        at(4, () => {
          running.restart();
        });
        at(9, () => {
          running.restart();
        });
      });
      expectObservable(restarted$).toBe('               19ms x');
      expectObservable(deadline(deadlines, 10), '-^').toBe('- 10ms x');
    });
  });

  it('stay expired, or cancelled, when they are restarted or cancelled afterwards', () => {
    marbles(({ expectObservable }) => {
      const deadlines = new Deadlines();
      const late$ = deadline(deadlines, 5, (running) => {
        at(6, () => {
          running.restart();
          running.cancel();
          running.cancel();
        });
      });
      const cancelled$ = deadline(deadlines, 5, (running) => {
        at(1, () => {
          running.cancel();
          running.restart();
        });
      });
      expectObservable(late$).toBe('5ms x');
      expectObservable(cancelled$).toBe('');
    });
  });

  it('may be started, restarted and cancelled while another one expires', () => {
    marbles(({ expectObservable }) => {
      const deadlines = new Deadlines();
      const seen$ = new Observable<string>((subscriber) => {
        const say = (word: string) => (): void => {
          subscriber.next(word);
        };
        deadlines.start(5, () => {
          cancelled.cancel();
          restarted.restart();
          deadlines.start(20, say('c'));
          subscriber.next('a');
        });
        const cancelled = deadlines.start(5, say('never'));
        const restarted = deadlines.start(5, say('d'));
        deadlines.start(5, say('b'));
      });
      expectObservable(seen$).toBe('5ms (ab)-d 14ms c');
    });
  });

  it('are not delayed by one that an expiry starts', () => {
    marbles(({ expectObservable }) => {
      const deadlines = new Deadlines();
      const retrying$ = new Observable<string>((subscriber) => {
        deadlines.start(10, () => {
          subscriber.next('x');
          deadlines.start(10, () => {
            subscriber.next('y');
          });
        });
      });
      expectObservable(retrying$).toBe('                     10ms x 9ms y');
      expectObservable(deadline(deadlines, 10), '-----^').toBe('15ms x');
    });
  });

  it('are not lost with one whose expiry throws', () => {
    const clock = handClock();
    const deadlines = new Deadlines(clock);
    const seen: number[] = [];
    deadlines.start(5, () => {
      throw new Error('thrown by the first');
    });
    clock.time = 2;
    deadlines.start(5, () => seen.push(clock.time));
    expect(clock.tick).toThrow('thrown by the first');
    clock.tick();
    expect(seen).toEqual([7]);
  });

  it('are put off by no more than their length when the clock is set back', () => {
    const clock = handClock();
    clock.time = 1_000_000;
    const deadlines = new Deadlines(clock);
    const seen: string[] = [];
    for (const name of ['a', 'b', 'c']) deadlines.start(60, () => seen.push(`${name} at ${clock.time}`));
    clock.time = 500_000;
    deadlines.start(60, () => seen.push(`d at ${clock.time}`));
    // The timer of the system does not go by the clock.
    clock.time = 500_040;
    clock.tickNow();
    expect(seen).toEqual([]);
    clock.tick();
    expect(seen).toEqual(['a at 500100', 'b at 500100', 'c at 500100', 'd at 500100']);
  });

  it('run on one timer for each length of time, however many there are, and on none when none is left', () => {
    const test = new TestScheduler(() => undefined);
    test.run(() => {
      const counter = counting(test);
      const deadlines = new Deadlines(counter.scheduler);
      const many = Array.from({ length: 1_000 }, () => deadlines.start(60_000, () => undefined));
      const others = Array.from({ length: 1_000 }, () => deadlines.start(600_000, () => undefined));
      expect(counter.running()).toBe(2);
      for (const running of many) running.restart();
      expect(counter.started()).toBe(2);
      for (const running of many) running.cancel();
      expect(counter.running()).toBe(1);
      for (const running of others) running.cancel();
      expect(counter.running()).toBe(0);
      deadlines.start(10, () => {
        deadlines.start(10, () => undefined);
      });
      deadlines.start(10, () => undefined);
      test.flush();
      expect(counter.running()).toBe(0);
      expect(counter.started()).toBe(4);
    });
  });

  it('take the clock of the scheduler they are given', () => {
    const test = new TestScheduler(() => undefined);
    const deadlines = new Deadlines(test);
    const seen: number[] = [];
    deadlines.start(30, () => seen.push(test.now()));
    test.flush();
    expect(seen).toEqual([30]);
  });

  it('each expire at their own moment, whatever is started, restarted and cancelled among them', () => {
    const step = fc.record({
      at: fc.nat(40),
      ms: fc.constantFrom(3, 7, 20),
      restartAfter: fc.option(fc.nat(10), { nil: undefined }),
      cancelAfter: fc.option(fc.nat(25), { nil: undefined }),
      startsAnother: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const test = new TestScheduler(() => undefined);
        const seen: string[] = [];
        const expected: string[] = [];
        test.run(() => {
          const deadlines = new Deadlines();
          steps.forEach(({ at: start, ms, restartAfter, cancelAfter, startsAnother }, index) => {
            const restarts = restartAfter !== undefined && restartAfter < ms;
            const due = start + (restarts ? restartAfter : 0) + ms;
            const cancels = cancelAfter !== undefined && start + cancelAfter < due;
            if (!cancels) {
              expected.push(`${index} at ${due}`);
              if (startsAnother) expected.push(`${index} again at ${due + ms}`);
            }
            at(start, () => {
              const running = deadlines.start(ms, () => {
                seen.push(`${index} at ${test.now()}`);
                if (startsAnother) deadlines.start(ms, () => seen.push(`${index} again at ${test.now()}`));
              });
              if (restarts) at(restartAfter, () => running.restart());
              if (cancels) at(cancelAfter, () => running.cancel());
            });
          });
        });
        expect(seen.sort()).toEqual(expected.sort());
      }),
    );
  });
});
