import { isSecretName } from './secret-names.js';

/** What stands in place of a secret. */
export const REDACTED = '[redacted]';

/** Tokens that are known by their looks, and what introduces one. */
const SHAPES: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\b(bearer|basic|token)(\s+)(?=\S*\d|\S{20})[\w.~+/=-]{8,}/gi, `$1$2${REDACTED}`],
  [/\b(?:sk|pk|rk)[-_][\w-]{16,}/g, REDACTED],
  [/\b(?:gh[pousr]_\w{16,}|github_pat_\w{16,}|glpat-[\w-]{16,}|xox[a-z]-[\w-]{10,}|AKIA[0-9A-Z]{16})/g, REDACTED],
  [/(?<![\w-])(?:AIza[\w-]{30,}|eyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?)/g, REDACTED],
  // The user information of a URL.
  [/:\/\/[^\s/?#@"']+@/g, `://${REDACTED}@`],
];

/** A URL up to its query, and the query. */
const QUERY = /(:\/\/(?:(?!:\/\/)[^\s?#"'])*\?)([^\s#"']*)/g;
const QUERY_VALUE = /=[^&]*/g;

/** A query without the values in it. */
export const redactQuery = (query: string): string => query.replace(QUERY_VALUE, `=${REDACTED}`);

/**
 * `name=value` and `name: value`, quoted or not, as programs write what they were given; no `${NAME:-default}`. As all
 * patterns here it begins where a word does, so that it is not tried anew at each letter of a long one.
 */
const ASSIGNMENT = /(?<![\w-]|\$\{)([\w-]+)(["']?\s*[=:]\s*["']?)([^\s"',;&]+)/g;

/** Whether it is a value that follows a name, and not the next word of a sentence: `invalid token: expired`. */
const isAssigned = (between: string, value: string): boolean => {
  if (value.includes(REDACTED) || value.startsWith('//') || /^(?:bearer|basic|token)$/i.test(value)) return false;
  return /["'=]/.test(between) || /\d/.test(value) || value.length >= 16;
};

/** Takes out what looks like a secret, in a text of which nothing else is known. */
export const redactText = (text: string): string => {
  let clean = text.replace(QUERY, (_all, head: string, query: string) => head + redactQuery(query));
  for (const [pattern, instead] of SHAPES) clean = clean.replace(pattern, instead);
  return clean.replace(ASSIGNMENT, (all: string, name: string, between: string, value: string) =>
    isSecretName(name) && isAssigned(between, value) ? `${name}${between}${REDACTED}` : all,
  );
};
