import type { Subscription } from 'rxjs';
import { idleScheduler } from '../../rx/index.js';
import { atLastMoment } from './last-moment.js';
import type { Host } from './last-moment.js';

/**
 * How long the hook stays when the last group has gone, in ms. Node drops a signal that has come and was not told yet when
 * its listener is taken away: the process would go on, though it was told to end. That is often done to a process that has
 * just closed what it had, so the hook does not go at that moment.
 */
const LINGER_MS = 1_000;

/** What can be ended at the last moment. */
export interface LastMoment {
  /** Ends it before it returns. */
  killNow(): void;
}

/**
 * The process groups that live now, behind one hook for all of them: when this process exits, or is ended by a signal
 * that the application does not listen to, they are killed first ({@link atLastMoment}). It still ends as it would have
 * without the hook, which is there while a group lives, and a second longer.
 */
export class LiveGroups {
  readonly #groups = new Set<LastMoment>();
  readonly #host: Host | undefined;
  #unhook: (() => void) | undefined;
  #leaving: Subscription | undefined;

  /** @param host the process whose end is meant; default: this one */
  constructor(host?: Host) {
    this.#host = host;
  }

  /** Puts a group under the hook. The function that comes back takes it out again, once. */
  add(group: LastMoment): () => void {
    this.#groups.add(group);
    this.#leaving?.unsubscribe();
    this.#unhook ??= atLastMoment(() => this.#killAll(), this.#host);
    return () => {
      if (this.#groups.delete(group) && this.#groups.size === 0) this.#leave();
    };
  }

  #leave(): void {
    this.#leaving = idleScheduler.schedule(() => {
      // Behind the next look for signals, which may wait where the loop was held up: timers come before it.
      setImmediate(() => {
        if (this.#groups.size > 0) return;
        this.#unhook?.();
        this.#unhook = undefined;
      });
    }, LINGER_MS);
  }

  #killAll(): void {
    // Should this process survive its signal, as the first one of a container does, the next group needs a new hook.
    this.#unhook = undefined;
    for (const each of this.#groups) each.killNow();
  }
}

/** The one of this process. */
export const liveGroups = new LiveGroups();
