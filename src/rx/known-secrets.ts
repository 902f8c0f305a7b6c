/** What stands in place of a secret. */
export const REDACTED = '[redacted]';

/**
 * Tokens that are known by their looks, and what introduces one. Each begins where a word does, so that a long one is not
 * tried anew at each letter.
 */
const SHAPES: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\b(bearer|basic|token)(\s+)(?=\S*\d|\S{20})[\w.~+/=-]{8,}/gi, `$1$2${REDACTED}`],
  [/\b(?:sk|pk|rk)[-_][\w-]{16,}/g, REDACTED],
  [/\b(?:gh[pousr]_\w{16,}|github_pat_\w{16,}|glpat-[\w-]{16,}|xox[a-z]-[\w-]{10,}|AKIA[0-9A-Z]{16})/g, REDACTED],
  [/(?<![\w-])(?:AIza[\w-]{30,}|eyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?)/g, REDACTED],
  // The user information of a URL.
  [/:\/\/[^\s/?#@"']+@/g, `://${REDACTED}@`],
];

/** A text without the secrets that are known by their looks alone, whatever is said around them. */
export const withoutKnownSecrets = (text: string): string =>
  SHAPES.reduce((clean, [pattern, instead]) => clean.replace(pattern, instead), text);
