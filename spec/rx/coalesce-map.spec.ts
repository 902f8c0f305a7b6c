import { describe, expect, it } from '@jest/globals';
import { NEVER, Observable, of, Subject } from 'rxjs';
import { coalesceMap } from '../../src/rx/coalesce-map.js';
import { marbles } from '../support/marbles.js';

describe('coalesceMap', () => {
  it('runs one stream at a time, and answers all values that came meanwhile by one run for the last of them', () => {
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const source = hot('  a-bcd------e---|');
      const runs: Record<string, ReturnType<typeof cold>> = {
        a: cold('           ----x|'),
        d: cold('                ----y|'),
        e: cold('                      --z|'),
      };
      const seen$ = source.pipe(coalesceMap((value) => runs[value]!));
      expectObservable(seen$).toBe('----x----y---z-|');
      expectSubscriptions(source.subscriptions).toBe('^--------------!');
      expectSubscriptions(runs['a']!.subscriptions).toBe('^----!');
      expectSubscriptions(runs['d']!.subscriptions).toBe('-----^----!');
      expectSubscriptions(runs['e']!.subscriptions).toBe('-----------^--!');
    });
  });

  it('completes after the run that is under way, and the one that waits, when the source has', () => {
    marbles(({ cold, hot, expectObservable }) => {
      const run = cold('                               ---x|');
      expectObservable(hot('a-b|').pipe(coalesceMap(() => run))).toBe('---x---x|');
      expectObservable(hot('--|').pipe(coalesceMap(() => run))).toBe('--|');
      expectObservable(hot('a--------|').pipe(coalesceMap(() => run))).toBe('---x-----|');
    });
  });

  it('errors with the first error of the source or of a run, and leaves the other', () => {
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const source = hot('--a-b---');
      const failing = cold('--#');
      expectObservable(source.pipe(coalesceMap(() => failing))).toBe('----#');
      expectSubscriptions(source.subscriptions).toBe('^---!');
      expectSubscriptions(failing.subscriptions).toBe('--^-!');
      const run = cold('-------x|');
      expectObservable(hot('a--#').pipe(coalesceMap(() => run))).toBe('---#');
      expectSubscriptions(run.subscriptions).toBe('^--!');
    });
  });

  it('leaves the run under way, and starts no other, once it is unsubscribed', () => {
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const source = hot('ab------');
      const run = cold('-----x|');
      expectObservable(source.pipe(coalesceMap(() => run)), '^--!').toBe('----');
      expectSubscriptions(source.subscriptions).toBe('^--!');
      expectSubscriptions(run.subscriptions).toBe('^--!');
    });
  });

  it('takes what the project throws as an error of its own', () => {
    marbles(({ hot, expectObservable }) => {
      const failing = hot('--a').pipe(
        coalesceMap(() => {
          throw 'error';
        }),
      );
      expectObservable(failing).toBe('--#');
    });
  });

  it('runs once more where a value comes from within the run itself', () => {
    const source = new Subject<number>();
    const seen: number[] = [];
    source
      .pipe(
        coalesceMap((value) => {
          if (value < 3) source.next(value + 1);
          return of(value);
        }),
      )
      .subscribe((value) => seen.push(value));
    source.next(1);
    expect(seen).toEqual([1, 2, 3]);
  });

  it('keeps nothing of the runs that have ended', () => {
    const source = new Subject<number>();
    let open = 0;
    const run = new Observable<never>((subscriber) => {
      open += 1;
      subscriber.complete();
      return () => {
        open -= 1;
      };
    });
    const subscription = source.pipe(coalesceMap((value) => (value < 100 ? run : NEVER))).subscribe();
    for (let value = 0; value <= 100; value += 1) source.next(value);
    expect(open).toBe(0);
    subscription.unsubscribe();
    expect(source.observed).toBe(false);
  });
});
