import { describe, expect, it } from '@jest/globals';
import { map, of } from 'rxjs';
import { schedule, type Terms } from '../../src/bridge/schedule.js';
import { watch } from '../support/client/watch.js';
import { marbles } from '../support/marbles.js';

/** Calls by name: those in capitals may act twice, the others are safe; the same letter asks the same thing. */
const terms = (overrides: Partial<Terms<string>> = {}): Terms<string> => ({
  isSafe: (call) => call === call.toLowerCase(),
  keyOf: (call) => call,
  overlap: 'whole',
  concurrency: 2,
  ...overrides,
});

describe('a batch', () => {
  it('runs one call after another in order, where one of them may act twice', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const runs: Record<string, ReturnType<typeof cold>> = {
        a: cold('--x|'),
        B: cold('   -x|'),
        c: cold('     -x|'),
      };
      const seen$ = schedule(['a', 'B', 'c'], terms(), (call) => runs[call]!);
      expectObservable(seen$).toBe('--0-1-2|', {
        0: { slot: 0, value: 'x' },
        1: { slot: 1, value: 'x' },
        2: { slot: 2, value: 'x' },
      });
      expectSubscriptions(runs['a']!.subscriptions).toBe('^--!');
      expectSubscriptions(runs['B']!.subscriptions).toBe('---^-!');
      expectSubscriptions(runs['c']!.subscriptions).toBe('-----^-!');
    });
  });

  it('of safe calls runs as many beside each other as it may, and the next as soon as one is done', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const runs: Record<string, ReturnType<typeof cold>> = {
        a: cold('----x|'),
        b: cold('-x|'),
        c: cold('  -x|'),
        d: cold('    -x|'),
      };
      const seen$ = schedule(['a', 'b', 'c', 'd'], terms(), (call) => runs[call]!);
      expectObservable(seen$).toBe('-b-cad|', {
        a: { slot: 0, value: 'x' },
        b: { slot: 1, value: 'x' },
        c: { slot: 2, value: 'x' },
        d: { slot: 3, value: 'x' },
      });
      expectSubscriptions(runs['a']!.subscriptions).toBe('^----!');
      expectSubscriptions(runs['b']!.subscriptions).toBe('^-!');
      expectSubscriptions(runs['c']!.subscriptions).toBe('--^-!');
      expectSubscriptions(runs['d']!.subscriptions).toBe('----^-!');
    });
  });

  it('of safe calls asks the same thing once, for all that ask it', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const a = cold('-x|');
      const b = cold('------y|');
      const seen$ = schedule(['a', 'b', 'a', 'a'], terms(), (call) => (call === 'a' ? a : b));
      expectObservable(seen$.pipe(map(({ slot, value }) => `${value}${String(slot)}`))).toBe('-(ijk)l|', {
        i: 'x0',
        j: 'x2',
        k: 'x3',
        l: 'y1',
      });
      expectSubscriptions(a.subscriptions).toBe('^-!');
      expectSubscriptions(b.subscriptions).toBe('^------!');
    });
  });

  it('with a call that may act twice asks everything as often as it is asked', () => {
    const asked: string[] = [];
    watch(
      schedule(['a', 'a', 'B', 'B'], terms(), (call, slots) => {
        asked.push(`${call}${slots.join('')}`);
        return of(call);
      }),
    );
    expect(asked).toEqual(['a0', 'a1', 'B2', 'B3']);
  });

  it('goes on after a call that tells nothing', () => {
    marbles(({ cold, expectObservable }) => {
      const runs: Record<string, ReturnType<typeof cold>> = { A: cold('-|'), B: cold('-x|') };
      expectObservable(schedule(['A', 'B'], terms(), (call) => runs[call]!)).toBe('--x|', {
        x: { slot: 1, value: 'x' },
      });
    });
  });

  it('of no calls completes at once', () => {
    marbles(({ expectObservable }) => {
      for (const overlap of ['whole', 'runs', 'never'] as const)
        expectObservable(schedule([], terms({ overlap }), () => of(1))).toBe('|');
    });
  });
});

describe("a batch with overlap: 'runs'", () => {
  it('overlaps within each run of safe calls, and keeps the others in their place', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const runs: Record<string, ReturnType<typeof cold>> = {
        a: cold('--x|'),
        b: cold('-x|'),
        C: cold('   --x|'),
        d: cold('      -x|'),
      };
      const seen$ = schedule(['a', 'b', 'C', 'd'], terms({ overlap: 'runs' }), (call) => runs[call]!);
      expectObservable(seen$).toBe('-ba--C-d|', {
        a: { slot: 0, value: 'x' },
        b: { slot: 1, value: 'x' },
        C: { slot: 2, value: 'x' },
        d: { slot: 3, value: 'x' },
      });
      expectSubscriptions(runs['a']!.subscriptions).toBe('^--!');
      expectSubscriptions(runs['b']!.subscriptions).toBe('^-!');
      expectSubscriptions(runs['C']!.subscriptions).toBe('---^--!');
      expectSubscriptions(runs['d']!.subscriptions).toBe('------^-!');
    });
  });

  it('asks the same thing once within a run, and again after what may have changed it', () => {
    const asked: string[] = [];
    watch(
      schedule(['a', 'b', 'a', 'C', 'a', 'a', 'C', 'C'], terms({ overlap: 'runs' }), (call, slots) => {
        asked.push(`${call}${slots.join('')}`);
        return of(call);
      }),
    );
    expect(asked).toEqual(['a02', 'b1', 'C3', 'a45', 'C6', 'C7']);
  });
});

describe("a batch with overlap: 'never'", () => {
  it('runs safe calls one after another, too, and each', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const a = cold('-x|');
      const seen$ = schedule(['a', 'a'], terms({ overlap: 'never' }), () => a);
      expectObservable(seen$).toBe('-0-1|', { 0: { slot: 0, value: 'x' }, 1: { slot: 1, value: 'x' } });
      expectSubscriptions(a.subscriptions).toBe(['^-!', '--^-!']);
    });
  });
});

describe('unsubscribing from a batch', () => {
  it('stops what runs, and what waits is never started', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      for (const overlap of ['whole', 'never'] as const) {
        const runs: Record<string, ReturnType<typeof cold>> = {
          a: cold('----x|'),
          b: cold('----x|'),
          c: cold('----x|'),
        };
        const seen$ = schedule(['a', 'b', 'c'], terms({ overlap }), (call) => runs[call]!);
        expectObservable(seen$, '--!').toBe('---');
        expectSubscriptions(runs['a']!.subscriptions).toBe('^-!');
        expectSubscriptions(runs['b']!.subscriptions).toBe(overlap === 'whole' ? '^-!' : []);
        expectSubscriptions(runs['c']!.subscriptions).toBe([]);
      }
    });
  });
});
