import { onExit } from 'signal-exit';

/** What can be ended at the last moment. */
export interface LastMoment {
  /** Ends it before it returns. */
  killNow(): void;
}

/**
 * The process groups that live now, behind one hook for all of them: when this process exits, or is ended by SIGINT,
 * SIGTERM or SIGHUP that nobody else handles, they are killed first. It still ends as it would have without the hook.
 * The hook is there only while a group lives, so that nothing is left of it on `process` afterwards.
 */
export class LiveGroups {
  readonly #groups = new Set<LastMoment>();
  #unhook: (() => void) | undefined;

  /** Puts a group under the hook. The function that comes back takes it out again, once. */
  add(group: LastMoment): () => void {
    this.#groups.add(group);
    this.#unhook ??= onExit(() => {
      for (const each of this.#groups) each.killNow();
    });
    return () => {
      if (!this.#groups.delete(group) || this.#groups.size > 0) return;
      this.#unhook?.();
      this.#unhook = undefined;
    };
  }
}

/** The one of this process. */
export const liveGroups = new LiveGroups();
