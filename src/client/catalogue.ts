import type { Tool } from '../protocol/schemas/index.js';
import type { Session } from '../session/index.js';
import type { TrustAnnotations } from './options.js';

/**
 * The last complete `tools/list` of the connection in use. It is no cache: it serves nobody a list, and says
 * only what the server said of a tool. A change notice and another connection leave it empty.
 */
export class Catalogue {
  readonly #session: () => Session | undefined;
  #of: Session | undefined;
  #tools: ReadonlyMap<string, Tool> = new Map();

  /** @param session tells the session in use */
  constructor(session: () => Session | undefined) {
    this.#session = session;
  }

  keep(tools: readonly Tool[]): void {
    this.#of = this.#session();
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
  }

  drop(): void {
    this.#of = undefined;
    this.#tools = new Map();
  }

  get(name: string): Tool | undefined {
    return this.#of !== undefined && this.#of === this.#session() ? this.#tools.get(name) : undefined;
  }

  /** Whether repeating a call of the tool does no harm, by the server's own word and as far as it is trusted. */
  repeatable(name: string, trust: TrustAnnotations): boolean {
    if (trust !== 'all') return false;
    const annotations = this.get(name)?.annotations;
    return annotations?.readOnlyHint === true || annotations?.idempotentHint === true;
  }
}
