import { clean } from '../../config/clean.js';

export { clean } from '../../config/clean.js';

/** The same in one line: each run of white space is one space. */
export const oneLine = (text: string): string => clean(text).replace(/\s+/g, ' ').trim();

/** What a server sent as a text: something else, which its types do not foresee, is nothing. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Legal inside JSON, and not fit for a terminal. `JSON.stringify` writes the others as escapes by itself. */
const IN_JSON = /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** A value as JSON, in ASCII wherever a terminal might act on it. `undefined`, which has no JSON, is `null`. */
export const jsonText = (value: unknown, indent?: number): string =>
  ((JSON.stringify(value, undefined, indent) as string | undefined) ?? 'null').replace(
    IN_JSON,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
