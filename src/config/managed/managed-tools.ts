import { identity } from 'rxjs';
import type { Tool } from '../../protocol/schemas/index.js';
import { isOffered, type ToolFilter } from '../tool-filter.js';
import { ToolNames } from '../tool-names.js';

/** How many lists back a name may come from: a model goes on calling by the names it once read. */
const REMEMBERED = 4;

interface Named {
  readonly tools: readonly Tool[];
  readonly names: ToolNames;
  readonly warnings: readonly string[];
}

const isSame = (one: ToolNames, other: ToolNames): boolean =>
  one.names.length === other.names.length && one.names.every((name) => one.original(name) === other.original(name));

/** The tools of one server under the names they appear by, as far as they are offered. */
export class ManagedTools {
  readonly #prefix: string;
  readonly #filter: ToolFilter;
  readonly #strip: (tool: Tool) => Tool;
  readonly #lists = new WeakMap<readonly Tool[], Named>();
  /** The latest first. */
  #known: readonly Named[] = [];

  /**
   * @param prefix what their names begin with
   * @param strip takes out of a tool what only the host may say; default: nothing
   */
  constructor(prefix: string, filter: ToolFilter, strip: (tool: Tool) => Tool = identity) {
    this.#prefix = prefix;
    this.#filter = filter;
    this.#strip = strip;
  }

  /** The tools of the latest list; none before there is one. */
  get latest(): readonly Tool[] {
    return this.#known[0]?.tools ?? [];
  }

  /** A sentence for each tool that is left out because of its name, and for each name in the filter that no tool has. */
  get warnings(): readonly string[] {
    return this.#known[0]?.warnings ?? [];
  }

  /** The same list of tools as it appears: the same array for the same one. */
  named(list: readonly Tool[]): readonly Tool[] {
    let named = this.#lists.get(list);
    if (named === undefined) this.#lists.set(list, (named = this.#name(list)));
    const { names } = named;
    if (this.#known[0] !== named) {
      this.#known = [named, ...this.#known.filter((older) => !isSame(older.names, names))].slice(0, REMEMBERED);
    }
    return named.tools;
  }

  /** The server's own name of what appears under a name, or did lately; `undefined` for one that was not given out. */
  original(name: string): string | undefined {
    for (const { names } of this.#known) {
      const original = names.original(name);
      if (original !== undefined) return original;
    }
    return undefined;
  }

  /** The name under which a tool appears that is called by this name, or by the server's own; the name itself if there is none. */
  published(name: string): string {
    return this.original(name) === undefined ? (this.#known[0]?.names.published(name) ?? name) : name;
  }

  /** Whether there is a tool of this name; `undefined` before there is a list. */
  has(name: string): boolean | undefined {
    return this.#known.length === 0 ? undefined : this.original(name) !== undefined;
  }

  /** The server's own name of the tool that is meant by a name, listed or not; `undefined` if it is not offered. */
  target(name: string): string | undefined {
    const original = this.original(name) ?? (this.#isOwn(name) ? name : this.#withoutPrefix(name));
    return isOffered(original, this.#filter) ? original : undefined;
  }

  /** Whether the server itself calls a tool so, which may look like one of the names given out. */
  #isOwn(name: string): boolean {
    return this.#known.some(({ names }) => names.published(name) !== undefined);
  }

  #withoutPrefix(name: string): string {
    return name.startsWith(this.#prefix) ? name.slice(this.#prefix.length) : name;
  }

  #name(list: readonly Tool[]): Named {
    const offered = list.filter(({ name }) => isOffered(name, this.#filter));
    const names = new ToolNames(
      this.#prefix,
      offered.map(({ name }) => name),
    );
    const open = new Set(names.names);
    const tools = offered.flatMap((tool) => {
      const name = names.published(tool.name);
      // Of two that the server calls the same, the first.
      return name !== undefined && open.delete(name) ? [{ ...this.#strip(tool), name }] : [];
    });
    const all = new Set(list.map(({ name }) => name));
    const unknown = (['allowedTools', 'blockedTools'] as const).flatMap((member) =>
      (this.#filter[member] ?? [])
        .filter((name) => !all.has(name))
        .map((name) => `${member} names ${JSON.stringify(name)}, which the server does not have`),
    );
    return { tools, names, warnings: [...names.warnings, ...unknown] };
  }
}
