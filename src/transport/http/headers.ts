import { OptionError } from '../../errors/index.js';
import { isObject } from '../../jsonrpc/index.js';
import { isFieldName } from '../field-name.js';

/** What the value of a field may be made of. RFC 9110, section 5.5. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Whether a text can be the value of a field. */
export const isFieldValue = (text: string): boolean => VALUE.test(text);

/** A value of a field, if it can be sent; else throws an `OptionError` that names `option`, and not the value. */
export const checkedValue = (option: string, name: string, value: unknown): string => {
  if (typeof value !== 'string') throw new OptionError(option, `${JSON.stringify(name)} is not a string`);
  if (!isFieldValue(value))
    throw new OptionError(option, `${JSON.stringify(name)} has characters that no header can carry`);
  return value;
};

/** The fields that say how a message is cut and carried. RFC 9110, section 7.6.1; RFC 9112, section 6. */
const FRAMING: ReadonlySet<string> = new Set([
  ...['connection', 'content-length', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
]);

type Entries = readonly (readonly [name: string, value: unknown])[];

const isMap = (value: unknown): boolean => Object.prototype.toString.call(value) === '[object Map]';

/** An object that is nothing but its members; it may come from another realm. */
const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
};

/** The fields in an object, or in a `Headers` of whatever make. What has its fields elsewhere would seem to have none. */
const entriesOf = (headers: unknown): Entries => {
  if (isMap(headers) || Array.isArray(headers)) {
    throw new OptionError('headers', 'give an object: Object.fromEntries(…) makes one of a Map or of pairs');
  }
  if (isObject(headers)) {
    if (typeof headers['forEach'] === 'function' && typeof headers['get'] === 'function') {
      const entries: [string, unknown][] = [];
      (headers as unknown as Headers).forEach((value, name) => entries.push([name, value]));
      return entries;
    }
    if (isPlain(headers)) return Object.entries(headers);
  }
  throw new OptionError('headers', 'give a plain object, a Headers, or what answers with one');
};

/**
 * The caller's header fields, with their names in lower case, so that none goes out twice beside one of ours. Throws an
 * `OptionError` where one cannot be sent.
 */
export const checkedHeaders = (headers: unknown): Readonly<Record<string, string>> => {
  const checked: Record<string, string> = {};
  for (const [name, value] of entriesOf(headers)) {
    if (!isFieldName(name)) throw new OptionError('headers', `${JSON.stringify(name)} is no name of a header`);
    if (FRAMING.has(name.toLowerCase()))
      throw new OptionError('headers', `${JSON.stringify(name)} belongs to the connection, and cannot be set`);
    checked[name.toLowerCase()] = checkedValue('headers', name, value);
  }
  return checked;
};
