import { type SchedulerLike, type Subscription, timer } from 'rxjs';

interface Waiting {
  readonly run: () => void;
  readonly dueAt: number;
}

interface Held {
  readonly run: () => void;
  left: number;
  timer?: Subscription;
}

/** How something goes down a {@link Lane}. */
export interface Pace {
  readonly delayMs: number;
  /** Lets so many pass, and waits no longer than this. */
  readonly behind?: { readonly by: number; readonly ms: number } | undefined;
}

/** One direction of a wire: what is put in is run in order, at once where nothing holds it up. */
export class Lane {
  readonly #scheduler: SchedulerLike;
  readonly #queue: Waiting[] = [];
  readonly #held = new Set<Held>();
  #timer: Subscription | undefined;
  #running = false;

  constructor(scheduler: SchedulerLike) {
    this.#scheduler = scheduler;
  }

  put(run: () => void, { delayMs, behind }: Pace): void {
    if (behind !== undefined) {
      this.#hold(run, behind);
      return;
    }
    this.#queue.push({ run, dueAt: this.#scheduler.now() + delayMs });
    for (const held of [...this.#held]) {
      held.left -= 1;
      if (held.left <= 0) this.#release(held);
    }
    this.#go();
  }

  /** Puts in what comes last of all: what lets others pass goes before it. */
  last(run: () => void): void {
    for (const held of [...this.#held]) this.#release(held);
    this.put(run, { delayMs: 0 });
  }

  /** Forgets everything that has not been run. */
  clear(): void {
    this.#timer?.unsubscribe();
    this.#timer = undefined;
    this.#queue.length = 0;
    for (const held of this.#held) held.timer?.unsubscribe();
    this.#held.clear();
  }

  #hold(run: () => void, { by, ms }: { readonly by: number; readonly ms: number }): void {
    const held: Held = { run, left: by };
    this.#held.add(held);
    held.timer = timer(ms, this.#scheduler).subscribe({
      next: () => {
        this.#release(held);
        this.#go();
      },
      error: () => undefined,
    });
  }

  #release(held: Held): void {
    if (!this.#held.delete(held)) return;
    held.timer?.unsubscribe();
    this.#queue.push({ run: held.run, dueAt: this.#scheduler.now() });
  }

  /** Runs what is due. What is put in meanwhile is run by the same loop, so that nothing is entered twice. */
  #go(): void {
    if (this.#running) return;
    this.#running = true;
    try {
      for (let [next] = this.#queue; next !== undefined; [next] = this.#queue) {
        if (next.dueAt > this.#scheduler.now()) break;
        this.#queue.shift();
        next.run();
      }
    } finally {
      this.#running = false;
      this.#wake();
    }
  }

  #wake(): void {
    const [next] = this.#queue;
    if (next === undefined || this.#timer !== undefined) return;
    this.#timer = timer(Math.max(0, next.dueAt - this.#scheduler.now()), this.#scheduler).subscribe({
      next: () => {
        this.#timer = undefined;
        this.#go();
      },
      error: () => undefined,
    });
  }
}
