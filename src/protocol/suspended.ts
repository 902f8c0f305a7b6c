import { OptionError } from '../errors/index.js';
import { isObject } from '../jsonrpc/index.js';
import { type Retry, retryOf, type Round } from './rounds.js';

/**
 * A call that waits for answers, as plain JSON: keep it anywhere, and carry on in another process. It holds the
 * call's own params and the server's state, which is the server's secret: keep it as you would keep a session.
 */
export interface SuspendedCall {
  /** The form of this object. */
  readonly suspended: 1;
  readonly method: 'tools/call';
  readonly params: Readonly<Record<string, unknown>>;
  /** The server's keys that want an answer each. */
  readonly keys: readonly string[];
  readonly requestState?: string | undefined;
}

/** Suspends a call at a round. */
export const suspend = (params: Readonly<Record<string, unknown>>, round: Round): SuspendedCall => ({
  suspended: 1,
  method: 'tools/call',
  params,
  keys: round.questions.map(({ key }) => key),
  ...(round.requestState === undefined ? undefined : { requestState: round.requestState }),
});

/** Reads what {@link suspend} made, perhaps long ago. Throws `OptionError`. */
export const readSuspended = (value: unknown): SuspendedCall => {
  const fits =
    isObject(value) &&
    value['suspended'] === 1 &&
    value['method'] === 'tools/call' &&
    isObject(value['params']) &&
    Array.isArray(value['keys']) &&
    value['keys'].every((key) => typeof key === 'string') &&
    (value['requestState'] === undefined || typeof value['requestState'] === 'string');
  if (!fits) throw new OptionError('resume', 'give the resume object of a suspended call, unchanged');
  return value as unknown as SuspendedCall;
};

/** The retry that answers a suspended call. Throws `OptionError` where an answer is missing or is no object. */
export const answersTo = (suspended: SuspendedCall, answers: unknown): Retry => {
  if (!isObject(answers)) throw new OptionError('answers', 'give an object with an answer for each key');
  const given = answers;
  for (const key of suspended.keys) {
    if (!Object.hasOwn(given, key) || !isObject(given[key])) {
      throw new OptionError('answers', `there is no answer for ${JSON.stringify(key)}: a round is answered whole`);
    }
  }
  const own = Object.fromEntries(suspended.keys.map((key) => [key, given[key]]));
  return retryOf({ questions: suspended.keys, requestState: suspended.requestState }, own);
};
