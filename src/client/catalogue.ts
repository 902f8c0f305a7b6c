import { asyncScheduler, type Observable, of } from 'rxjs';
import type { Tool } from '../protocol/schemas/index.js';
import { type Part, part } from '../rx/index.js';
import { Channel, type Session } from '../session/index.js';
import type { ToolChanges } from './tool-changes.js';
import type { TrustAnnotations } from './options.js';

/** What compares two lists: few ask what changed. */
export const comparison: Part<typeof import('./tool-changes.js')> = /* @__PURE__ */ part(
  () => import('./tool-changes.js'),
);

/**
 * The last complete `tools/list` of the connection in use. It is no cache: it serves nobody a list, and says
 * only what the server said of a tool. A change notice, another connection, a refresh and its age leave it empty; what
 * changed since the list before is told all the same.
 */
export class Catalogue {
  readonly #session: () => Session | undefined;
  readonly #uncompared: (reason: unknown) => void;
  readonly #changes = new Channel<ToolChanges>();
  #of: Session | undefined;
  #tools: ReadonlyMap<string, Tool> | undefined;
  #list: readonly Tool[] | undefined;
  #freshUntil = 0;

  /** Emits what differs from the list before, whenever a list that differs was read. Hot; completes at `close()`. */
  get changes$(): Observable<ToolChanges> {
    return this.#changes.values$;
  }

  /**
   * @param session tells the session in use
   * @param uncompared hears why a list could not be compared with the one before
   */
  constructor(session: () => Session | undefined, uncompared: (reason: unknown) => void) {
    this.#session = session;
    this.#uncompared = uncompared;
  }

  /** @param ttlMs how long the list is fresh; 0 is until something else is heard */
  keep(tools: readonly Tool[], ttlMs = 0): void {
    const before = this.#tools;
    const after = new Map(tools.map((tool) => [tool.name, tool]));
    this.#of = this.#session();
    this.#freshUntil = ttlMs > 0 ? asyncScheduler.now() + ttlMs : Infinity;
    this.#list = tools;
    this.#tools = after;
    // Comparing definitions costs, and nobody may be there to hear of it.
    if (before === undefined || !this.#changes.observed) return;
    comparison
      .use(({ changesBetween }) => of(changesBetween(before, after)))
      .subscribe({
        next: (changes) => {
          if (changes !== undefined) this.#changes.next(changes);
        },
        error: this.#uncompared,
      });
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
