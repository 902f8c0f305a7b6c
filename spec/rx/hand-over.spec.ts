import { describe, expect, it } from '@jest/globals';
import { Subject } from 'rxjs';
import { handOver } from '../../src/rx/hand-over.js';
import { marbles } from '../support/marbles.js';

describe('handOver', () => {
  it('leaves a stream only when the next one has emitted, and mirrors both until then', () => {
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const source = hot('      a----b---------');
      const streams: Record<string, ReturnType<typeof cold>> = {
        a: cold('               -1-1-1-1-1-1-1'),
        b: cold('                    ---2--2--2'),
      };
      expectObservable(source.pipe(handOver((value) => streams[value]!)), '^-------------!').toBe(
        '                        -1-1-1-12--2--',
      );
      expectSubscriptions(streams['a']!.subscriptions).toBe('^-------!');
      expectSubscriptions(streams['b']!.subscriptions).toBe('-----^--------!');
    });
  });

  it('leaves for good a stream that had not emitted when yet another one came', () => {
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const source = hot('      a--b--c--------');
      const streams: Record<string, ReturnType<typeof cold>> = {
        a: cold('               -1-------------'),
        b: cold('                  ----------2'),
        c: cold('                     --3--3--'),
      };
      expectObservable(source.pipe(handOver((value) => streams[value]!)), '^-----------!').toBe('-1------3--3-');
      expectSubscriptions(streams['a']!.subscriptions).toBe('^-------!');
      expectSubscriptions(streams['b']!.subscriptions).toBe('---^--!');
      expectSubscriptions(streams['c']!.subscriptions).toBe('------^-----!');
    });
  });

  it('completes when the source and the last stream have', () => {
    marbles(({ cold, hot, expectObservable }) => {
      expectObservable(hot('a--|').pipe(handOver(() => cold('-1----|')))).toBe('-1----|');
      expectObservable(hot('a-------|').pipe(handOver(() => cold('-1--|')))).toBe('-1------|');
      expectObservable(hot('a-------|').pipe(handOver(() => cold('--|')))).toBe('--------|');
      expectObservable(hot('--|').pipe(handOver(() => cold('-1|')))).toBe('--|');
    });
  });

  it('goes on with the stream in use where the next one completes empty', () => {
    marbles(({ cold, hot, expectObservable }) => {
      const streams: Record<string, ReturnType<typeof cold>> = { a: cold('-1-1-1-1|'), b: cold('-|') };
      expectObservable(hot('a--b--|').pipe(handOver((value) => streams[value]!))).toBe('-1-1-1-1|');
    });
  });

  it.each([
    ['the stream in use', '-1---#', '-------2'],
    ['the next one', '-1-1----', '--#'],
  ])('errors where %s does, and leaves the other', (_which, first, second) => {
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const source = hot('a--b----');
      const streams: Record<string, ReturnType<typeof cold>> = { a: cold(first), b: cold(second) };
      expectObservable(source.pipe(handOver((value) => streams[value]!))).toBe(
        first.includes('#') ? '-1---#' : '-1-1-#',
      );
      expectSubscriptions(source.subscriptions).toBe('^----!');
      expectSubscriptions(streams['a']!.subscriptions).toBe('^----!');
      expectSubscriptions(streams['b']!.subscriptions).toBe('---^-!');
    });
  });

  it('errors where the source does, or the project throws', () => {
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const stream = cold('-1-1-1');
      expectObservable(hot('a--#').pipe(handOver(() => stream))).toBe('-1-#');
      expectSubscriptions(stream.subscriptions).toBe('^--!');
      const throwing = hot('--a').pipe(
        handOver(() => {
          throw 'error';
        }),
      );
      expectObservable(throwing).toBe('--#');
    });
  });

  it('takes a stream whose first value is there at once, and leaves the one before in the same moment', () => {
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const streams: Record<string, ReturnType<typeof cold>> = { a: cold('1--1--1--1'), b: cold('2--2--') };
      expectObservable(hot('a---b').pipe(handOver((value) => streams[value]!)), '^--------!').toBe('1--12--2-');
      expectSubscriptions(streams['a']!.subscriptions).toBe('^---!');
    });
  });

  it('leaves everything when it is unsubscribed', () => {
    const source = new Subject<Subject<number>>();
    const [first, second] = [new Subject<number>(), new Subject<number>()];
    const subscription = source.pipe(handOver((stream) => stream)).subscribe();
    source.next(first);
    first.next(1);
    source.next(second);
    expect([source.observed, first.observed, second.observed]).toEqual([true, true, true]);
    subscription.unsubscribe();
    expect([source.observed, first.observed, second.observed]).toEqual([false, false, false]);
  });
});
