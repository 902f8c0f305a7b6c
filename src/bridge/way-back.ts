import { type CallFormat, formatOf } from './formats/index.js';
import { type NameTable, nameTable } from './names.js';

/** The way back from the names under which tools were declared, in whatever format, to their own. */
export class WayBack {
  readonly #names: readonly string[];
  readonly #tables = new Map<CallFormat, NameTable>();

  constructor(names: Iterable<string>) {
    this.#names = [...names];
  }

  /** The tool that a name means in a format; the name itself where there is none. */
  rawName(name: string, format: CallFormat): string {
    let table = this.#tables.get(format);
    // What is in no vendor's shape bears the names of the default.
    table ??= nameTable(this.#names, formatOf(format === 'neutral' ? 'openai' : format).names);
    this.#tables.set(format, table);
    return table.raw(name) ?? name;
  }
}
