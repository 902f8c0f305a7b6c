/** A foreign reason as text. Anything may be thrown, also what has no text: this never throws. */
export const reasonText = (reason: unknown): string => {
  try {
    return String(reason);
  } catch {
    return 'something that cannot be written out';
  }
};

/** As {@link reasonText}, but an error without its name. */
export const messageOf = (reason: unknown): string => (reason instanceof Error ? reason.message : reasonText(reason));
