import { isObject } from '../../jsonrpc/index.js';
import { usageError } from '../exit.js';

/** An argument as it was typed. */
export interface Pair {
  readonly name: string;
  readonly text: string;
  /** Whether it was written `name:=json`. */
  readonly json: boolean;
}

/** Reads `name=value` and `name:=json`. Throws a usage error for what is neither. */
export const readPair = (word: string): Pair => {
  const [, name, sign, text] = /^([^=]+?)(:?=)(.*)$/s.exec(word) ?? [];
  if (name === undefined || text === undefined) {
    throw usageError(
      `${JSON.stringify(word)} is no argument`,
      'write name=value, or name:=json for a value that the schema does not tell the kind of',
    );
  }
  return { name, text, json: sign === ':=' };
};

/** JSON that was typed. Throws a usage error that says what it was for. */
export const readJson = (text: string, what: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw usageError(`${what}: ${JSON.stringify(text)} is no JSON`, 'quote it for your shell, as in \'{"a": 1}\'');
  }
};

/** The object that was given with `--args`. Throws a usage error for anything else. */
export const readArgs = (text: string): Readonly<Record<string, unknown>> => {
  const value = readJson(text, '--args');
  if (!isObject(value)) throw usageError('--args: give an object, as in \'{"a": 1}\'');
  return value;
};
