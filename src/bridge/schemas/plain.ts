import { isObject } from '../../jsonrpc/index.js';
import { below, type Report } from './report.js';

/** A schema that is plain data: no getter, no cycle, and no deeper than {@link MAX_LEVELS}. */
export type Plain = Readonly<Record<string, unknown>>;

/** Levels of JSON that are followed. A property of an object takes two. */
export const MAX_LEVELS = 128;
/** Values in a schema, more than any tool in the field has. */
export const MAX_VALUES = 20_000;

/** Why a schema is of no use at all. */
export class Unusable extends Error {}

/** Half a character on its own becomes the character for what cannot be read: APIs refuse the whole request for one. */
export const wellFormed = (text: string): string =>
  /[\ud800-\udfff]/.test(text) ? text.replace(/\p{Surrogate}/gu, '\ufffd') : text;

class Copy {
  readonly #report: Report;
  readonly #above = new Set<object>();
  #left = MAX_VALUES;

  constructor(report: Report) {
    this.#report = report;
  }

  /** The copy of a value; `undefined` where JSON has none. */
  of(value: unknown, path: string): unknown {
    this.#left -= 1;
    if (this.#left < 0) throw new Unusable(`it has more than ${MAX_VALUES} values`);
    if (typeof value === 'string') return this.#text(value, path);
    if (value === null || typeof value === 'boolean' || Number.isFinite(value)) return value;
    if (typeof value !== 'object') {
      if (value !== undefined) this.#report.note(path, 'dropped', `JSON has no ${typeof value} like this`);
      return undefined;
    }
    if (this.#above.has(value) || this.#above.size >= MAX_LEVELS) {
      const reason = this.#above.has(value) ? 'it contains itself' : `it is deeper than ${MAX_LEVELS} levels`;
      this.#report.note(path, 'replaced', reason);
      return {};
    }
    this.#above.add(value);
    const copy = Array.isArray(value) ? this.#list(value, path) : this.#members(value, path);
    this.#above.delete(value);
    return copy;
  }

  #text(text: string, path: string): string {
    const fit = wellFormed(text);
    if (fit !== text) this.#report.note(path, 'changed', 'half a character was left over in it');
    return fit;
  }

  #list(list: readonly unknown[], path: string): unknown[] {
    return Array.from(list, (item, index) => this.of(item, below(path, index)) ?? null);
  }

  #members(value: object, path: string): Plain {
    const members: (readonly [string, unknown])[] = [];
    for (const [key, member] of Object.entries(value)) {
      const copy = this.of(member, below(path, key));
      if (copy !== undefined) members.push([wellFormed(key), copy]);
    }
    // It makes a member of its own of `__proto__`, as JSON.parse does.
    return Object.fromEntries(members);
  }
}

/**
 * A copy that is data and nothing else, so that what works on it later meets no getter, no proxy and no cycle. What
 * JSON cannot write is dropped, what contains itself or is too deep becomes an empty object: the report says so.
 * Throws `Unusable` for what is no object or too large, and whatever a getter throws.
 */
export const plainCopy = (value: unknown, path: string, report: Report): Plain => {
  const copy = new Copy(report).of(value, path);
  if (!isObject(copy)) throw new Unusable('it is no object');
  return copy;
};
