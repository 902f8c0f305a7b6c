import { describe, expect, test } from '@jest/globals';
import { concat, NEVER, of, Subject, throwError } from 'rxjs';
import { together } from '../../src/rx/together.js';

const heard = (): { readonly events: unknown[]; readonly next: (value: unknown) => void } & Record<string, unknown> => {
  const events: unknown[] = [];
  return {
    events,
    next: (value) => events.push(value),
    error: (reason: unknown) => events.push(['error', reason]),
    complete: () => events.push('complete'),
  };
};

describe('together', () => {
  test('subscribes to all at once, and emits the last value of each in their order when all have completed', () => {
    const first = new Subject<string>();
    const second = new Subject<number>();
    const observer = heard();
    together([first, second]).subscribe(observer);
    second.next(1);
    second.complete();
    first.next('a');
    first.next('b');
    expect(observer.events).toEqual([]);
    first.complete();
    expect(observer.events).toEqual([['b', 1], 'complete']);
  });

  test('emits at once what is there at once, to each subscriber a list of its own', () => {
    const all$ = together([of(1, 2), of(3)]);
    const one = heard();
    const other = heard();
    all$.subscribe(one);
    all$.subscribe(other);
    expect(one.events).toEqual([[2, 3], 'complete']);
    expect(other.events[0]).not.toBe(one.events[0]);
  });

  test('the first error is its error, and all others are let go', () => {
    const left = new Subject<number>();
    const observer = heard();
    together([left, throwError(() => 'why')]).subscribe(observer);
    expect(observer.events).toEqual([['error', 'why']]);
    expect(left.observed).toBe(false);
  });

  test('unsubscribing lets all of them go', () => {
    const left = new Subject<number>();
    const subscription = together([left, concat(of(1), NEVER)]).subscribe();
    subscription.unsubscribe();
    expect(left.observed).toBe(false);
  });

  test('no streams have an empty list', () => {
    const observer = heard();
    together([]).subscribe(observer);
    expect(observer.events).toEqual([[], 'complete']);
  });
});
