import { describe, expect, it } from '@jest/globals';
import { concatMap, defer, from, mergeMap, Observable, of, range } from 'rxjs';
import { inTurn } from '../../src/rx/in-turn.js';
import { watch } from '../support/client/watch.js';
import { marbles } from '../support/marbles.js';

describe('in turn', () => {
  it('a source that is subscribed to alone begins at once and is mirrored', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold('-a-b-|');
      expectObservable(source$.pipe(inTurn())).toBe('-a-b-|');
      expectSubscriptions(source$.subscriptions).toBe('^----!');
    });
  });

  it('an error is mirrored', () => {
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold('-a-#').pipe(inTurn())).toBe('-a-#');
    });
  });

  it('a source whose subscribing waits for nothing lets others begin beside it', () => {
    marbles(({ cold, expectObservable }) => {
      const turns = inTurn<string>();
      const sources = [cold('--a|'), cold('-b|')];
      expectObservable(from(sources).pipe(mergeMap((source$) => source$.pipe(turns)))).toBe('-ba|');
    });
  });

  it('one that is subscribed to inside the subscribing of another begins when that has returned', () => {
    const order: string[] = [];
    const turns = inTurn<never>();
    const inner$ = new Observable<never>(() => {
      order.push('inner');
    });
    const outer$ = new Observable<never>((subscriber) => {
      order.push('outer begins');
      subscriber.add(inner$.pipe(turns).subscribe({ error: () => undefined }));
      order.push('outer ends');
    });
    watch(outer$.pipe(turns));
    expect(order).toEqual(['outer begins', 'outer ends', 'inner']);
  });

  it('one that is unsubscribed before its turn never begins', () => {
    let begun = false;
    const turns = inTurn<never>();
    const inner$ = defer((): Observable<never> => {
      begun = true;
      return of();
    });
    const outer$ = new Observable<never>(() => {
      inner$
        .pipe(turns)
        .subscribe({ error: () => undefined })
        .unsubscribe();
    });
    watch(outer$.pipe(turns));
    expect(begun).toBe(false);
  });

  it('a chain of any length takes the stack of one', () => {
    const turns = inTurn<number>();
    let release: () => void = () => undefined;
    const first$ = new Observable<number>((subscriber) => {
      release = () => {
        subscriber.complete();
      };
    });
    const seen = watch(range(0, 50_000).pipe(concatMap((n) => (n === 0 ? first$ : of(n)).pipe(turns))));
    release();
    expect(seen.error).toBeUndefined();
    expect(seen.completed).toBe(true);
    expect(seen.values).toHaveLength(49_999);
  });

  it('another operator has turns of its own', () => {
    const order: string[] = [];
    const inner$ = new Observable<never>(() => {
      order.push('inner');
    });
    const outer$ = new Observable<never>(() => {
      watch(inner$.pipe(inTurn()));
      order.push('outer ends');
    });
    watch(outer$.pipe(inTurn()));
    expect(order).toEqual(['inner', 'outer ends']);
  });
});
