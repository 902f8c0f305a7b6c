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

/** The beginning of a text of a stranger's, who may have made it as long as he likes. Default: 200 characters. */
export const excerptOf = (text: string, most = 200): string =>
  text.length <= most ? text : `${text.slice(0, most)}… (${text.length} characters)`;
