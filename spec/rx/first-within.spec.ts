import { describe, it } from '@jest/globals';
import { firstWithin } from '../../src/rx/index.js';
import { marbles } from '../support/marbles.js';

const late = (): string => 'late';

describe('firstWithin', () => {
  it('lets a first value through that is in time, and then has no clock', () => {
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold('--a------b-|').pipe(firstWithin(3, undefined, late))).toBe('--a------b-|');
    });
  });

  it('errors where nothing comes in time, and leaves the source', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('-----a');
      expectObservable(source.pipe(firstWithin(3, undefined, late))).toBe('---#', undefined, 'late');
      expectSubscriptions(source.subscriptions).toBe('^--!');
    });
  });

  it('stands still while somebody is waited for, and starts anew afterwards', () => {
    marbles(({ cold, expectObservable }) => {
      const values = { f: false, t: true };
      const waits = () => cold('f-t-----f', values);
      expectObservable(cold('----------a|').pipe(firstWithin(3, waits(), late))).toBe('----------a|');
      expectObservable(cold('-------------|').pipe(firstWithin(3, waits(), late))).toBe(
        '-----------#',
        undefined,
        'late',
      );
    });
  });

  it('ends with its source', () => {
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold('-|').pipe(firstWithin(3, undefined, late))).toBe('-|');
      expectObservable(cold('-#').pipe(firstWithin(3, undefined, late))).toBe('-#');
    });
  });
});
