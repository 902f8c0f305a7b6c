import { OptionError } from '../errors/index.js';
import { LONGEST_MS } from '../rx/index.js';
import { isObject } from './guards.js';
import { nearNames } from './suggest.js';

/** Throws an `OptionError` that names the option where its value cannot be used. */
export type Check = (value: unknown, name: string) => void;

/** Throws an `OptionError`. */
export const refuse = (name: string, reason: string): never => {
  throw new OptionError(name, reason);
};

export const oneOf =
  (...allowed: readonly string[]): Check =>
  (value, name) => {
    if (!allowed.includes(value as string))
      refuse(name, `give one of ${allowed.map((word) => `'${word}'`).join(', ')}`);
  };

export const milliseconds =
  (least: number): Check =>
  (value, name) => {
    if (typeof value !== 'number' || !(value >= least && value <= LONGEST_MS)) {
      refuse(name, `give a number of milliseconds from ${least} to ${LONGEST_MS}`);
    }
  };

export const boolean: Check = (value, name) => {
  if (typeof value !== 'boolean') refuse(name, 'give true or false');
};

export const callback: Check = (value, name) => {
  if (typeof value !== 'function') refuse(name, 'give a function');
};

export const object: Check = (value, name) => {
  if (!isObject(value)) refuse(name, 'give an object');
};

export const bytes: Check = (value, name) => {
  if (!Number.isInteger(value) || (value as number) < 1) refuse(name, 'give a whole number of bytes, at least 1');
};

/** What was meant by a name that is none, or all there are. */
const orElse = (wanted: string, names: readonly string[]): string => {
  const near = nearNames(wanted, names);
  return near.length > 0 ? `did you mean ${near.join(' or ')}?` : `known are ${names.join(', ')}`;
};

/** Checks each member that is given, under the name that `nameOf` gives it, and refuses one that does not exist. */
const checkEach = (
  members: Readonly<Record<string, unknown>>,
  checks: Readonly<Record<string, Check>>,
  nameOf: (key: string) => string,
  also: readonly string[],
): void => {
  for (const [key, value] of Object.entries(members)) {
    const check = Object.hasOwn(checks, key) ? checks[key] : undefined;
    if (check === undefined)
      refuse(nameOf(key), `there is no such option; ${orElse(key, [...also, ...Object.keys(checks)])}`);
    else if (value !== undefined) check(value, nameOf(key));
  }
};

/** Checks each option that is given, and refuses one that does not exist. An `undefined` one counts as absent. */
export const checkOptions = (
  options: unknown,
  checks: Readonly<Record<string, Check>>,
  what: string,
  also: readonly string[] = [],
): void => {
  if (!isObject(options)) return refuse(what, 'give an object');
  checkEach(options, checks, (key) => key, also);
};

/** The same for options inside an option: each is named by its path, such as `budget.perCall`. */
export const checkMembers = (value: unknown, checks: Readonly<Record<string, Check>>, name: string): void => {
  if (!isObject(value)) return refuse(name, 'give an object');
  checkEach(value, checks, (key) => `${name}.${key}`, []);
};

export const whole =
  (least: number): Check =>
  (value, name) => {
    if (!Number.isSafeInteger(value) || (value as number) < least)
      refuse(name, `give a whole number, at least ${least}`);
  };
