import type { SchedulerLike, Subscription } from 'rxjs';
import { type NodeTimer, nodeTimerOf } from './node-timer.js';

/**
 * One timer, for what is waited for and not waited for by turns, many times in a second: to start and stop a timer
 * each time is a tenth of what a call costs. While it rests, one of Node's goes on running and holds no process open: it is
 * over, without a word, when its time is. Elsewhere (in a browser, in virtual time) it is stopped and started.
 */
export class Alarm {
  readonly #scheduler: SchedulerLike;
  readonly #ring: () => void;
  #timer: Subscription | undefined;
  /** When that one was set, when it is due, and by whose timers. */
  #setAt = 0;
  #dueAt = 0;
  #timers: unknown;
  /** The same timer, while it rests. */
  #resting: NodeTimer | undefined;

  /** @param ring what is to be called; nothing runs then, and it may set the alarm anew */
  constructor(scheduler: SchedulerLike, ring: () => void) {
    this.#scheduler = scheduler;
    this.#ring = ring;
  }

  /** Rings in `delay` milliseconds, or earlier where it was set before. */
  set(delay: number, now = this.#scheduler.now()): void {
    if (this.#resting !== undefined) this.#wake(this.#resting, delay, now);
    if (this.#timer !== undefined) return;
    this.#setAt = now;
    this.#dueAt = now + delay;
    this.#timers = globalThis.setInterval;
    const timer = this.#scheduler.schedule(() => {
      if (this.#timer !== timer) return;
      const isWaitedFor = this.#resting === undefined;
      this.#timer = undefined;
      this.#resting = undefined;
      if (isWaitedFor) this.#ring();
    }, delay);
    this.#timer = timer;
  }

  /** Nobody waits for it. */
  rest(): void {
    if (this.#timer === undefined) return;
    this.#resting = nodeTimerOf(this.#timer);
    if (this.#resting === undefined) this.stop();
    else this.#resting.unref();
  }

  /** It is not used any more. */
  stop(): void {
    if (this.#resting === undefined || this.#isOurs(this.#scheduler.now())) this.#timer?.unsubscribe();
    this.#timer = undefined;
    this.#resting = undefined;
  }

  #wake(resting: NodeTimer, delay: number, now: number): void {
    if (this.#isOurs(now) && this.#dueAt <= now + delay) {
      this.#resting = undefined;
      resting.ref();
    } else this.stop();
  }

  /**
   * Whether the timer is one of those that now run. While it rested time may have become virtual, or that of fake timers,
   * or the clock may have been set; a timer of other ones would not ring, and cannot be stopped by these: it is left to itself.
   */
  #isOurs(now: number): boolean {
    return this.#timers === globalThis.setInterval && this.#setAt <= now && now <= this.#dueAt;
  }
}
