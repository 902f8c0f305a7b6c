import { OptionError } from '../../errors/index.js';
import { isObject } from '../../jsonrpc/index.js';
import { isFieldName } from '../field-name.js';

/** What the value of a field may be made of. RFC 9110, section 5.5. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** A value of a field, if it can be sent; else throws an `OptionError` that names `option`, and not the value. */
export const checkedValue = (option: string, name: string, value: unknown): string => {
  if (typeof value !== 'string') throw new OptionError(option, `${JSON.stringify(name)} is not a string`);
  if (!VALUE.test(value))
    throw new OptionError(option, `${JSON.stringify(name)} has characters that no header can carry`);
  return value;
};

/**
 * The caller's header fields, with their names in lower case, so that none goes out twice beside one of ours. Throws an
 * `OptionError` where one cannot be sent.
 */
export const checkedHeaders = (headers: unknown): Readonly<Record<string, string>> => {
  if (!isObject(headers)) {
    throw new OptionError('headers', 'give an object, or what answers with one');
  }
  const checked: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (!isFieldName(name)) throw new OptionError('headers', `${JSON.stringify(name)} is no name of a header`);
    checked[name.toLowerCase()] = checkedValue('headers', name, value);
  }
  return checked;
};
