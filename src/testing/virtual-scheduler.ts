import type { SchedulerAction, Subscription } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';

/** What rxjs raises where a timer it was woken for is not there any longer. */
const NOTHING_DUE = 'Expected a due immediate or interval';

/**
 * rxjs' `TestScheduler`, but for a fault of its own in `run`: an immediate goes before a timer that is due in the same frame, by the
 * wake-up of that timer. Where the immediate then takes the timer back, its own wake-up finds nothing and throws; here it does nothing.
 */
export class VirtualScheduler extends TestScheduler {
  override schedule<T>(work: (this: SchedulerAction<T>, state?: T) => void, delay?: number, state?: T): Subscription {
    const patient = function (this: SchedulerAction<T>, given?: T): void {
      try {
        work.call(this, given);
      } catch (reason) {
        if (!(reason instanceof Error && reason.message === NOTHING_DUE)) throw reason;
      }
    };
    return super.schedule(patient, delay, state);
  }

  /** Has nothing more happen. */
  end(): void {
    this.maxFrames = -1;
  }
}
