import { describe, expect, it } from '@jest/globals';
import { concat, NEVER, Observable, of, Subject, take, throwError } from 'rxjs';
import type { Happened } from '../../src/bridge/backend.js';
import { answered, failed } from '../../src/bridge/outcome.js';
import { settled } from '../../src/bridge/settled.js';
import { watch } from '../support/client/watch.js';

const outcome = (slot: number, text = 'done'): Happened => ({
  slot,
  value: { kind: 'outcome', outcome: answered({ content: [{ type: 'text', text }] }) },
});
const started = (slot: number): Happened => ({ slot, value: { kind: 'started' } });
const UNANSWERED = failed('not answered');
const unanswered = (slot: number): Happened => ({ slot, value: { kind: 'outcome', outcome: UNANSWERED } });

describe('what happens to a batch', () => {
  it('is told as it happens, and is over when each call has its outcome, though nobody says so', () => {
    const seen = watch(settled(2, concat(of(started(0), outcome(0), started(1), outcome(1)), NEVER), UNANSWERED));
    expect(seen.values).toEqual([started(0), outcome(0), started(1), outcome(1)]);
    expect(seen.completed).toBe(true);
  });

  it('has one outcome for each call, and nothing after it, nor of calls there are not', () => {
    const run$ = of(outcome(0), outcome(0, 'again'), started(0), outcome(7), outcome(-1));
    expect(watch(settled(2, run$, UNANSWERED)).values).toEqual([outcome(0), unanswered(1)]);
  });

  it('has an outcome for calls that were forgotten, and for those that an error left', () => {
    expect(watch(settled(2, of(outcome(1)), UNANSWERED)).values).toEqual([outcome(1), unanswered(0)]);
    const broken$ = concat(
      of(outcome(1)),
      throwError(() => new Error('a bug')),
    );
    const seen = watch(settled(3, broken$, UNANSWERED));
    expect(seen.values.slice(1).map(({ slot }) => slot)).toEqual([0, 2]);
    expect(JSON.stringify(seen.values[1])).toContain('a bug');
    expect([seen.completed, seen.error]).toEqual([true, undefined]);
  });

  it('is nothing where there are no calls', () => {
    let ran = false;
    const run$ = new Observable<Happened>(() => {
      ran = true;
    });
    expect([watch(settled(0, run$, UNANSWERED)).completed, ran]).toEqual([true, false]);
  });

  it('is left with whoever leaves, also inside of what is told while it begins', () => {
    const run$ = new Subject<Happened>();
    const seen = watch(settled(1, run$, UNANSWERED));
    seen.subscription.unsubscribe();
    expect(run$.observed).toBe(false);
    let begun = 0;
    const eager$ = new Observable<Happened>((subscriber) => {
      subscriber.next(started(0));
      if (!subscriber.closed) begun += 1;
    });
    expect(watch(settled(1, eager$, UNANSWERED).pipe(take(1))).values).toEqual([started(0)]);
    expect(begun).toBe(0);
  });
});
