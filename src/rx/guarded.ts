/**
 * Calls a callback that a user gave us. What it throws goes to `onThrow` and no further, so that no
 * listener can break the loop that feeds it.
 */
export const guarded = <A>(
  callback: (argument: A) => unknown,
  argument: A,
  onThrow: (reason: unknown) => void,
): void => {
  try {
    const outcome = callback(argument);
    // An async callback rejects later, where nobody else would hear it.
    if (outcome instanceof Promise) outcome.catch(onThrow);
  } catch (reason) {
    onThrow(reason);
  }
};
