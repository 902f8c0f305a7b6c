import { describe, expect, it } from '@jest/globals';
import { BehaviorSubject } from 'rxjs';
import { Opening } from '../../src/client/opening.js';
import type { Life } from '../../src/protocol/index.js';
import { watch } from '../support/client/watch.js';

const LIFE = {} as Life;

describe('one opening of a connection', () => {
  it('is shared by all who wait, and by those who come later', () => {
    const opening = new Opening();
    const early = watch(opening.life$);
    opening.ready(LIFE);
    const late = watch(opening.life$);
    expect([early.values, late.values, early.completed, late.completed]).toEqual([[LIFE], [LIFE], true, true]);
  });

  it('fails for all of them', () => {
    const opening = new Opening();
    const early = watch(opening.life$);
    opening.fail(new Error('no'));
    expect([early.error, watch(opening.life$).error]).toEqual([new Error('no'), new Error('no')]);
  });

  it('is in vain when the last has left and a person is asked, in whichever order', () => {
    for (const first of ['left', 'asked']) {
      const opening = new Opening();
      const waits$ = new BehaviorSubject(false);
      const vain = watch(opening.vain(waits$));
      const waiting = [watch(opening.life$), watch(opening.life$)];
      if (first === 'asked') waits$.next(true);
      waiting[0]!.subscription.unsubscribe();
      waiting[1]!.subscription.unsubscribe();
      expect(vain.values).toHaveLength(first === 'asked' ? 1 : 0);
      waits$.next(true);
      expect([vain.values.length, vain.completed]).toEqual([1, true]);
    }
  });

  it('is not in vain before anybody waits, while somebody does, or where nobody is asked', () => {
    const opening = new Opening();
    const waits$ = new BehaviorSubject(true);
    const vain = watch(opening.vain(waits$));
    const unasked = watch(opening.vain(undefined));
    expect(vain.values).toEqual([]);
    waits$.next(false);
    watch(opening.life$).subscription.unsubscribe();
    const again = watch(opening.life$);
    waits$.next(true);
    expect(vain.values).toEqual([]);
    again.subscription.unsubscribe();
    expect([vain.values.length, unasked.values.length]).toEqual([1, 0]);
  });
});
