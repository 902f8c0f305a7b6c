import { asyncScheduler, type Observable, type Subscription } from 'rxjs';

/** What one subscription has seen so far. */
export interface Watched<T> {
  readonly values: T[];
  /** Each thing that happened and when, in ms: values as they are, then `'|'`, or the error. */
  readonly marks: (readonly [at: number, what: unknown])[];
  error: unknown;
  completed: boolean;
  readonly subscription: Subscription;
  /** Resolves when the stream has ended, with its error if it has one. */
  readonly end: Promise<unknown>;
}

/** Subscribes, and writes down what happens. */
export const watch = <T>(source$: Observable<T>): Watched<T> => {
  const values: T[] = [];
  const marks: (readonly [number, unknown])[] = [];
  let ended: (reason?: unknown) => void = () => undefined;
  const end = new Promise<unknown>((resolve) => {
    ended = resolve;
  });
  const seen = { values, marks, error: undefined as unknown, completed: false, end };
  const subscription = source$.subscribe({
    next: (value) => {
      values.push(value);
      marks.push([asyncScheduler.now(), value]);
    },
    error: (reason: unknown) => {
      seen.error = reason;
      marks.push([asyncScheduler.now(), reason]);
      ended(reason);
    },
    complete: () => {
      seen.completed = true;
      marks.push([asyncScheduler.now(), '|']);
      ended();
    },
  });
  return Object.assign(seen, { subscription });
};

/** What a Promise rejects with; fails the spec if it resolves. */
export const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => {
      throw new Error(`expected a rejection, but it resolved with ${JSON.stringify(value)}`);
    },
    (reason: unknown) => reason,
  );

/** What a function throws; fails the spec if it returns. */
export const thrownBy = (work: () => unknown): unknown => {
  let value: unknown;
  try {
    value = work();
  } catch (reason) {
    return reason;
  }
  throw new Error(`expected a throw, but it returned ${String(value)}`);
};
