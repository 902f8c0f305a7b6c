import { OptionError } from '../errors/index.js';
import { isObject } from '../jsonrpc/index.js';

/** Throws an `OptionError` unless `value` is a string with something in it. */
export const requireText = (value: unknown, name: string): void => {
  if (typeof value === 'string' && value !== '') return;
  // As the official client takes it: all in one object.
  if (isObject(value) && Object.hasOwn(value, name))
    throw new OptionError(name, `give the ${name} and the arguments separately, not in one object`);
  throw new OptionError(name, 'give a string that is not empty');
};

/** Throws an `OptionError` unless `value` is absent or an object JSON can write. */
export const requireArguments = (value: unknown, name: string): void => {
  if (value === undefined) return;
  if (!isObject(value)) throw new OptionError(name, 'give an object, or nothing');
};
