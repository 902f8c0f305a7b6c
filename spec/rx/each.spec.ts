import { describe, expect, it } from '@jest/globals';
import { of, take, throwError } from 'rxjs';
import { each } from '../../src/rx/index.js';
import { watch } from '../support/client/watch.js';
import { marbles } from '../support/marbles.js';

const letters = each((word: string): readonly string[] => [...word]);

describe('each', () => {
  it('emits what is made of a value in the frame of that value, and ends with its source', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold('x-y-|', { x: 'ab', y: '' });
      expectObservable(source$.pipe(letters)).toBe('(ab)|');
      expectSubscriptions(source$.subscriptions).toBe('^---!');
    });
  });

  it('errors with its source, and leaves it when it is left', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold('x-#', { x: 'a' });
      expectObservable(source$.pipe(letters), '-!').toBe('a');
      expectSubscriptions(source$.subscriptions).toBe('^!');
      expectObservable(throwError(() => 'error').pipe(each(() => []))).toBe('#');
    });
  });

  it('stops in the middle of a value when it is left there', () => {
    const seen = watch(of('abc', 'def').pipe(letters, take(2)));
    expect(seen.values).toEqual(['a', 'b']);
    expect(seen.completed).toBe(true);
  });

  it('errors with what the projection throws, and asks it no more', () => {
    let asked = 0;
    const seen = watch(
      of(1, 2).pipe(
        each((): readonly number[] => {
          asked += 1;
          throw new Error('not this one');
        }),
      ),
    );
    expect(seen.error).toEqual(new Error('not this one'));
    expect(asked).toBe(1);
  });
});
