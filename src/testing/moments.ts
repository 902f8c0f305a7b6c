import { timer } from 'rxjs';

/** Does something at a moment of virtual time, in ms from its beginning. */
export type At = (ms: number, work: () => void) => void;

/** What does things at their moments, and puts what they throw into `failures`: inside a timer it would be reported by nobody. */
export const momentsInto =
  (failures: unknown[]): At =>
  (ms, work) => {
    timer(ms).subscribe({
      next: () => {
        try {
          work();
        } catch (reason) {
          failures.push(reason);
        }
      },
      error: (reason: unknown) => failures.push(reason),
    });
  };
