import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import type { Observable } from 'rxjs';
import { EMPTY, firstValueFrom, isObservable, of, throwError, toArray } from 'rxjs';
import { type Answer, answerOf } from '../../src/rx/index.js';
import { marbles } from '../support/marbles.js';

const isThenable = (value: unknown): boolean =>
  ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
  typeof (value as { then?: unknown }).then === 'function';

describe('answerOf', () => {
  it('takes the last value of an Observable, when that completes', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const answer$ = cold('                 -a-b--|');
      expectObservable(answerOf(() => answer$)).toBe('------(b|)');
      expectSubscriptions(answer$.subscriptions).toBe('^-----!');
    });
  });

  it("passes an Observable's error on", () => {
    marbles(({ cold, expectObservable }) => {
      expectObservable(answerOf(() => cold('-a#'))).toBe('--#');
    });
  });

  it('completes empty where an Observable does', () => {
    marbles(({ cold, expectObservable }) => {
      expectObservable(answerOf(() => cold('--|'))).toBe('--|');
      expectObservable(answerOf(() => EMPTY)).toBe('|');
    });
  });

  it('unsubscribes from an Observable when it is unsubscribed', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const answer$ = cold('                 -a----|');
      expectObservable(
        answerOf(() => answer$),
        '^--!',
      ).toBe('----');
      expectSubscriptions(answer$.subscriptions).toBe('^--!');
    });
  });

  it('does not unfold an Observable of an Observable', async () => {
    const inner$ = of(1);
    expect(await firstValueFrom(answerOf<Observable<number>>(() => of(inner$)))).toBe(inner$);
  });

  it('asks anew for each subscriber, and not before', () => {
    const produce = jest.fn(() => 1);
    const answer$ = answerOf(produce);
    expect(produce).not.toHaveBeenCalled();
    answer$.subscribe();
    answer$.subscribe();
    expect(produce).toHaveBeenCalledTimes(2);
  });

  it('awaits a Promise', async () => {
    expect(await firstValueFrom(answerOf(() => Promise.resolve('x')).pipe(toArray()))).toEqual(['x']);
  });

  it('errors with what a Promise rejects with', async () => {
    const reason = new Error('no');
    await expect(firstValueFrom(answerOf(() => Promise.reject(reason)))).rejects.toBe(reason);
  });

  it('awaits whatever has a then, a function as well', async () => {
    const thenable = { then: (resolve: (value: string) => void) => resolve('t') } as PromiseLike<string>;
    const callable = Object.assign(() => 'never called', thenable) as unknown as PromiseLike<string>;
    expect(await firstValueFrom(answerOf(() => thenable))).toBe('t');
    expect(await firstValueFrom(answerOf(() => callable))).toBe('t');
  });

  it('hears one answer of a thenable that gives several', async () => {
    const twice = {
      then: (resolve: (value: string) => void, reject: (reason: unknown) => void) => {
        resolve('first');
        reject(new Error('second'));
        resolve('third');
      },
    } as PromiseLike<string>;
    expect(await firstValueFrom(answerOf(() => twice).pipe(toArray()))).toEqual(['first']);
  });

  it.each<[string, () => Answer<unknown>]>([
    [
      'the function itself',
      () => {
        throw new Error('thrown');
      },
    ],
    [
      'then',
      () => ({
        then: () => {
          throw new Error('thrown');
        },
      }),
    ],
    [
      'the look at then',
      () =>
        Object.defineProperty({}, 'then', {
          get: () => {
            throw new Error('thrown');
          },
        }),
    ],
    ['an Observable', () => throwError(() => new Error('thrown'))],
  ])('errors with what %s throws', async (_what, produce) => {
    await expect(firstValueFrom(answerOf(produce))).rejects.toThrow('thrown');
  });

  it('takes everything else as one value, at once: arrays, texts and iterables are never unfolded', () => {
    const values: unknown[] = [
      [1, 2, 3],
      'text',
      '',
      0,
      false,
      null,
      undefined,
      new Set([1]),
      new Map([[1, 2]]),
      new ReadableStream(),
      { [Symbol.iterator]: () => [1, 2][Symbol.iterator]() },
      { [Symbol.asyncIterator]: () => undefined },
      { then: 'a word' },
      () => 1,
    ];
    for (const value of values) {
      const seen: unknown[] = [];
      answerOf(() => value).subscribe({
        next: (got) => seen.push(got),
        complete: () => seen.push('|'),
      });
      expect(seen).toHaveLength(2);
      expect(seen[0]).toBe(value);
      expect(seen[1]).toBe('|');
    }
  });

  it('does so for any value that is neither an Observable nor a thenable', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        fc.pre(!isObservable(value) && !isThenable(value));
        const seen: unknown[] = [];
        answerOf(() => value).subscribe({ next: (got) => seen.push(got) });
        return seen.length === 1 && Object.is(seen[0], value);
      }),
    );
  });
});
