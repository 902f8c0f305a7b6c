import { describe, expect, it } from '@jest/globals';
import { defer, type Observable, of, Subject, type Subscription, throwError } from 'rxjs';
import { turned } from '../../src/rx/index.js';
import { marbles } from '../support/marbles.js';

/** What a stream has emitted at once: its values, then `'|'` or what it errored with. */
const seenOf = (source$: Observable<unknown>): unknown[] => {
  const seen: unknown[] = [];
  source$.subscribe({
    next: (value) => seen.push(value),
    error: (reason: unknown) => seen.push(reason),
    complete: () => seen.push('|'),
  });
  return seen;
};

describe('turned', () => {
  it('emits what a value becomes, at once', () => {
    expect(seenOf(of(1).pipe(turned((value) => `${value}!`)))).toEqual(['1!', '|']);
  });

  it('passes on undefined and what else is no stream', () => {
    expect(seenOf(of(1).pipe(turned(() => undefined)))).toEqual([undefined, '|']);
  });

  it('mirrors the stream that a value becomes, and completes with the later of the two', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold('-a--|');
      const early$ = cold('  x|');
      const late$ = cold('   --x---y|');
      expectObservable(source$.pipe(turned(() => early$))).toBe('-x--|');
      expectObservable(source$.pipe(turned(() => late$))).toBe('---x---y|');
      expectSubscriptions(late$.subscriptions).toBe('-^------!');
    });
  });

  it('mirrors the stream that an error leads to, and without one the error', () => {
    marbles(({ cold, expectObservable }) => {
      const source$ = cold('--#');
      const instead$ = cold('-x|');
      const into = (stream$: Observable<string> | undefined) =>
        turned<string, string>(
          (value) => value,
          () => stream$,
        );
      expectObservable(source$.pipe(into(instead$))).toBe('---x|');
      expectObservable(source$.pipe(into(undefined))).toBe('--#');
    });
  });

  it('errors with what either function throws', () => {
    const thrower = (): never => {
      throw new Error('thrown');
    };
    expect(seenOf(of(1).pipe(turned(thrower)))).toEqual([new Error('thrown')]);
    expect(seenOf(throwError(() => 'first').pipe(turned(() => 1, thrower)))).toEqual([new Error('thrown')]);
  });

  it('does not lead the error of a stream anywhere else', () => {
    const onError = (): Observable<unknown> => of('instead');
    expect(seenOf(of(1).pipe(turned(() => throwError(() => 'inner'), onError)))).toEqual(['inner']);
  });

  it('lets go of its source and of the stream when it is unsubscribed', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold('-a---');
      const stream$ = cold(' ------x');
      expectObservable(source$.pipe(turned(() => stream$)), '---!').toBe('----');
      expectSubscriptions(source$.subscriptions).toBe('^--!');
      expectSubscriptions(stream$.subscriptions).toBe('-^-!');
    });
  });

  it('begins no stream for a subscriber that has left while it was asked for', () => {
    const source = new Subject<number>();
    let begun = 0;
    const subscription: Subscription = source
      .pipe(
        turned(() => {
          subscription.unsubscribe();
          return defer(() => of((begun += 1)));
        }),
      )
      .subscribe();
    source.next(1);
    expect(begun).toBe(0);
  });
});
