import type { Observable } from 'rxjs';
import { requireText } from '../../client/arguments.js';
import { type Check, checkOptions } from '../../jsonrpc/checks.js';
import type { BridgeOptions, ReadOptions } from '../../client/index.js';
import { BRIDGE_CHECKS } from '../../client/options.js';
import type { Tool } from '../../protocol/schemas/index.js';
import type { BatchOptions } from '../batch-options.js';
import type { DeclareOptions } from '../declaring.js';
import type { DeclarationsOf } from '../formats/index.js';
import { type BatchEmission, LlmTools } from '../llm-tools.js';
import { offerBackend } from '../own-backend.js';
import { type BatchResultOptions, ProviderPromises } from '../promises.js';
import type { LlmFormat, ToolProvider } from '../provider.js';
import { type MountOptions, Mounts } from '../router/mounts.js';
import type { AnySchema, ToolDefinition, ToolHandler } from './definition.js';
import { localProvider } from './local-provider.js';
import { LIMIT_CHECKS, type LocalLimits, LocalTools } from './local-tools.js';

/** Options of a toolkit. An unknown one is an `OptionError` that names it. */
export interface ToolkitOptions extends LocalLimits, BridgeOptions {
  /** What it is called, for people. */
  readonly name: string;
}

const CHECKS: Readonly<Record<keyof ToolkitOptions, Check>> = {
  name: requireText,
  ...LIMIT_CHECKS,
  ...BRIDGE_CHECKS,
};

/**
 * Tools in this process, for a model: what a server's tools are, without a server.
 *
 * ```ts
 * const toolkit = new Toolkit({ name: 'sums' }).tool(
 *   'add',
 *   { description: 'Adds two numbers', input: z.object({ a: z.number(), b: z.number() }) },
 *   ({ a, b }) => ({ sum: a + b }),
 * );
 * ```
 */
export class Toolkit implements ToolProvider {
  readonly tellsEvents = true;
  /** What it is called, for people. */
  readonly name: string;
  /** The tools of its own, as a client has a server's. */
  readonly source: LocalTools;
  readonly #mounts: Mounts;
  readonly #llm: LlmTools;

  /** The same methods, returning Promises. */
  readonly promises: ProviderPromises = new ProviderPromises(this);

  /** Throws an `OptionError` where an option is unknown or cannot be used. */
  constructor(options: ToolkitOptions) {
    checkOptions(options, CHECKS, 'options');
    const { name, overlap, toolConcurrency, ...limits } = options;
    requireText(name, 'name');
    this.name = name;
    this.source = new LocalTools(limits);
    this.#mounts = new Mounts('_', [
      { prefix: '', provider: localProvider(this.source, { overlap, toolConcurrency }) },
    ]);
    this.#llm = new LlmTools((read) => this.listTools(read), this.#mounts.router);
    offerBackend(this, this.#mounts.router, Toolkit.prototype);
  }

  /** Its own tools and those that are plugged in: now, and after every change. Never completes, never errors. */
  get tools$(): Observable<readonly Tool[]> {
    return this.#mounts.tools$;
  }

  /**
   * Adds a tool, and returns the toolkit. Throws an `OptionError` that names the culprit: a name that is taken, an option
   * that cannot be used, a schema whose library makes no JSON Schema (then give `inputJsonSchema`).
   */
  tool<Input extends AnySchema | undefined = undefined, Output extends AnySchema | undefined = undefined>(
    name: string,
    definition: ToolDefinition<Input, Output>,
    handler: ToolHandler<Input, Output>,
  ): this {
    this.source.add(name, definition, handler);
    return this;
  }

  /**
   * Takes the tools of another provider in, under names that begin with a prefix, exactly as a registry does; and returns
   * the toolkit. Throws an `OptionError` where the prefix is taken. It is not closed with anything.
   */
  plug(provider: ToolProvider, options: MountOptions): this {
    this.#mounts.add(provider, options);
    return this;
  }

  /** Its tools, as a server would list them. Emits them once; errors where a provider that is plugged in cannot say. */
  listTools(options: ReadOptions = {}): Observable<readonly Tool[]> {
    return this.#mounts.router.list(options);
  }

  /** The same without asking again, as far as what is known is good. Goes without providers that cannot say. */
  knownTools(): Observable<readonly Tool[]> {
    return this.#mounts.router.known(() => undefined);
  }

  /** Its tools as declarations for a model, as a client's. */
  toolsForLlm<F extends LlmFormat = 'openai'>(options: DeclareOptions<F> = {}): Observable<DeclarationsOf<F>> {
    return this.#llm.declare(options);
  }

  /** Makes the calls of a model; otherwise as a client's. Annotations are believed: they are the application's own. */
  executeToolCalls<C, O extends BatchOptions = BatchResultOptions>(
    calls: readonly C[] | null | undefined,
    options?: O,
  ): Observable<BatchEmission<C, O>> {
    return this.#llm.execute(calls, options);
  }
}
