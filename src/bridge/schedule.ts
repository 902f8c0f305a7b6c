import { concatMap, defer, from, map, mergeMap, type Observable } from 'rxjs';
import { inTurn } from '../rx/in-turn.js';

/** How the calls of a batch may be run. */
export interface Terms<C> {
  /** Whether running a call beside others, or once for several, does no harm. */
  readonly isSafe: (call: C) => boolean;
  /** The same for calls that ask the same thing. */
  readonly keyOf: (call: C) => unknown;
  /** `'whole'` overlaps a batch of safe calls alone; `'runs'` overlaps each run of safe calls between others. */
  readonly overlap: 'whole' | 'runs' | 'never';
  /** How many run at a time, at most, where they overlap. */
  readonly concurrency: number;
}

/** Calls that are run beside each other, or one after another: each item is one run, for all the slots it names. */
interface Stage {
  readonly overlaps: boolean;
  readonly runs: readonly (readonly number[])[];
}

/** Each call by itself, in order. */
const inOrder = (slots: readonly number[]): Stage => ({ overlaps: false, runs: slots.map((slot) => [slot]) });

/** Safe calls beside each other, those that ask the same thing as one. */
const together = <C>(calls: readonly C[], slots: readonly number[], { keyOf }: Terms<C>): Stage => {
  const runs = new Map<unknown, number[]>();
  for (const slot of slots) {
    const key = keyOf(calls[slot] as C);
    const run = runs.get(key);
    if (run === undefined) runs.set(key, [slot]);
    else run.push(slot);
  }
  return { overlaps: true, runs: [...runs.values()] };
};

const stagesOf = <C>(calls: readonly C[], terms: Terms<C>): readonly Stage[] => {
  const slots = calls.map((_, slot) => slot);
  if (terms.overlap === 'never') return [inOrder(slots)];
  const safe = calls.map((call) => terms.isSafe(call));
  if (safe.every(Boolean)) return [together(calls, slots, terms)];
  if (terms.overlap === 'whole') return [inOrder(slots)];
  const stages: Stage[] = [];
  let run: number[] = [];
  const endRun = (): void => {
    if (run.length > 0) stages.push(together(calls, run, terms));
    run = [];
  };
  for (const slot of slots) {
    if (safe[slot] === true) run.push(slot);
    else {
      endRun();
      stages.push(inOrder([slot]));
    }
  }
  endRun();
  return stages;
};

/** What a call of a batch tells, under the number of its place there. */
export interface Slotted<T> {
  readonly slot: number;
  readonly value: T;
}

/**
 * Runs a batch: its calls one after another in order, but beside each other where that does no harm, and then what asks
 * the same thing once for all that ask it. Emits what each tells under its slot, in the order in which it comes; completes
 * after the last. Errors with the first error of `run`, which is not to have any. Unsubscribing stops what runs, and what
 * waits is never started.
 */
export const schedule = <C, T>(
  calls: readonly C[],
  terms: Terms<C>,
  run: (call: C, slots: readonly number[]) => Observable<T>,
): Observable<Slotted<T>> => {
  return defer(() => {
    // The end of a call begins the next: were they nested, a long batch whose calls all end at once would have no stack.
    const turns = inTurn<Slotted<T>>();
    const runOne = (slots: readonly number[]): Observable<Slotted<T>> =>
      defer(() => run(calls[slots[0] as number] as C, slots)).pipe(
        slots.length === 1
          ? map((value) => ({ slot: slots[0] as number, value }))
          : concatMap((value) => slots.map((slot) => ({ slot, value }))),
        turns,
      );
    return from(stagesOf(calls, terms)).pipe(
      concatMap(({ overlaps, runs }) =>
        from(runs).pipe(overlaps ? mergeMap(runOne, terms.concurrency) : concatMap(runOne)),
      ),
    );
  });
};
