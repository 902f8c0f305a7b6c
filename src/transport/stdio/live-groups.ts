import { atLastMoment } from './last-moment.js';
import type { Host } from './last-moment.js';

/** What can be ended at the last moment. */
export interface LastMoment {
  /** Ends it before it returns. */
  killNow(): void;
}

/**
 * The process groups that live now, behind one hook for all of them: when this process exits, or is ended by a signal
 * that the application does not listen to, they are killed first ({@link atLastMoment}). It still ends as it would have
 * without the hook, which is there only while a group lives.
 */
export class LiveGroups {
  readonly #groups = new Set<LastMoment>();
  readonly #host: Host | undefined;
  #unhook: (() => void) | undefined;

  /** @param host the process whose end is meant; default: this one */
  constructor(host?: Host) {
    this.#host = host;
  }

  /** Puts a group under the hook. The function that comes back takes it out again, once. */
  add(group: LastMoment): () => void {
    this.#groups.add(group);
    this.#unhook ??= atLastMoment(() => this.#killAll(), this.#host);
    return () => {
      if (!this.#groups.delete(group) || this.#groups.size > 0) return;
      this.#unhook?.();
      this.#unhook = undefined;
    };
  }

  #killAll(): void {
    // Should this process survive its signal, as the first one of a container does, the next group needs a new hook.
    this.#unhook = undefined;
    for (const each of this.#groups) each.killNow();
  }
}

/** The one of this process. */
export const liveGroups = new LiveGroups();
