import { canonical } from '../client/canonical.js';

/** A message as JSON, however deep it is. Throws as `JSON.stringify` does where there is no JSON for it. */
export const textOf = (message: unknown): string => {
  try {
    return JSON.stringify(message);
  } catch (reason) {
    // It follows a value call by call, and ends at some depth.
    if (reason instanceof RangeError) return canonical(message);
    throw reason;
  }
};
