import {
  BehaviorSubject,
  catchError,
  combineLatest,
  filter,
  map,
  type Observable,
  of,
  ReplaySubject,
  share,
  startWith,
  switchMap,
} from 'rxjs';
import {
  type BatchEmission,
  type BatchOptions,
  type DeclarationsOf,
  type LlmFormat,
  LlmTools,
  type Mount,
  ProviderPromises,
  publishedTools,
  Router,
  type ToolProvider,
} from '../bridge/index.js';
import type { ReadOptions } from '../client/index.js';
import { OptionError, TransportClosedError } from '../errors/index.js';
import type { Tool } from '../protocol/schemas/index.js';
import {
  type AddOptions,
  checkAddOptions,
  checkRegistryDeclareOptions,
  checkRegistryOptions,
  type RegistryDeclareOptions,
  type RegistryOptions,
} from './options.js';

/** A provider and where it is. */
interface Entry extends Mount {
  readonly owned: boolean;
}

const ignore = (): void => undefined;

const requireProvider = (provider: unknown): void => {
  const { toolsForLlm, executeToolCalls } = (provider ?? {}) as Partial<ToolProvider>;
  if (typeof toolsForLlm !== 'function' || typeof executeToolCalls !== 'function') {
    throw new OptionError(
      'provider',
      'give an object with toolsForLlm and executeToolCalls: a client, a toolkit, a registry',
    );
  }
};

/**
 * Many tool providers under one namespace: clients, toolkits, other registries, objects of your own. A tool is called
 * `{prefix}{separator}{name}`; a call under a name that was published goes to that very tool, any other to the provider
 * with the longest prefix that fits, without it. The calls of a batch that are one provider's are one batch there, and
 * the providers run beside each other. One that fails costs no calls but its own.
 */
export class Registry implements ToolProvider {
  readonly #separator: string;
  readonly #entries = new BehaviorSubject<readonly Entry[]>([]);
  readonly #router: Router;
  readonly #llm: LlmTools;
  #closing: Promise<void> | undefined;

  /** The same methods, returning Promises. */
  readonly promises: ProviderPromises = new ProviderPromises(this);

  /**
   * The tools of all providers that have `tools$`, under their names: as soon as one of them is known, and again after
   * every change and with every provider that comes or goes. One whose list fails has none. Shared, with a replay of the
   * latest to those who come later; connects its providers; completes at `close()`, never errors.
   */
  readonly tools$: Observable<readonly Tool[]>;

  /** Throws `OptionError`. */
  constructor(options: RegistryOptions = {}) {
    checkRegistryOptions(options);
    this.#separator = options.separator ?? '_';
    this.#router = new Router(() => this.#entries.value, this.#separator);
    this.#llm = new LlmTools((read) => this.listTools(read), this.#router);
    this.tools$ = this.#entries.pipe(
      switchMap((entries) => this.#live(entries)),
      share({ connector: () => new ReplaySubject(1), resetOnRefCountZero: true }),
    );
  }

  /** Adds a provider, and returns the registry. Throws `OptionError` where the prefix is taken. */
  add(provider: ToolProvider, options: AddOptions): this {
    requireProvider(provider);
    checkAddOptions(options);
    const { prefix, overlap, toolConcurrency, owned = false } = options;
    if (typeof prefix !== 'string') throw new OptionError('prefix', 'give a string that is not empty');
    if (this.#closing !== undefined) throw new TransportClosedError('the registry is closed');
    const entries = this.#entries.value;
    if (entries.some((entry) => entry.prefix === prefix)) {
      throw new OptionError('prefix', `there is a provider under ${JSON.stringify(prefix)} already`);
    }
    this.#entries.next([...entries, { prefix, provider, overlap, toolConcurrency, owned }]);
    return this;
  }

  /** Takes a provider out, and returns it; nothing if there is none. It is not closed. Calls that are under way go on. */
  remove(prefix: string): ToolProvider | undefined {
    const entries = this.#entries.value;
    const found = entries.find((entry) => entry.prefix === prefix);
    if (found !== undefined) this.#entries.next(entries.filter((entry) => entry !== found));
    return found?.provider;
  }

  /** The providers by prefix, in the order in which they were added. */
  providers(): ReadonlyMap<string, ToolProvider> {
    return new Map(this.#entries.value.map(({ prefix, provider }) => [prefix, provider]));
  }

  /**
   * The tools of all providers as declarations for a model, as a client's. Errors where a provider cannot say what it has,
   * with what that raised; with `partial: true` it goes without, and `onMissing` tells who is missing.
   */
  toolsForLlm<F extends LlmFormat = 'openai'>(options: RegistryDeclareOptions<F> = {}): Observable<DeclarationsOf<F>> {
    return this.#llm.declare(options, {
      check: checkRegistryDeclareOptions,
      list: (read) => this.#router.list(read, options.partial === true ? (options.onMissing ?? ignore) : undefined),
    });
  }

  /** Makes the calls of a model, each by its provider; otherwise as a client's. */
  executeToolCalls<C, O extends BatchOptions = BatchOptions>(
    calls: readonly C[] | null | undefined,
    options?: O,
  ): Observable<BatchEmission<C, O>> {
    return this.#llm.execute(calls, options);
  }

  /** The tools of all providers as MCP has them, under their names. Emits them once. Errors as {@link toolsForLlm}. */
  listTools(options: ReadOptions = {}): Observable<readonly Tool[]> {
    return this.#router.list(options);
  }

  /** The same without asking again, as far as what is known is good. Goes without the providers that cannot say. */
  knownTools(): Observable<readonly Tool[]> {
    return this.#router.known(ignore);
  }

  /** Closes the providers it owns, completes `tools$` and takes nothing new. Idempotent; never rejects. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** `await using registry = new Registry()` closes it at the end of the block. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    const owned = this.#entries.value.filter((entry) => entry.owned);
    this.#entries.complete();
    await Promise.allSettled(
      owned.map(async ({ provider }) => {
        const { close } = provider as { readonly close?: unknown };
        if (typeof close === 'function') await close.call(provider);
      }),
    );
  }

  #live(entries: readonly Entry[]): Observable<readonly Tool[]> {
    const live = entries.flatMap((mount) => {
      const { tools$ } = mount.provider;
      return tools$ === undefined ? [] : [{ mount, tools$ }];
    });
    if (live.length === 0) return of([]);
    const lists = live.map(({ tools$ }) =>
      tools$.pipe(
        catchError(() => of([])),
        startWith(undefined),
      ),
    );
    return combineLatest(lists).pipe(
      filter((all) => all.some((tools) => tools !== undefined)),
      map((all) =>
        publishedTools(
          live.map(({ mount }) => mount),
          all.map((tools) => tools ?? []),
          this.#separator,
        ),
      ),
    );
  }
}
