import type { Subscription } from 'rxjs';

/** What Node lets be done with a timer that runs. */
export interface NodeTimer {
  /** The process is held open by it. */
  ref(): unknown;
  /** The process may end before it rings. */
  unref(): unknown;
}

/** The timer behind what `asyncScheduler` has scheduled, where it is one of Node's. */
export const nodeTimerOf = (action: Subscription): NodeTimer | undefined => {
  const { id } = action as { readonly id?: Partial<NodeTimer> };
  return typeof id?.ref === 'function' && typeof id.unref === 'function' ? (id as NodeTimer) : undefined;
};
