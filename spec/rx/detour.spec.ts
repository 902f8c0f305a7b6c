import { describe, expect, it } from '@jest/globals';
import { defer, of, Subject, type Subscription, throwError } from 'rxjs';
import { detour } from '../../src/rx/index.js';
import { marbles } from '../support/marbles.js';

describe('detour', () => {
  it('mirrors what wants no detour, and its errors, and subscribes to its source once', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold('-a-b-#');
      expectObservable(source$.pipe(detour(() => undefined))).toBe('-a-b-#');
      expectSubscriptions(source$.subscriptions).toBe('^----!');
    });
  });

  it('mirrors a stream in place of a value, and completes when source and stream have', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold(' -a--b|');
      const stream$ = cold('  --x---y|');
      const detoured$ = source$.pipe(detour((value) => (value === 'a' ? stream$ : undefined)));
      expectObservable(detoured$).toBe('---xb--y|');
      expectSubscriptions(source$.subscriptions).toBe('^----!');
      expectSubscriptions(stream$.subscriptions).toBe('-^------!');
    });
  });

  it('does not begin what its subscriber, in asking for it, has left', () => {
    let begun = 0;
    const stream$ = defer(() => of((begun += 1)));
    const source = new Subject<number>();
    const subscription: Subscription = source.pipe(detour(() => (subscription.unsubscribe(), stream$))).subscribe();
    source.next(1);
    expect(begun).toBe(0);
  });

  it('mirrors a stream in place of an error', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold(' --#');
      const stream$ = cold('   --x|');
      expectObservable(
        source$.pipe(
          detour(
            () => undefined,
            () => stream$,
          ),
        ),
      ).toBe('----x|');
      expectSubscriptions(stream$.subscriptions).toBe('--^--!');
    });
  });

  it('lets go of source and streams when it is unsubscribed', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold('-a---');
      const stream$ = cold(' ------x');
      expectObservable(source$.pipe(detour(() => stream$)), '---!').toBe('----');
      expectSubscriptions(source$.subscriptions).toBe('^--!');
      expectSubscriptions(stream$.subscriptions).toBe('-^-!');
    });
  });

  it('errors with the error of a stream, and with what asking for one throws', () => {
    const errors: unknown[] = [];
    const error = (reason: unknown): void => void errors.push(reason);
    of(1)
      .pipe(detour<number>(() => throwError((): unknown => 'stream')))
      .subscribe({ error });
    of(1)
      .pipe(
        detour<number>((): undefined => {
          throw new Error('asking');
        }),
      )
      .subscribe({ error });
    throwError(() => 'source')
      .pipe(
        detour(
          () => undefined,
          () => throwError(() => 'instead'),
        ),
      )
      .subscribe({ error });
    expect(errors).toEqual(['stream', new Error('asking'), 'instead']);
  });

  it('passes a value on synchronously', () => {
    const seen: unknown[] = [];
    of(1)
      .pipe(detour(() => undefined))
      .subscribe({ next: (value) => seen.push(value), complete: () => seen.push('done'), error: () => undefined });
    expect(seen).toEqual([1, 'done']);
  });
});
