import { expect } from '@jest/globals';
import { timer } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';

/** The clock of a spec: `at(ms, work)` does something at a moment. */
export type At = (ms: number, work: () => void) => void;

/** Runs a spec in virtual time: what is scheduled in it happens in order and at once. */
export const inVirtualTime = (body: (clock: { readonly at: At; readonly now: () => number }) => void): void => {
  const scheduler = new TestScheduler((actual, expected) => {
    expect(actual).toEqual(expected);
  });
  scheduler.run(() => {
    const failures: unknown[] = [];
    const at: At = (ms, work) => {
      timer(ms).subscribe({
        next: () => {
          // An expectation that fails inside a timer would be reported by nobody.
          try {
            work();
          } catch (reason) {
            failures.push(reason);
          }
        },
        error: (reason: unknown) => failures.push(reason),
      });
    };
    body({ at, now: () => scheduler.now() });
    scheduler.flush();
    if (failures.length > 0) throw failures[0];
  });
};
