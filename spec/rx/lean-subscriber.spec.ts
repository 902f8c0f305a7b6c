import { describe, expect, it } from '@jest/globals';
import { Observable, type Subscriber, Subject, Subscription } from 'rxjs';
import { LeanSubscriber } from '../../src/rx/index.js';

const deaf = { next: () => undefined, error: () => undefined, complete: () => undefined };

/** What a source hears of its subscriber, and the subscriber. */
const subscribed = (source: (subscriber: Subscriber<number>) => void = () => undefined) => {
  const told: unknown[] = [];
  const lean = new LeanSubscriber<number>({
    next: (value) => told.push(value),
    error: (reason) => told.push({ reason }),
    complete: () => told.push('complete'),
  });
  new Observable<number>(source).subscribe(lean);
  return { told, lean };
};

describe('a lean subscriber', () => {
  it('tells its observer everything up to the end, and nothing after it', () => {
    const { told } = subscribed((subscriber) => {
      subscriber.next(1);
      subscriber.complete();
      subscriber.next(2);
      subscriber.error('late');
    });
    expect(told).toEqual([1, 'complete']);
    expect(subscribed((subscriber) => subscriber.error('no')).told).toEqual([{ reason: 'no' }]);
  });

  it('is told nothing once it has unsubscribed', () => {
    const source$ = new Subject<number>();
    const told: number[] = [];
    const lean = new LeanSubscriber<number>({ ...deaf, next: (value) => told.push(value) });
    source$.subscribe(lean);
    source$.next(1);
    lean.unsubscribe();
    source$.next(2);
    expect(told).toEqual([1]);
    expect(source$.observed).toBe(false);
  });

  it.each(['unsubscribe', 'complete', 'error'] as const)('tears everything down, each once, at its %s', (end) => {
    const torn: string[] = [];
    const lean = new LeanSubscriber<number>(deaf);
    const first = new Subscription(() => torn.push('subscription'));
    lean.add(undefined);
    lean.add(first);
    lean.add(first);
    lean.add({ unsubscribe: () => torn.push('object') });
    lean.add(() => torn.push('function'));
    lean[end](undefined);
    lean.unsubscribe();
    expect(torn.sort()).toEqual(['function', 'object', 'subscription']);
    expect(lean.closed).toBe(true);
  });

  it('tears down at once what comes after its end', () => {
    const { lean } = subscribed();
    lean.unsubscribe();
    const late = new Subscription();
    lean.add(late);
    expect(late.closed).toBe(true);
  });

  it('keeps nothing of what was removed, or has ended by itself', () => {
    const torn: string[] = [];
    const lean = new LeanSubscriber<number>(deaf);
    const removed = (): void => void torn.push('removed');
    const second = (): void => void torn.push('removed, too');
    lean.add(removed);
    lean.add(second);
    lean.remove(removed);
    lean.remove(second);
    const over = new Subscription();
    lean.add(over);
    over.unsubscribe();
    lean.add(() => torn.push('kept'));
    lean.unsubscribe();
    expect(torn).toEqual(['kept']);
  });
});
