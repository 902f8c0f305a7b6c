import { describe, expect, it } from '@jest/globals';
import { Observable, Subscription } from 'rxjs';
import { LightSubscriber } from '../../src/rx/light-subscriber.js';

class Taker extends LightSubscriber<number> {
  readonly taken: number[] = [];

  protected override _next(value: number): void {
    this.taken.push(value);
  }
}

/** Three teardowns that say when they are called, in the order in which they are added. */
const tornDown = (taker: Taker): readonly string[] => {
  const order: string[] = [];
  for (const name of ['first', 'second', 'third']) taker.add(new Subscription(() => order.push(name)));
  return order;
};

describe('a light subscriber', () => {
  it('is given the values of a source, and ends it when it is unsubscribed', () => {
    const taker = new Taker();
    let ended = 0;
    new Observable<number>((subscriber) => {
      subscriber.next(1);
      subscriber.next(2);
      return () => (ended += 1);
    }).subscribe(taker);
    expect([taker.taken, ended]).toEqual([[1, 2], 0]);
    taker.unsubscribe();
    taker.unsubscribe();
    expect(ended).toBe(1);
  });

  it('calls each of its teardowns once, the first one last', () => {
    const taker = new Taker();
    const order = tornDown(taker);
    taker.unsubscribe();
    taker.unsubscribe();
    expect(order).toEqual(['second', 'third', 'first']);
  });

  it('calls at once what is added after its end', () => {
    const taker = new Taker();
    taker.unsubscribe();
    expect(tornDown(taker)).toEqual(['first', 'second', 'third']);
  });

  it('calls the first one also where another throws', () => {
    const taker = new Taker();
    let called = false;
    taker.add(new Subscription(() => (called = true)));
    taker.add(() => {
      throw new Error('a teardown');
    });
    expect(() => {
      taker.unsubscribe();
    }).toThrow('a teardown');
    expect(called).toBe(true);
  });

  it('is no teardown of its own, and needs none that has ended', () => {
    const taker = new Taker();
    taker.add(taker);
    taker.add(Subscription.EMPTY);
    const order = tornDown(taker);
    taker.unsubscribe();
    expect(order).toEqual(['second', 'third', 'first']);
  });
});
