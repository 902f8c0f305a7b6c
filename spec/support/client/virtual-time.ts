import { expect } from '@jest/globals';
import { TestScheduler } from 'rxjs/testing';
import { type At, momentsInto } from '../../../src/testing/moments.js';

export type { At };

/** Runs a spec in virtual time: what is scheduled in it happens in order and at once. */
export const inVirtualTime = (body: (clock: { readonly at: At; readonly now: () => number }) => void): void => {
  const scheduler = new TestScheduler((actual, expected) => {
    expect(actual).toEqual(expected);
  });
  scheduler.run(() => {
    const failures: unknown[] = [];
    body({ at: momentsInto(failures), now: () => scheduler.now() });
    scheduler.flush();
    if (failures.length > 0) throw failures[0];
  });
};
