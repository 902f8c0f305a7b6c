import type { SchedulerAction, Subscription } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';

/** What rxjs raises where a timer it was woken for is not there any longer. */
const NOTHING_DUE = 'Expected a due immediate or interval';

/** What goes on in less time than that; a test of a day with a notice each second has fewer. */
const MOST_TURNS = 500_000;
/** Beyond {@link LONG_MS}: what comes this often then, as a try to connect, is done again and again. */
const MANY_LATE = 5_000;
const DAY_MS = 86_400_000;
const LONG_MS = 3 * DAY_MS;

/**
 * rxjs' `TestScheduler`, but for a fault of its own in `run`: an immediate goes before a timer that is due in the same frame, by the
 * wake-up of that timer. Where the immediate then takes the timer back, its own wake-up finds nothing and throws; here it does nothing.
 * And it comes to an end: what goes on for ever throws in place of it.
 */
export class VirtualScheduler extends TestScheduler {
  readonly #open: () => readonly string[];
  #turns = 0;
  #late = 0;

  /** @param open what has not ended yet, in words, where a test goes on for ever */
  constructor(assertEqual: (actual: unknown, expected: unknown) => void, open: () => readonly string[] = () => []) {
    super(assertEqual);
    this.#open = open;
  }

  override schedule<T>(work: (this: SchedulerAction<T>, state?: T) => void, delay?: number, state?: T): Subscription {
    const turn = (): void => {
      this.#turn();
    };
    const patient = function (this: SchedulerAction<T>, given?: T): void {
      turn();
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

  #turn(): void {
    this.#turns += 1;
    if (this.frame > LONG_MS) this.#late += 1;
    if (this.#turns <= MOST_TURNS && this.#late <= MANY_LATE) return;
    const open = this.#open();
    throw new Error(
      `the test does not end: after ${this.#turns} turns and ${Math.round((100 * this.frame) / DAY_MS) / 100} days of virtual time ` +
        `something is waited for still${open.length > 0 ? ` (open: ${open.join('; ')})` : ''}. What goes on for ever by itself, such as a ` +
        'live list whose server stays away or an interval, must be left: at(ms, () => mcp.close()), or takeUntil(timer(ms)), take(n), or "^ 10s !"',
    );
  }
}
