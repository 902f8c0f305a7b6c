import { type CallFormat, formatOf, LLM_FORMATS } from './formats/index.js';
import { type NameRule, type NameTable, nameTable } from './names.js';

/** The way back from the names under which tools were declared, in whatever format, to their own. */
export class WayBack {
  readonly #names: readonly string[];
  readonly #tables = new Map<NameRule, NameTable>();

  constructor(names: Iterable<string>) {
    this.#names = [...names];
  }

  /** The tool that a name means in a format, or else in any other; `undefined` where there is none. */
  find(name: string, format: CallFormat): string | undefined {
    // What is in no vendor's shape bears the names of the default, unless an application put it into that shape itself.
    for (const one of [format === 'neutral' ? 'openai' : format, ...LLM_FORMATS]) {
      const raw = this.#table(formatOf(one).names).raw(name);
      if (raw !== undefined) return raw;
    }
    return undefined;
  }

  /** Whether the other leads back to the same names. */
  isLike(other: WayBack): boolean {
    return (
      this.#names.length === other.#names.length && this.#names.every((name, index) => name === other.#names[index])
    );
  }

  #table(rule: NameRule): NameTable {
    const table = this.#tables.get(rule) ?? nameTable(this.#names, rule);
    this.#tables.set(rule, table);
    return table;
  }
}
