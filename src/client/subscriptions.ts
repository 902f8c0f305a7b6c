import { defer, map, type Observable } from 'rxjs';
import { ProtocolError } from '../errors/index.js';
import type { Prompt, ReadResourceResult, Resource, ResourceTemplate, Tool } from '../protocol/schemas/index.js';
import { type Part, part } from '../rx/index.js';
import { requireText } from './arguments.js';
import type { CallOptions } from './call-options.js';
import type { ToolChanges } from './tool-changes.js';
import type { ListKind } from './list-kind.js';
import { type ListReading, readList, readTools } from './lists.js';
import type { Following } from './following.js';
import type { ListenEvent, SubscriptionFilter } from './listen.js';
import type { LiveTerms, Reading } from './live.js';
import type { ClientParts } from './parts.js';
import { beyondTools, ClientQueries } from './queries.js';
import { ttlOf } from './freshness.js';
import type { Want } from './wants.js';

/** What follows changes: many clients ask, and never look again. */
export const following: Part<typeof import('./following.js')> = /* @__PURE__ */ part(() => import('./following.js'));

const ALIVE = { refresh: true } as const;

const asReading = <T>({ entries, ttlMs }: ListReading<T>): Reading<T[]> => ({ value: entries, ttlMs });

/** Made when they are first looked at, and the same from then on. */
interface LiveLists {
  tools?: Observable<Tool[]>;
  prompts?: Observable<Prompt[]>;
  resources?: Observable<Resource[]>;
  resourceTemplates?: Observable<ResourceTemplate[]>;
}

/** What a client can follow; see `McpClient` for what holds of all of it. */
export abstract class ClientSubscriptions extends ClientQueries {
  readonly #parts: ClientParts;
  #followed: Following | undefined;
  #lists: LiveLists | undefined;

  /**
   * The live list of tools: the list now, and again after each change, in either era; only a list that differs is
   * emitted, and the latest is replayed. Connects, and holds the connection while somebody looks: all who do share one
   * read and one subscription. The first read's failure is the error; a later one is a warning and a retry. A server
   * that does not tell of changes is read again as its list ages, with a warning. Completes at `close()`; errors where the
   * wire has ended and may not be opened again.
   * MCP 2026-07-28 server/tools, "List Changed Notification".
   */
  get tools$(): Observable<Tool[]> {
    return (this.#looked.tools ??= this.#live('tools', {
      read: () => readTools(this.#parts, ALIVE).pipe(map(asReading)),
    }));
  }

  /** The live list of prompts; see {@link tools$}. One that is declared and refused is empty, with a warning. MCP 2026-07-28 server/prompts. */
  get prompts$(): Observable<Prompt[]> {
    return (this.#looked.prompts ??= this.#sideList('prompts', ({ PROMPTS }) => PROMPTS));
  }

  /** The live list of resources; see {@link prompts$}. MCP 2026-07-28 server/resources. */
  get resources$(): Observable<Resource[]> {
    return (this.#looked.resources ??= this.#sideList('resources', ({ RESOURCES }) => RESOURCES));
  }

  /** The live list of resource templates; see {@link prompts$}. MCP 2026-07-28 server/resources. */
  get resourceTemplates$(): Observable<ResourceTemplate[]> {
    return (this.#looked.resourceTemplates ??= this.#sideList(
      'resources',
      ({ RESOURCE_TEMPLATES }) => RESOURCE_TEMPLATES,
    ));
  }

  /**
   * What differs from the list before whenever a complete list of tools was read, by `listTools()` or `tools$`: a tool
   * may change after it was approved. Hot: never reads by itself, completes at `close()`, never errors.
   */
  get toolChanges$(): Observable<ToolChanges> {
    return this.#parts.catalogue.changes$;
  }

  constructor(parts: ClientParts) {
    super(parts);
    this.#parts = parts;
  }

  /**
   * A resource that is followed: its contents now, and again after each change the server tells of; see
   * {@link tools$} for what it emits and when it ends; only contents that differ are emitted. Each call of this method is
   * a stream of its own; all share one subscription to the server. MCP 2026-07-28 server/resources, "Subscriptions".
   */
  watchResource(uri: string): Observable<ReadResourceResult> {
    const contents$ = this.#live<ReadResourceResult>(
      { uri },
      {
        read: () =>
          this.readResource(uri, ALIVE).pipe(
            map((value) => ({ value, ttlMs: this.#parts.server.era === 'modern' ? ttlOf(value) : 0 })),
          ),
        // What a server says besides may differ with each answer.
        essence: ({ contents }) => contents,
      },
    );
    return defer(() => {
      requireText(uri, 'uri');
      return this.#readBeyond(contents$);
    });
  }

  /**
   * The raw stream of a modern server's notices: first what it agreed to, then each notice in wire order. **Each
   * subscriber opens one.** Completes when the server ends it; errors when it is lost, refused, or not acknowledged within
   * `requestTimeoutMs` (or `options.timeoutMs`), the only clock it has; unsubscribing cancels it. A legacy server has none:
   * `UnsupportedFeatureError`; `tools$` and its kin follow either era, and come back after a loss.
   * MCP 2026-07-28 basic/patterns/subscriptions.
   */
  listen(filter: SubscriptionFilter, options?: CallOptions): Observable<ListenEvent> {
    return this.#follow((followed) => followed.listen(filter, options));
  }

  get #looked(): LiveLists {
    this.#lists ??= {};
    return this.#lists;
  }

  /** A list that servers declare and then refuse, as some in the field do, is empty. */
  #sideList<T>(want: Want, kindOf: (module: typeof import('./beyond-tools.js')) => ListKind<T>): Observable<T[]> {
    const list$ = this.#live<T[]>(want, {
      read: () => beyondTools.use((module) => readList(this.#parts, kindOf(module), ALIVE)).pipe(map(asReading)),
      instead: (reason) => (reason instanceof ProtocolError ? [] : undefined),
    });
    return defer(() => this.#readBeyond(list$));
  }

  /** What it is read with is loaded at once, not behind what follows; where it cannot be, the read says so. */
  #readBeyond<T>(live$: Observable<T>): Observable<T> {
    if (beyondTools.loaded === undefined) beyondTools.load().catch(() => undefined);
    return live$;
  }

  #live<T>(want: Want, terms: Pick<LiveTerms<T>, 'read' | 'instead' | 'essence'>): Observable<T> {
    // One for all who look, who share what it reads.
    let live$: Observable<T> | undefined;
    return this.#follow((followed) => (live$ ??= followed.live(want, terms)));
  }

  #follow<T>(work: (followed: Following) => Observable<T>): Observable<T> {
    return following.use(({ Following: Made }) => work((this.#followed ??= new Made(this.#parts))));
  }
}
