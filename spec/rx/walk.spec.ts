import { describe, expect, it } from '@jest/globals';
import { last, of, throwError } from 'rxjs';
import { walk } from '../../src/rx/walk.js';
import { marbles } from '../support/marbles.js';

describe('walk', () => {
  it('emits each value, and subscribes to the stream that follows it when its own is done', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const a$ = cold('  -a|');
      const b$ = cold('    --b-|');
      expectObservable(walk(a$, (value) => (value === 'a' ? b$ : undefined))).toBe('-a--b-|');
      expectSubscriptions(a$.subscriptions).toBe('^-!');
      expectSubscriptions(b$.subscriptions).toBe('--^---!');
    });
  });

  it('errors with the error of a stream, and lets go of the one under way when it is unsubscribed', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      expectObservable(walk(cold('-a|'), () => cold('-#'))).toBe('-a-#');
      const slow$ = cold('-----a|');
      expectObservable(
        walk(slow$, () => undefined),
        '--!',
      ).toBe('---');
      expectSubscriptions(slow$.subscriptions).toBe('^-!');
    });
  });

  it('errors with what asking for the next one throws', () => {
    const errors: unknown[] = [];
    walk(of(1), () => {
      throw new Error('asking');
    }).subscribe({ error: (reason: unknown) => errors.push(reason) });
    walk(
      throwError((): unknown => 'first'),
      () => undefined,
    ).subscribe({ error: (reason) => errors.push(reason) });
    expect(errors).toEqual([new Error('asking'), 'first']);
  });

  it('takes no stack, however long a chain that answers at once is', () => {
    let end = 0;
    walk(of(0), (value) => (value < 100_000 ? of(value + 1) : undefined))
      .pipe(last())
      .subscribe({ next: (value) => (end = value), error: () => undefined });
    expect(end).toBe(100_000);
  });
});
