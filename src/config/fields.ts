import { below } from '../bridge/schemas/report.js';
import { type Check, oneOf } from '../jsonrpc/checks.js';
import { OptionError } from '../errors/index.js';
import { isObject } from '../jsonrpc/index.js';
import type { Problems } from './problem.js';

/** What an `OptionError` says, without the name of the option: in a config a path tells more. */
export const reasonOf = ({ option, message }: OptionError): string =>
  message.replace(`option ${JSON.stringify(option)}: `, '');

/** JSON has numbers and switches where texts are wanted, and people write them. */
const asText = (value: unknown): string | undefined =>
  typeof value === 'string'
    ? value
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : undefined;

/**
 * The members of an entry, read one by one: what has the wrong form is a problem with its path, and counts as absent. So
 * does `null`.
 */
export class Fields {
  readonly #raw: Readonly<Record<string, unknown>>;
  readonly #path: string;
  readonly #problems: Problems;
  readonly #aliases: Readonly<Record<string, readonly string[]>>;

  /** @param aliases other names of members, by the name used here */
  constructor(
    raw: Readonly<Record<string, unknown>>,
    path: string,
    problems: Problems,
    aliases: Readonly<Record<string, readonly string[]>>,
  ) {
    this.#raw = raw;
    this.#path = path;
    this.#problems = problems;
    this.#aliases = aliases;
  }

  /** Under which of its names a member is there; the one used here where it is not. */
  nameOf(name: string): string {
    const others = Object.hasOwn(this.#aliases, name) ? this.#aliases[name] : undefined;
    return [name, ...(others ?? [])].find((one) => this.#at(one) !== undefined) ?? name;
  }

  /** The path of a member, by the name used here. */
  pathOf(name: string): string {
    return below(this.#path, this.nameOf(name));
  }

  /** Whether a member is there under any of its names. */
  has(name: string): boolean {
    return this.#at(this.nameOf(name)) !== undefined;
  }

  /** Adds a problem about a member. */
  refuse(name: string, reason: string): void {
    this.#problems.add('error', this.pathOf(name), `${this.nameOf(name)}: ${reason}`);
  }

  /** A text. */
  text(name: string): string | undefined {
    const value = this.#at(this.nameOf(name));
    if (value !== undefined && typeof value !== 'string') {
      this.refuse(name, 'give a text');
      return undefined;
    }
    return value;
  }

  /** A list of texts; those of its items that are none are left out. */
  texts(name: string): readonly string[] | undefined {
    const value = this.#at(this.nameOf(name));
    if (value === undefined) return undefined;
    if (!Array.isArray(value)) {
      this.refuse(name, 'give a list of texts');
      return undefined;
    }
    return value.flatMap((item: unknown, index) => this.#converted(name, item, index) ?? []);
  }

  /** An object of texts; a member that is `null` is `undefined`. */
  members(name: string): Readonly<Record<string, string | undefined>> | undefined {
    const value = this.#at(this.nameOf(name));
    if (value === undefined) return undefined;
    if (!isObject(value)) {
      this.refuse(name, 'give an object of texts');
      return undefined;
    }
    const entries = Object.entries(value).map(
      ([key, member]) => [key, member === null ? undefined : this.#converted(name, member, key)] as const,
    );
    return Object.fromEntries(entries);
  }

  /** The members of a member that is an object, to be read one by one. */
  inner(name: string): Fields | undefined {
    const value = this.#at(this.nameOf(name));
    if (value === undefined) return undefined;
    if (!isObject(value)) {
      this.refuse(name, 'give an object');
      return undefined;
    }
    return new Fields(value, this.pathOf(name), this.#problems, {});
  }

  /** The names of the members that are there. */
  get names(): readonly string[] {
    return Object.keys(this.#raw).filter((name) => this.has(name));
  }

  /** A number, which may be written as a text, since a variable can be nothing else. */
  number(name: string, check: Check): number | undefined {
    const value = this.#at(this.nameOf(name));
    const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
    return number !== undefined && this.#passes(name, number, check) ? (number as number) : undefined;
  }

  /** One of some words. */
  word<Word extends string>(name: string, allowed: readonly Word[]): Word | undefined {
    const value = this.#at(this.nameOf(name));
    return value !== undefined && this.#passes(name, value, oneOf(...allowed)) ? (value as Word) : undefined;
  }

  /** True or false, which may be written as a text, since a variable can be nothing else. */
  flag(name: string): boolean | undefined {
    const value = this.#at(this.nameOf(name));
    if (value === undefined || typeof value === 'boolean') return value;
    if (value === 'true' || value === 'false') return value === 'true';
    this.refuse(name, 'give true or false');
    return undefined;
  }

  #at(name: string): unknown {
    return Object.hasOwn(this.#raw, name) ? (this.#raw[name] ?? undefined) : undefined;
  }

  #converted(name: string, value: unknown, step: string | number): string | undefined {
    const text = asText(value);
    const where = below(this.pathOf(name), step);
    const what = `${this.nameOf(name)}: ${typeof step === 'number' ? `item ${step + 1}` : JSON.stringify(step)}`;
    if (text === undefined) this.#problems.add('error', where, `${what} is no text: put it in double quotes`);
    else if (text !== value) {
      this.#problems.add('note', where, `${what} is a ${typeof value} and is taken as a text: put it in double quotes`);
    }
    return text;
  }

  #passes(name: string, value: unknown, check: Check): boolean {
    try {
      check(value, name);
      return true;
    } catch (error) {
      if (!(error instanceof OptionError)) throw error;
      this.refuse(name, reasonOf(error));
      return false;
    }
  }
}
