import type { Observable } from 'rxjs';
import {
  type BatchEmission,
  type BatchOptions,
  type BatchResultOptions,
  type DeclarationsOf,
  type LlmFormat,
  LlmTools,
  Mounts,
  offerBackend,
  ProviderPromises,
  type Toolkit,
  type ToolProvider,
} from '../bridge/index.js';
import { boolean } from '../jsonrpc/checks.js';
import type { ReadOptions } from '../client/index.js';
import { OptionError, TransportClosedError } from '../errors/index.js';
import { isObject } from '../jsonrpc/index.js';
import type { Tool } from '../protocol/schemas/index.js';
import {
  type AddOptions,
  checkRegistryDeclareOptions,
  checkRegistryOptions,
  type RegistryDeclareOptions,
  type RegistryOptions,
} from './options.js';
import { searchable } from './searchable.js';

const ignore = (): void => undefined;

/**
 * Many tool providers under one namespace: clients, toolkits, other registries, objects of your own. A tool is called
 * `{prefix}{separator}{name}`; a call under a name that was published goes to that very tool, any other to the provider
 * with the longest prefix that fits, without it. The calls of a batch that are one provider's are one batch there, and
 * the providers run beside each other. One that fails costs no calls but its own.
 *
 * ```ts
 * const registry = new Registry().add(files, { prefix: 'files' }).add(toolkit, { prefix: 'app' });
 * const tools = await registry.promises.toolsForLlm({ format: 'anthropic' });
 * ```
 */
export class Registry implements ToolProvider {
  readonly tellsEvents = true;
  readonly #mounts: Mounts;
  readonly #llm: LlmTools;
  readonly #owned = new Set<ToolProvider>();
  #closing: Promise<void> | undefined;

  /** The same methods, returning Promises. */
  readonly promises: ProviderPromises<RegistryDeclareOptions> = new ProviderPromises(this);

  /** Throws `OptionError`. */
  constructor(options: RegistryOptions = {}) {
    checkRegistryOptions(options);
    this.#mounts = new Mounts(options.separator ?? '_');
    this.#llm = new LlmTools((read) => this.listTools(read), this.#mounts.router);
    offerBackend(this, this.#mounts.router, Registry.prototype);
  }

  /**
   * The tools of all providers that have `tools$`, under their names: as soon as those of one are known, and again after
   * each change, also of the providers. One whose list fails has none. Connects its providers; shared, with a replay of
   * the latest to those who come later; completes at `close()`, never errors.
   */
  get tools$(): Observable<readonly Tool[]> {
    return this.#mounts.tools$;
  }

  /** Adds a provider, and returns the registry. Throws an `OptionError` where the prefix is taken. */
  add(provider: ToolProvider, options: AddOptions): this {
    if (this.#closing !== undefined) throw new TransportClosedError('the registry is closed');
    if (!isObject(options)) throw new OptionError('options', 'give an object with a prefix');
    const { owned = false, ...mount } = options;
    boolean(owned, 'owned');
    this.#mounts.add(provider, mount);
    if (owned) this.#owned.add(provider);
    return this;
  }

  /** Takes a provider out, and returns it; nothing if there is none. It is not closed. Calls that are under way go on. */
  remove(prefix: string): ToolProvider | undefined {
    const provider = this.#mounts.remove(prefix);
    if (provider !== undefined && !this.#mounts.all.some((mount) => mount.provider === provider)) {
      this.#owned.delete(provider);
    }
    return provider;
  }

  /** The providers by prefix, in the order in which they were added. */
  providers(): ReadonlyMap<string, ToolProvider> {
    return new Map(this.#mounts.all.map(({ prefix, provider }) => [prefix, provider]));
  }

  /**
   * The tools of all providers as declarations for a model, as a client's. Errors where a provider cannot say what it has,
   * with what that raised; with `partial: true` it goes without, and `onMissing` tells who is missing.
   */
  toolsForLlm<F extends LlmFormat = 'openai'>(options: RegistryDeclareOptions<F> = {}): Observable<DeclarationsOf<F>> {
    return this.#llm.declare(options, {
      check: checkRegistryDeclareOptions,
      list: (read) =>
        this.#mounts.router.list(read, options.partial === true ? (options.onMissing ?? ignore) : undefined),
    });
  }

  /** Makes the calls of a model, each by its provider; otherwise as a client's. */
  executeToolCalls<C, O extends BatchOptions = BatchResultOptions>(
    calls: readonly C[] | null | undefined,
    options?: O,
  ): Observable<BatchEmission<C, O>> {
    return this.#llm.execute(calls, options);
  }

  /** The tools of all providers as MCP has them, under their names. Emits them once. Errors as {@link toolsForLlm}. */
  listTools(options: ReadOptions = {}): Observable<readonly Tool[]> {
    return this.#mounts.router.list(options);
  }

  /** The same without asking again, as far as what is known is good. Goes without the providers that cannot say. */
  knownTools(): Observable<readonly Tool[]> {
    return this.#mounts.router.known(ignore);
  }

  /**
   * The same tools for a model that is not to read of all of them at once: a provider of three tools, which search, describe
   * and call. For the thousands of tools that no prompt should hold. Adding and removing providers goes on here.
   */
  searchable(): Toolkit {
    return searchable(this);
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
    this.#mounts.close();
    await Promise.allSettled(
      [...this.#owned].map(async (provider) => {
        const { close } = provider as { readonly close?: unknown };
        if (typeof close === 'function') await close.call(provider);
      }),
    );
  }
}
