import { asyncScheduler, type SchedulerAction, type SchedulerLike, type Subscription } from 'rxjs';

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

/** Like `asyncScheduler`; what is scheduled holds no process open. */
export const idleScheduler: SchedulerLike = {
  now: () => asyncScheduler.now(),
  schedule: <T>(work: (this: SchedulerAction<T>, state: T) => void, delay?: number, state?: T) => {
    const action = asyncScheduler.schedule(work as (this: SchedulerAction<T>, state?: T) => void, delay, state);
    nodeTimerOf(action)?.unref();
    return action;
  },
};
