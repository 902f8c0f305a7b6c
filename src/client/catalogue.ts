import { asyncScheduler, type Observable } from 'rxjs';
import type { Tool } from '../protocol/schemas/index.js';
import { Channel, type Session } from '../session/index.js';
import { changesBetween, type ToolChanges } from './tool-changes.js';
import type { TrustAnnotations } from './options.js';

/**
 * The last complete `tools/list` of the connection in use. It is no cache: it serves nobody a list, and says
 * only what the server said of a tool. A change notice, another connection, a refresh and its age leave it empty; what
 * changed since the list before is told all the same.
 */
export class Catalogue {
  readonly #session: () => Session | undefined;
  readonly #changes = new Channel<ToolChanges>();
  #of: Session | undefined;
  #tools: ReadonlyMap<string, Tool> | undefined;
  #list: readonly Tool[] | undefined;
  #freshUntil = 0;

  /** Emits what differs from the list before, whenever a list that differs was read. Hot; completes at `close()`. */
  get changes$(): Observable<ToolChanges> {
    return this.#changes.values$;
  }

  /** @param session tells the session in use */
  constructor(session: () => Session | undefined) {
    this.#session = session;
  }

  /** @param ttlMs how long the list is fresh; 0 is until something else is heard */
  keep(tools: readonly Tool[], ttlMs = 0): void {
    const before = this.#tools;
    this.#of = this.#session();
    this.#freshUntil = ttlMs > 0 ? asyncScheduler.now() + ttlMs : Infinity;
    this.#list = tools;
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    // Comparing definitions costs, and nobody may be there to hear of it.
    if (before === undefined || !this.#changes.observed) return;
    const changes = changesBetween(before, this.#tools);
    if (changes !== undefined) this.#changes.next(changes);
  }

  drop(): void {
    this.#of = undefined;
  }

  get(name: string): Tool | undefined {
    return this.#known?.get(name);
  }

  /** All of it, the same array as long as it is the same list; `undefined` where it is empty for one of these reasons. */
  get list(): readonly Tool[] | undefined {
    return this.#known === undefined ? undefined : this.#list;
  }

  get #known(): ReadonlyMap<string, Tool> | undefined {
    if (this.#of === undefined || this.#of !== this.#session()) return undefined;
    return asyncScheduler.now() < this.#freshUntil ? this.#tools : undefined;
  }

  /** Whether repeating a call of the tool does no harm, by the server's own word and as far as it is trusted. */
  repeatable(name: string, trust: TrustAnnotations): boolean {
    if (trust !== 'all') return false;
    const annotations = this.get(name)?.annotations;
    return annotations?.readOnlyHint === true || annotations?.idempotentHint === true;
  }

  close(): void {
    this.#changes.close();
  }
}
