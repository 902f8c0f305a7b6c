import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { asyncScheduler, concatMap, map, NEVER, type Observable, of, Subject, tap, throwError, timer } from 'rxjs';
import { live, type LiveTerms, type Reading } from '../../src/client/live.js';
import type { Signal } from '../../src/client/wants.js';
import { inVirtualTime } from '../support/client/virtual-time.js';
import { watch } from '../support/client/watch.js';
import { marbles } from '../support/marbles.js';

type Terms = Partial<LiveTerms<unknown>>;

/** A live value whose every read is the next of `answers`; an Error fails it, and the last is repeated. */
const following = (
  answers: readonly unknown[],
  terms: Terms & { readonly tookMs?: number; readonly ttlMs?: number } = {},
) => {
  const { tookMs = 0, ttlMs = 0, ...more } = terms;
  const signals = new Subject<Signal>();
  const reads: number[] = [];
  const warnings: unknown[] = [];
  let abandoned = 0;
  const answer = (given: unknown): Observable<Reading<unknown>> =>
    given instanceof Error ? throwError(() => given) : of({ value: given, ttlMs });
  const read = (): Observable<Reading<unknown>> => {
    const given = answers[Math.min(reads.length, answers.length - 1)];
    reads.push(asyncScheduler.now());
    const answer$ = tookMs === 0 ? answer(given) : timer(tookMs).pipe(concatMap(() => answer(given)));
    return answer$.pipe(tap({ unsubscribe: () => (abandoned += 1) }));
  };
  const value$ = live<unknown>({
    signals$: signals,
    read,
    closed$: NEVER,
    warn: (reason) => warnings.push(reason),
    ...more,
  });
  return { value$, signals, reads, warnings, abandoned: () => abandoned };
};

beforeEach(() => {
  jest.spyOn(Math, 'random').mockReturnValue(0);
});

afterEach(() => {
  jest.restoreAllMocks();
});

describe('a live value', () => {
  it('is read when changes are told, and again after each change; one that does not differ is not emitted', () => {
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const signals = hot<Signal>('   --r----c 999ms c 999ms c--', {
        r: 'ready',
        c: 'changed',
      });
      const answers = ['a', 'a', 'b', 'b'];
      const read = cold('             -(x|)');
      const value$ = live({
        signals$: signals,
        read: () => read.pipe(map(() => ({ value: answers.shift(), ttlMs: 0 }))),
        closed$: NEVER,
        warn: () => undefined,
      });
      expectObservable(value$, '^------- 999ms - 999ms --!').toBe('---a---- 999ms -b');
      expectSubscriptions(signals.subscriptions).toBe('^------- 999ms - 999ms --!');
      expectSubscriptions(read.subscriptions).toBe(['--^!', '-------^!', '------- 1000ms ^!', '------- 2000ms ^!']);
    });
  });

  it('is compared no further than to the first difference: it may be as large as its server likes', () => {
    inVirtualTime(({ at }) => {
      let looks = 0;
      const value = (name: string): unknown => ({
        name,
        get rest() {
          looks += 1;
          return [];
        },
      });
      const { value$, signals } = following([value('a'), value('b'), value('b')]);
      const seen = watch(value$);
      signals.next('ready');
      at(1_000, () => {
        signals.next('changed');
        expect([seen.values.length, looks]).toEqual([2, 0]);
      });
      at(2_000, () => {
        signals.next('changed');
        // Both are looked at where all else is the same.
        expect([seen.values.length, looks > 0]).toEqual([2, true]);
      });
    });
  });

  it('shares one subscription and one read among all who look, and replays the latest to those who come later', () => {
    inVirtualTime(({ at }) => {
      const { value$, signals, reads } = following(['a', 'b'], { tookMs: 10 });
      const seen = Array.from({ length: 1_000 }, () => watch(value$));
      signals.next('ready');
      at(20, () => {
        seen.push(watch(value$));
        expect(seen.every(({ values }) => values.length === 1 && values[0] === 'a')).toBe(true);
        expect(reads).toHaveLength(1);
        signals.next('changed');
      });
      at(40, () => {
        expect(seen.every(({ values }) => values.at(-1) === 'b')).toBe(true);
        expect(reads).toHaveLength(2);
      });
    });
  });

  it('lets go with the last who looks, and begins anew with the next', () => {
    inVirtualTime(({ at }) => {
      const { value$, signals, reads, abandoned } = following(['a', 'b'], { tookMs: 10 });
      const [first, second] = [watch(value$), watch(value$)];
      signals.next('ready');
      at(5, () => {
        first.subscription.unsubscribe();
        expect([signals.observed, abandoned()]).toEqual([true, 0]);
        second.subscription.unsubscribe();
        expect([signals.observed, abandoned()]).toEqual([false, 1]);
      });
      at(20, () => {
        const third = watch(value$);
        expect(third.values).toEqual([]);
        signals.next('ready');
        at(10, () => expect(third.values).toEqual(['b']));
      });
      at(40, () => expect(reads).toEqual([0, 20]));
    });
  });

  it('is read after two seconds where nothing is heard, and once more when changes are told', () => {
    inVirtualTime(({ at }) => {
      const { value$, signals, reads } = following(['a']);
      watch(value$);
      at(5_000, () => signals.next('ready'));
      at(5_001, () => expect(reads).toEqual([2_000, 5_000]));
    });
  });

  it.each<Signal>(['ready', 'unserved', 'lost', 'changed'])('is read at once where %s is heard', (signal) => {
    inVirtualTime(({ at }) => {
      const { value$, signals, reads } = following(['a']);
      watch(value$);
      at(100, () => signals.next(signal));
      at(10_000, () => expect(reads).toEqual([100]));
    });
  });

  it('fails with why there is no connection, and is not read to find out', () => {
    inVirtualTime(({ at }) => {
      const { value$, signals, reads } = following(['a']);
      const seen = watch(value$);
      const reason = new Error('no such server');
      at(100, () => signals.next({ unreachable: reason }));
      at(10_000, () => expect([seen.error, reads, signals.observed]).toEqual([reason, [], false]));
    });
  });

  it('outlives that there is no connection for a while, once it was read', () => {
    inVirtualTime(({ at }) => {
      const { value$, signals, reads } = following(['a', 'b']);
      const seen = watch(value$);
      signals.next('ready');
      at(1_000, () => signals.next({ unreachable: new Error('no such server') }));
      at(3_000, () => signals.next('ready'));
      at(3_001, () => expect([seen.values, seen.error, reads]).toEqual([['a', 'b'], undefined, [0, 3_000]]));
    });
  });

  it('is not read again for a loss: that comes when changes are told again', () => {
    inVirtualTime(({ at }) => {
      const { value$, signals, reads } = following(['a']);
      watch(value$);
      signals.next('ready');
      at(1_000, () => signals.next('lost'));
      at(2_000, () => signals.next('lost'));
      at(3_000, () => signals.next('ready'));
      at(3_001, () => expect(reads).toEqual([0, 3_000]));
    });
  });

  it('differs by what it is, not by the order of keys', () => {
    inVirtualTime(({ at }) => {
      const { value$, signals, reads } = following([[{ a: 1, b: [{ c: 1, d: 2 }] }], [{ b: [{ d: 2, c: 1 }], a: 1 }]]);
      const { values } = watch(value$);
      signals.next('ready');
      at(1_000, () => signals.next('changed'));
      at(1_001, () => {
        expect(reads).toHaveLength(2);
        expect(values).toHaveLength(1);
      });
    });
  });

  it('differs by its essence, where it has one', () => {
    inVirtualTime(({ at }) => {
      const answers = [
        { text: 'a', n: 1 },
        { text: 'a', n: 2 },
        { text: 'b', n: 3 },
      ];
      const { value$, signals } = following(answers, { essence: (value) => (value as { text: string }).text });
      const { values } = watch(value$);
      signals.next('ready');
      at(1_000, () => signals.next('changed'));
      at(2_000, () => signals.next('changed'));
      at(2_001, () => expect(values).toEqual([answers[0], answers[2]]));
    });
  });

  it('completes when the client is closed, whatever is under way', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const signals = cold<Signal>('r---c-------', { r: 'ready', c: 'changed' });
      const read = cold('           --(x|)');
      const terms = { signals$: signals, warn: () => undefined };
      const value$ = live({
        ...terms,
        read: () => read.pipe(map(() => ({ value: 1, ttlMs: 0 }))),
        closed$: cold('             -----c'),
      });
      expectObservable(value$).toBe('--v--|', { v: 1 });
      expectSubscriptions(read.subscriptions).toBe(['^-!', '----^!']);
      expectSubscriptions(signals.subscriptions).toBe('^----!');
      expectObservable(live({ ...terms, read: () => NEVER, closed$: of(1) })).toBe('|');
    });
  });

  it('ends with what its signals end with: there will never be another value', () => {
    inVirtualTime(({ at }) => {
      const { value$, signals } = following(['a']);
      const seen = watch(value$);
      signals.next('ready');
      const reason = new Error('gone for good');
      at(10, () => signals.error(reason));
      at(11, () => expect([seen.values, seen.error]).toEqual([['a'], reason]));
    });
  });
});

describe('a storm of changes', () => {
  it('of ten thousand in a second is five reads at most, the last of them after the last change', () => {
    inVirtualTime(({ at }) => {
      const { value$, signals, reads } = following(['a'], { tookMs: 1 });
      watch(value$);
      signals.next('ready');
      for (let ms = 10; ms < 1_010; ms += 1) {
        at(ms, () => {
          for (let change = 0; change < 10; change += 1) signals.next('changed');
        });
      }
      at(10_000, () => {
        expect(reads).toEqual([0, 10, 410, 810, 1_210]);
      });
    });
  });

  it('is no more reads at a time than one, however slow they are', () => {
    inVirtualTime(({ at }) => {
      const { value$, signals, reads } = following(['a'], { tookMs: 3_000 });
      watch(value$);
      signals.next('ready');
      for (let change = 0; change < 100; change += 1) at(100 + change * 100, () => signals.next('changed'));
      at(60_000, () => expect(reads).toEqual([0, 3_000, 6_000, 9_000, 12_000]));
    });
  });

  it('that begins while a read is under way is answered by one more after it', () => {
    inVirtualTime(({ at }) => {
      const { value$, signals, reads } = following(['old', 'new'], { tookMs: 50 });
      const { values } = watch(value$);
      signals.next('ready');
      at(49, () => signals.next('changed'));
      at(1_000, () => {
        expect(values).toEqual(['old', 'new']);
        expect(reads).toEqual([0, 50]);
      });
    });
  });
});

describe('a read that fails', () => {
  const down = new Error('down');

  it('is the error where it is the first, and whoever looks next begins anew', () => {
    inVirtualTime(() => {
      const { value$, signals, warnings } = following([down, 'a']);
      const [first, second] = [watch(value$), watch(value$)];
      signals.next('ready');
      expect([first.error, second.error, signals.observed]).toEqual([down, down, false]);
      expect(warnings).toEqual([]);
      const third = watch(value$);
      signals.next('ready');
      expect(third.values).toEqual(['a']);
    });
  });

  it('is a warning and a try with growing delays where it is a later one', () => {
    inVirtualTime(({ at }) => {
      const answers = ['a', ...Array.from({ length: 9 }, () => down), 'b'];
      const { value$, signals, reads, warnings } = following(answers);
      const seen = watch(value$);
      signals.next('ready');
      at(1_000, () => signals.next('changed'));
      at(300_000, () => {
        const delays = reads.slice(1).map((moment, index) => moment - (reads[index] ?? 0));
        expect(delays).toEqual([1_000, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
        expect(warnings).toEqual(Array.from({ length: 9 }, () => down));
        expect([seen.values, seen.error]).toEqual([['a', 'b'], undefined]);
      });
    });
  });

  it('begins with the first delay again after a success, and takes its jitter from chance', () => {
    jest.spyOn(Math, 'random').mockReturnValue(1);
    inVirtualTime(({ at }) => {
      const { value$, signals, reads } = following(['a', down, down, 'b', down, 'c']);
      watch(value$);
      signals.next('ready');
      at(1_000, () => signals.next('changed'));
      at(10_000, () => signals.next('changed'));
      at(20_000, () => expect(reads).toEqual([0, 1_000, 1_250, 1_750, 10_000, 10_250]));
    });
  });

  it('is tried no more when nobody looks', () => {
    inVirtualTime(({ at }) => {
      const { value$, signals, reads } = following(['a', down]);
      const seen = watch(value$);
      signals.next('ready');
      at(1_000, () => signals.next('changed'));
      at(1_100, () => seen.subscription.unsubscribe());
      at(60_000, () => expect(reads).toEqual([0, 1_000]));
    });
  });

  it('is a value that stands for it, with a warning and no further try, where one is given and none was ever read', () => {
    inVirtualTime(({ at }) => {
      const instead = (reason: unknown): unknown => (reason === down ? [] : undefined);
      const { value$, signals, reads, warnings } = following([down, down, ['a'], down, ['b']], { instead });
      const seen = watch(value$);
      signals.next('ready');
      expect(seen.values).toEqual([[]]);
      at(10_000, () => signals.next('changed'));
      at(20_000, () => signals.next('changed'));
      at(20_001, () => {
        expect(reads).toEqual([0, 10_000, 20_000]);
        expect(warnings).toEqual([down, down]);
        expect(seen.values).toEqual([[], ['a']]);
      });
      at(30_000, () => signals.next('changed'));
      at(40_000, () => expect(reads).toEqual([0, 10_000, 20_000, 30_000, 30_500]));
      at(40_001, () => expect(seen.values).toEqual([[], ['a'], ['b']]));
    });
  });

  it('is the error where nothing stands for that', () => {
    inVirtualTime(() => {
      const { value$, signals } = following([down], { instead: () => undefined });
      const seen = watch(value$);
      signals.next('ready');
      expect(seen.error).toBe(down);
    });
  });
});

describe('a value whose changes are not told', () => {
  it('is read again when it has aged, a little late by chance, so that not all clients come at once', () => {
    jest.spyOn(Math, 'random').mockReturnValueOnce(0).mockReturnValueOnce(0.5).mockReturnValue(1);
    inVirtualTime(({ at }) => {
      const { value$, signals, reads } = following(['a'], { ttlMs: 10_000 });
      const seen = watch(value$);
      signals.next('unserved');
      at(32_000, () => {
        expect(reads).toEqual([0, 10_000, 20_500, 31_500]);
        seen.subscription.unsubscribe();
      });
      at(100_000, () => expect(reads).toHaveLength(4));
    });
  });

  it.each([
    [0, [0]],
    [-1, [0]],
    [1, [0, 1_000, 2_000]],
  ])('with a ttl of %p ms is read at %j', (ttlMs, expected) => {
    inVirtualTime(({ at }) => {
      const { value$, signals, reads } = following(['a'], { ttlMs });
      const seen = watch(value$);
      signals.next('unserved');
      at(2_500, () => {
        seen.subscription.unsubscribe();
        expect(reads).toEqual(expected);
      });
    });
  });

  it('does not age where they are, whatever its ttl', () => {
    inVirtualTime(({ at }) => {
      const { value$, signals, reads } = following(['a'], { ttlMs: 1_000 });
      watch(value$);
      signals.next('ready');
      at(600_000, () => expect(reads).toEqual([0]));
    });
  });

  it('does not age any longer once they are', () => {
    inVirtualTime(({ at }) => {
      const { value$, signals, reads } = following(['a'], { ttlMs: 10_000 });
      watch(value$);
      signals.next('unserved');
      at(1_000, () => signals.next('ready'));
      at(600_000, () => expect(reads).toEqual([0, 1_000]));
    });
  });
});
