import { type NameRule, nameTable } from '../bridge/names.js';

/** What every API of a model takes as the name of a tool. */
const RULE: NameRule = { legal: /^[a-zA-Z0-9_-]{1,64}$/, maxLength: 64 };
const ANY_LENGTH: NameRule = { legal: /^[a-zA-Z0-9_-]*$/, maxLength: Number.POSITIVE_INFINITY };

/** The one name in a table of its own: the rules of writing names are those of the bridge. */
const written = (name: string, rule: NameRule): string => nameTable([name], rule).published(name) ?? name;

/** What stands before the names of a server's tools: `mcp__KEY__`, each character of the key that is illegal being `_`. */
export const toolPrefix = (key: string): string => `mcp__${written(key, ANY_LENGTH)}__`;

const quoted = (name: string): string => JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name);

/**
 * The names under which the tools of one server appear, with an exact way back. What is illegal in a name becomes `_`; one
 * of more than 64 characters is cut, and told apart by a short hash of the whole. Of two tools whose names meet the first
 * is kept.
 * @example
 * const names = new ToolNames(toolPrefix('my server'), ['read.file']);
 * names.published('read.file'); // 'mcp__my_server__read_file'
 * names.original('mcp__my_server__read_file'); // 'read.file'
 */
export class ToolNames {
  readonly #published = new Map<string, string>();
  readonly #original = new Map<string, string>();
  readonly #warnings: string[] = [];

  /**
   * @param prefix what stands before each name
   * @param tools the server's own names, in the order of its list
   */
  constructor(prefix: string, tools: Iterable<string>) {
    for (const tool of tools) {
      if (tool === '') {
        this.#warnings.push('a tool without a name is left out: it cannot be called');
        continue;
      }
      const name = written(prefix + tool, RULE);
      const first = this.#original.get(name);
      if (first === undefined) {
        this.#original.set(name, tool);
        this.#published.set(tool, name);
      } else {
        this.#warnings.push(
          first === tool
            ? `the tool ${quoted(tool)} is listed more than once: the first is kept`
            : `the tools ${quoted(first)} and ${quoted(tool)} would both be ${name}: the first is kept`,
        );
      }
    }
  }

  /** The names that appear, in the order of the list. */
  get names(): readonly string[] {
    return [...this.#original.keys()];
  }

  /** One sentence for each tool that is left out because its name was taken. */
  get warnings(): readonly string[] {
    return this.#warnings;
  }

  /** The name under which a tool appears; `undefined` for one that does not. */
  published(tool: string): string | undefined {
    return this.#published.get(tool);
  }

  /** The server's own name of what appears under a name; `undefined` for one that was not given out. */
  original(name: string): string | undefined {
    return this.#original.get(name);
  }
}
