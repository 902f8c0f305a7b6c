import { asyncScheduler, type SchedulerLike } from 'rxjs';
import { Alarm } from './alarm.js';
import { type Link, Links } from './links.js';

/** A running deadline. */
export interface Deadline {
  /** Starts its time anew. */
  restart(): void;
  /** Stops its time until `restart()`. */
  pause(): void;
  /** Ends it without a word. Idempotent. */
  cancel(): void;
}

/** What is called when the time is over; an object, where a function would be one more thing to make for each call. */
export type Expiry = (() => void) | { expire(): void };

/**
 * Many deadlines on few timers: one timer for each length of time in use, however many deadlines have
 * it. Deadlines of one length expire in the order in which they were started, so starting, restarting
 * and cancelling one costs the same whatever else is running. While no deadline runs, no timer holds a process open.
 */
export class Deadlines {
  /** Most have one length; a map is made for the second. */
  #only: DeadlineQueue | undefined;
  #others: Map<number, DeadlineQueue> | undefined;
  readonly #scheduler: SchedulerLike;
  readonly #rests: boolean;

  /** @param rests whether timers may rest while no deadline runs (see {@link Alarm}): who says so calls {@link release} in the end */
  constructor(scheduler: SchedulerLike = asyncScheduler, rests = false) {
    this.#scheduler = scheduler;
    this.#rests = rests;
  }

  /** Calls `expire` once, `ms` milliseconds from now or from the last `restart()`, unless it is cancelled first. */
  start(ms: number, expire: Expiry): Deadline {
    this.#only ??= this.#queue(ms);
    const queue = this.#only.ms === ms ? this.#only : this.#other(ms);
    return queue.start(expire);
  }

  /** Stops what rests. Deadlines that run go on, and new ones may be started. */
  release(): void {
    this.#only?.release();
    for (const queue of this.#others?.values() ?? []) queue.release();
  }

  #queue(ms: number): DeadlineQueue {
    return new DeadlineQueue(ms, this.#scheduler, this.#rests);
  }

  #other(ms: number): DeadlineQueue {
    const others = (this.#others ??= new Map<number, DeadlineQueue>());
    let queue = others.get(ms);
    if (queue === undefined) {
      // Callers use few lengths, but each may be chosen by a user: don't keep those that ended.
      for (const [length, idle] of others) {
        if (!idle.empty) continue;
        idle.release();
        others.delete(length);
      }
      queue = this.#queue(ms);
      others.set(ms, queue);
    }
    return queue;
  }
}

class DeadlineQueue {
  /** In insertion order, which is the order of expiry. */
  readonly #entries = new Links<Entry>();
  readonly #alarm: Alarm;
  /** What an expiry starts must not take the timer from those that are due before it. */
  #expiring = false;

  constructor(
    readonly ms: number,
    readonly scheduler: SchedulerLike,
    readonly rests: boolean,
  ) {
    this.#alarm = new Alarm(scheduler, () => {
      this.#expireDue();
    });
  }

  get empty(): boolean {
    return this.#entries.size === 0;
  }

  start(expire: Expiry): Deadline {
    const entry = new Entry(this, expire);
    this.enqueue(entry);
    return entry;
  }

  remove(entry: Entry): void {
    if (!this.#entries.delete(entry) || !this.empty) return;
    if (this.rests) this.#alarm.rest();
    else this.#alarm.stop();
  }

  release(): void {
    if (this.empty) this.#alarm.stop();
  }

  /** Puts an entry at the end of the line. */
  again(entry: Entry): void {
    this.#entries.delete(entry);
    this.enqueue(entry);
  }

  enqueue(entry: Entry): void {
    const now = this.scheduler.now();
    entry.dueAt = now + this.ms;
    this.#entries.add(entry);
    if (!this.#expiring) this.#alarm.set(this.ms, now);
  }

  #expireDue(): void {
    const now = this.scheduler.now();
    const latest = now + this.ms;
    // Only a clock that was set back makes them later than that, and by any amount.
    for (const entry of this.#entries) {
      if (entry.dueAt <= latest) break;
      entry.dueAt = latest;
    }
    this.#expiring = true;
    try {
      // Always the first that is there: what one expiry starts or cancels may be the next.
      for (let entry = this.#entries.first; entry !== undefined; entry = this.#entries.first) {
        if (entry.dueAt > now) break;
        this.#entries.delete(entry);
        entry.expire();
      }
    } finally {
      this.#expiring = false;
      this.#wakeForNext();
    }
  }

  #wakeForNext(): void {
    const next = this.#entries.first;
    if (next === undefined) return;
    const now = this.scheduler.now();
    this.#alarm.set(Math.max(0, next.dueAt - now), now);
  }
}

/** A class and no closures: there is one for each call. */
class Entry implements Deadline, Link<Entry> {
  readonly #queue: DeadlineQueue;
  readonly #expire: Expiry;
  #over = false;
  dueAt = 0;
  previous: Entry | undefined;
  next: Entry | undefined;

  constructor(queue: DeadlineQueue, expire: Expiry) {
    this.#queue = queue;
    this.#expire = expire;
  }

  expire(): void {
    this.#over = true;
    if (typeof this.#expire === 'function') this.#expire();
    else this.#expire.expire();
  }

  restart(): void {
    if (!this.#over) this.#queue.again(this);
  }

  pause(): void {
    this.#queue.remove(this);
  }

  cancel(): void {
    this.#over = true;
    this.#queue.remove(this);
  }
}
