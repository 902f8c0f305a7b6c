import { asapScheduler, isObservable } from 'rxjs';
import { OptionError } from '../errors/index.js';
import { isThenable } from './script.js';

/** So small that a delay it takes part in stays as it is, and yet no two are the same: names are made of them as well. */
const LEAST = 2 ** -100;

/** What went wrong in the test that runs in virtual time; `undefined` while none does. */
let failures: unknown[] | undefined;

/** No more rounds than this are made of what begins anew whenever it has ended. */
const ROUNDS = 1_000;

/**
 * Does what waits for the end of the turn. rxjs has one queue for it in the whole process: what is left there from before a test is waited for
 * within it, and what is left from within is never done.
 */
const endTurn = (told: (reason: unknown) => void): void => {
  for (let round = 0; round < ROUNDS && asapScheduler.actions.length > 0; round += 1) {
    try {
      asapScheduler.flush();
    } catch (reason) {
      told(reason);
    }
  }
  for (const action of [...asapScheduler.actions]) action.unsubscribe();
};

/** Has `Math.random` give what shortens and lengthens no delay, until the function that is returned is called. */
const steadyRandom = (): (() => void) => {
  const { random } = Math;
  let given = 0;
  let over = false;
  Math.random = () => {
    // Who kept it, as a spy does, may put it back later.
    if (over) return random();
    given += 1;
    return given * LEAST;
  };
  return () => {
    over = true;
    Math.random = random;
  };
};

/**
 * Does `work` as the test in virtual time that `found` is told of the failures of. Before and behind it nothing waits for the end of a turn,
 * and within it nothing is random.
 */
export const inVirtualTime = (found: unknown[], work: () => void): void => {
  endTurn(() => undefined);
  const before = failures;
  failures = found;
  const restore = steadyRandom();
  try {
    work();
  } finally {
    restore();
    failures = before;
  }
};

/** Ends what a test in virtual time has begun, while its time is virtual still. */
export const endVirtualTurn = (): void => {
  endTurn((reason) => failures?.push(reason));
};

/**
 * An answer as it is; in virtual time, where a Promise would never have one, it is refused, and the test fails. Throws an `OptionError`.
 * @param name whose answer it is
 */
export const virtual = <T>(name: string, answer: T): T => {
  if (failures === undefined || typeof answer !== 'object' || answer === null) return answer;
  if (isObservable(answer) || !isThenable(answer)) return answer;
  (answer as PromiseLike<unknown>).then(undefined, () => undefined);
  const refused = new OptionError(
    name,
    'it answers by a Promise, and none is virtual, so that it would never be heard within marbles: return a value or an Observable (no async function)',
  );
  failures.push(refused);
  throw refused;
};

/** A function whose answers are {@link virtual}; what is none, as it is. */
export const virtualAnswers = (name: string, answers: unknown): unknown =>
  typeof answers === 'function'
    ? (...given: readonly unknown[]) => virtual(name, (answers as (...of: readonly unknown[]) => unknown)(...given))
    : answers;

const HOOKS = ['onElicit', 'onElicitUrl', 'onSample', 'onListRoots'] as const;

/** Options of a client whose hooks' answers are {@link virtual}. */
export const virtualHooks = <Options extends object>(options: Options): Options =>
  HOOKS.reduce<Options>((virtually, hook) => {
    const given = (options as Readonly<Record<string, unknown>>)[hook];
    return typeof given === 'function' ? { ...virtually, [hook]: virtualAnswers(hook, given) } : virtually;
  }, options);
