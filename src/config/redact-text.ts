import { REDACTED, withoutKnownSecrets } from '../rx/index.js';
import { isSecretName } from './secret-names.js';

/** A URL up to its query, and the query. */
const QUERY = /(:\/\/(?:(?!:\/\/)[^\s?#"'])*\?)([^\s#"']*)/g;
const QUERY_VALUE = /=[^&]*/g;

/** A query without the values in it. */
export const redactQuery = (query: string): string => query.replace(QUERY_VALUE, `=${REDACTED}`);

/**
 * `name=` and `name: `, quoted or not, as programs write what they were given; no `${NAME:-default}`. As all patterns here
 * it begins where a word does, so that it is not tried anew at each letter of a long one.
 */
const NAMING = /(?<![\w-]|\$\{)([\w-]+)(["']?\s*[=:]\s*["']?)/g;

/** What a name may be followed by. */
const VALUE = /[^\s"',;&]+/y;

/** Whether it is a value that follows a name, and not the next word of a sentence: `invalid token: expired`. */
const isAssigned = (between: string, value: string): boolean => {
  if (value.includes(REDACTED) || value.startsWith('//') || /^(?:bearer|basic|token)$/i.test(value)) return false;
  return /["'=]/.test(between) || /\d/.test(value) || value.length >= 16;
};

/** A text without what follows names that say it is secret. What follows another name may be named itself. */
const withoutAssigned = (text: string): string => {
  let clean = '';
  let from = 0;
  for (const { index, 0: naming, 1: name = '', 2: between = '' } of text.matchAll(NAMING)) {
    VALUE.lastIndex = index + naming.length;
    if (index < from || !isSecretName(name)) continue;
    const [value] = VALUE.exec(text) ?? [''];
    if (value === '') continue;
    const end = index + naming.length + value.length;
    clean += text.slice(from, index + naming.length) + (isAssigned(between, value) ? REDACTED : value);
    from = end;
  }
  return clean + text.slice(from);
};

/** Takes out what looks like a secret, in a text of which nothing else is known. */
export const redactText = (text: string): string => {
  const bare = text.replace(QUERY, (_all, head: string, query: string) => head + redactQuery(query));
  return withoutAssigned(withoutKnownSecrets(bare));
};
