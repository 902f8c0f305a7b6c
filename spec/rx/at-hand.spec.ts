import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { NEVER, type Observable, of, throwError } from 'rxjs';
import { Reach, STORE_PATIENCE_MS } from '../../src/rx/index.js';
import { watch } from '../support/client/watch.js';
import { marbles } from '../support/marbles.js';

/** What is at hand of a store that was not asked before. */
const atHand = <T>(answer$: Observable<T>): Observable<T | undefined> => new Reach().atHand(answer$);

describe('a store that was silent', () => {
  afterEach(() => void jest.useRealTimers());

  it('is left alone for ten seconds, and asked again then', () => {
    jest.useFakeTimers({ now: 0 });
    const reach = new Reach();
    const silent = watch(reach.atHand(NEVER));
    jest.advanceTimersByTime(1_000);
    expect(silent.values).toEqual([undefined]);
    jest.advanceTimersByTime(9_999);
    expect(watch(reach.atHand(of('a'))).values).toEqual([undefined]);
    jest.advanceTimersByTime(1);
    expect(watch(reach.atHand(of('a'))).values).toEqual(['a']);
  });

  it('is asked where the clock was set back, and where it only failed', () => {
    jest.useFakeTimers({ now: 50_000 });
    const reach = new Reach();
    watch(reach.atHand(throwError(() => new Error('away'))));
    expect(watch(reach.atHand(of('a'))).values).toEqual(['a']);
    watch(reach.atHand(NEVER));
    jest.advanceTimersByTime(1_000);
    jest.setSystemTime(0);
    expect(watch(reach.atHand(of('a'))).values).toEqual(['a']);
  });
});

describe('what a store has at hand', () => {
  it('has what a store says, when it says it', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const answer$ = cold('               --(a|)');
      expectObservable(atHand(answer$)).toBe('--(a|)');
      expectSubscriptions(answer$.subscriptions).toBe('^-!');
    });
  });

  it('has nothing where a store has no answer, or fails', () => {
    marbles(({ cold, expectObservable }) => {
      expectObservable(atHand(cold('--|'))).toBe('--(u|)', { u: undefined });
      expectObservable(atHand(cold('--#'))).toBe('--(u|)', { u: undefined });
    });
  });

  it('has nothing after a second, and lets go of a store that answers later, or never', () => {
    expect(STORE_PATIENCE_MS).toBe(1_000);
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const [late$, never$] = [cold('1001ms (a|)'), cold('-')];
      for (const answer$ of [late$, never$]) {
        expectObservable(atHand(answer$)).toBe('1s (u|)', { u: undefined });
        expectSubscriptions(answer$.subscriptions).toBe('^ 999ms !');
      }
    });
  });

  it('takes what comes at the last moment', () => {
    marbles(({ cold, expectObservable }) => {
      expectObservable(atHand(cold('999ms (a|)'))).toBe('999ms (a|)');
    });
  });
});
