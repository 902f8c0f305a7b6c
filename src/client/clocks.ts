import { asyncScheduler, type Observable, type Subscription } from 'rxjs';
import type { Deadline, Deadlines, Expiry } from '../rx/index.js';

/** How long one call may take, in ms; 0 is without limit. */
export interface Limits {
  readonly timeoutMs: number;
  readonly maxTotalMs: number;
}

/** Who is told that the time is over, and how much there was, in ms. */
export interface Expiring {
  expire(ms: number): void;
}

/**
 * The two clocks of one call: the timeout, which a progress report starts anew, and the cap, which nothing does.
 * Whichever runs out first expires the call, with its length.
 */
export class CallClocks {
  readonly #deadlines: Deadlines;
  readonly #limits: Limits;
  readonly #call: Expiring;
  #timeout: Deadline | undefined;
  /** Whether the timeout under way is the rest of one. */
  #isRest: boolean;
  #cap: Deadline | undefined;
  #paused = 0;
  /** Since when the time of the cap runs, and how much of it had passed before, in ms. */
  #since = asyncScheduler.now();
  #spent = 0;
  #stopped = false;

  /** @param since when the time of the call began; default now */
  constructor(deadlines: Deadlines, limits: Limits, call: Expiring, since?: number) {
    this.#deadlines = deadlines;
    this.#limits = limits;
    this.#call = call;
    this.#spent = since === undefined ? 0 : Math.max(0, this.#since - since);
    this.#isRest = this.#spent > 0;
    this.#timeout = this.#start(limits.timeoutMs, this, this.#spent);
    // Where nothing starts the timeout anew, a longer cap would never be reached.
    if (limits.timeoutMs === 0 || limits.maxTotalMs < limits.timeoutMs) this.cap();
  }

  /** Starts the cap, where the timeout may be started anew from now on. Idempotent. */
  cap(): void {
    if (this.#paused === 0) this.#cap ??= this.#start(this.#limits.maxTotalMs, this.#capped, this.#spent);
  }

  /** Starts the timeout anew. */
  restart(): void {
    if (this.#paused === 0) this.#restart();
  }

  /** Stops both while a person is asked. As many as there are of these, so many `resume()` are needed. */
  pause(): void {
    this.#paused += 1;
    if (this.#paused > 1) return;
    this.#timeout?.pause();
    this.#cap?.cancel();
    this.#cap = undefined;
    this.#spent += Math.max(0, asyncScheduler.now() - this.#since);
  }

  /** Starts the timeout anew; the cap goes on where it stood, for a server may ask without end. */
  resume(): void {
    this.#paused -= 1;
    if (this.#paused > 0 || this.#stopped) return;
    this.#since = asyncScheduler.now();
    this.#restart();
    this.cap();
  }

  /** Stops both for as long as the wire waits for somebody outside of the conversation. */
  follow(waits$: Observable<boolean> | undefined): Subscription | undefined {
    let isPaused = false;
    return waits$?.subscribe({
      next: (waits) => {
        if (waits === isPaused) return;
        isPaused = waits;
        if (waits) this.pause();
        else this.resume();
      },
      error: () => undefined,
    });
  }

  stop(): void {
    this.#stopped = true;
    this.#timeout?.cancel();
    this.#cap?.cancel();
  }

  #restart(): void {
    if (!this.#isRest) {
      this.#timeout?.restart();
      return;
    }
    this.#isRest = false;
    this.#timeout?.cancel();
    this.#timeout = this.#start(this.#limits.timeoutMs, this);
  }

  /** The timeout is over. */
  expire(): void {
    this.#call.expire(this.#limits.timeoutMs);
  }

  get #capped(): () => void {
    return () => {
      this.#call.expire(this.#limits.maxTotalMs);
    };
  }

  #start(ms: number, expire: Expiry, spent = 0): Deadline | undefined {
    return ms > 0 ? this.#deadlines.start(Math.max(0, ms - spent), expire) : undefined;
  }
}
