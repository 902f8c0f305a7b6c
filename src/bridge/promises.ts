import { defer, firstValueFrom, type Observable } from 'rxjs';
import type { ReadOptions } from '../client/index.js';
import { CallPromises, withoutEvents } from '../client/promises.js';
import type { Tool, ToolAnnotations } from '../protocol/schemas/index.js';
import type { BatchOptions } from './batch-options.js';
import type { DeclareOptions } from './declaring.js';
import type { AnswerTo, DeclarationsOf } from './formats/index.js';
import type { McpClient } from './mcp-client.js';
import type { LlmFormat } from './provider.js';

/** Options of a batch of which the results are wanted. */
export interface BatchResultOptions extends BatchOptions {
  readonly observe?: 'results' | undefined;
}

/** A provider whose two methods are Observables. */
interface LlmProvider<D extends DeclareOptions> {
  toolsForLlm<F extends LlmFormat = 'openai'>(options?: D & DeclareOptions<F>): Observable<DeclarationsOf<F>>;
  executeToolCalls<C>(calls: readonly C[] | null | undefined, options?: BatchResultOptions): Observable<AnswerTo<C>[]>;
  listTools(options?: ReadOptions): Observable<readonly Tool[]>;
}

/** The methods of a provider of tools, each returning a Promise: it resolves with the one value of the Observable. */
export class ProviderPromises<D extends DeclareOptions = DeclareOptions> {
  readonly #provider: LlmProvider<D>;

  /** @param provider whose methods these are */
  constructor(provider: LlmProvider<D>) {
    this.#provider = provider;
  }

  /** The declarations of the tools. */
  toolsForLlm<F extends LlmFormat = 'openai'>(options?: D & DeclareOptions<F>): Promise<DeclarationsOf<F>> {
    return firstValueFrom(this.#provider.toolsForLlm(options));
  }

  /** Makes the calls once. */
  executeToolCalls<C>(calls: readonly C[] | null | undefined, options?: BatchResultOptions): Promise<AnswerTo<C>[]> {
    return firstValueFrom(defer(() => this.#provider.executeToolCalls(calls, withoutEvents(options))));
  }

  /** The tools as MCP has them. */
  listTools(options?: ReadOptions): Promise<readonly Tool[]> {
    return firstValueFrom(this.#provider.listTools(options));
  }
}

/**
 * The methods of {@link McpClient}, each returning a Promise: it resolves with the one value of the Observable, and
 * rejects with its error. `options.signal` gives a call up: the Promise rejects with a `CancelledError` whose `cause`
 * is the signal's reason, and the server is told, though not the reason. What is said of each method there holds here.
 */
export class ClientPromises extends CallPromises {
  readonly #client: McpClient;

  /** @param client whose methods these are */
  constructor(client: McpClient) {
    super(client);
    this.#client = client;
  }

  /** See {@link McpClient.toolsForLlm}. */
  toolsForLlm<F extends LlmFormat = 'openai'>(options?: DeclareOptions<F>): Promise<DeclarationsOf<F>> {
    return firstValueFrom(this.#client.toolsForLlm(options));
  }

  /** Makes the calls once. See {@link McpClient.executeToolCalls}. */
  executeToolCalls<C>(calls: readonly C[] | null | undefined, options?: BatchResultOptions): Promise<AnswerTo<C>[]> {
    return firstValueFrom(defer(() => this.#client.executeToolCalls(calls, withoutEvents(options))));
  }

  /** See {@link McpClient.toolAnnotations}. */
  toolAnnotations(name: string): Promise<ToolAnnotations | undefined> {
    return firstValueFrom(this.#client.toolAnnotations(name));
  }
}
