import { Observable, type OperatorFunction } from 'rxjs';

/** What came within one frame of the screen. */
export interface Batch<T> {
  /** The last of it, in order. */
  readonly last: readonly T[];
  /** How many there were. */
  readonly count: number;
}

/**
 * Collects what comes until the next frame of the screen is drawn, and emits it then: however much a server says, the page
 * is laid out once for it. Keeps the last `kept`. What is left is emitted as the source completes, or errors. While nobody
 * looks at the page there are no frames, and nothing is emitted.
 */
export const perFrame =
  <T>(kept: number): OperatorFunction<T, Batch<T>> =>
  (source$) =>
    new Observable((subscriber) => {
      let last: T[] = [];
      let count = 0;
      let frame = 0;
      const emit = (): void => {
        if (count === 0) return;
        cancelAnimationFrame(frame);
        const batch = { last: last.slice(-kept), count };
        last = [];
        count = 0;
        subscriber.next(batch);
      };
      const subscription = source$.subscribe({
        next: (value) => {
          if (count === 0) frame = requestAnimationFrame(emit);
          count += 1;
          last.push(value);
          // Now and then, not each time: the rest is moved.
          if (last.length >= 2 * kept) last = last.slice(-kept);
        },
        error: (reason: unknown) => {
          emit();
          subscriber.error(reason);
        },
        complete: () => {
          emit();
          subscriber.complete();
        },
      });
      return () => {
        cancelAnimationFrame(frame);
        subscription.unsubscribe();
      };
    });
