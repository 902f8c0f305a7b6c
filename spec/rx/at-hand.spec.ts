import { describe, expect, it } from '@jest/globals';
import { atHand, STORE_PATIENCE_MS } from '../../src/rx/index.js';
import { marbles } from '../support/marbles.js';

describe('atHand', () => {
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
