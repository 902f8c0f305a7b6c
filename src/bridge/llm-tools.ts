import { defer, map, type Observable } from 'rxjs';
import type { ReadOptions } from '../client/index.js';
import type { Tool } from '../protocol/schemas/index.js';
import type { Backend } from './backend.js';
import { executeBatch } from './batch.js';
import type { BatchOptions } from './batch-options.js';
import { checkDeclareOptions, declared, type DeclareOptions } from './declaring.js';
import type { ToolCallEvent } from './events.js';
import type { AnswerTo, DeclarationsOf, FormatOfCall } from './formats/index.js';
import type { LlmFormat } from './provider.js';

/** What a batch emits: all answers at once, or events. */
export type BatchEmission<C, O> = O extends { readonly observe: 'events' }
  ? ToolCallEvent<FormatOfCall<C>>
  : O extends { readonly observe?: 'results' | undefined }
    ? AnswerTo<C>[]
    : AnswerTo<C>[] | ToolCallEvent<FormatOfCall<C>>;

/** The two sides of a provider: its tools declared to a model, and the calls of the model made. */
export class LlmTools {
  readonly #list: (options: ReadOptions) => Observable<readonly Tool[]>;
  readonly #backend: Backend;

  /** @param list reads the tools, as the options of a list say */
  constructor(list: (options: ReadOptions) => Observable<readonly Tool[]>, backend: Backend) {
    this.#list = list;
    this.#backend = backend;
  }

  /** Emits the declarations once, and completes. Errors with `OptionError`, and with what the list raised. */
  declare<F extends LlmFormat = 'openai'>(
    options: DeclareOptions<F>,
    { check = checkDeclareOptions, list = this.#list } = {},
  ): Observable<DeclarationsOf<F>> {
    return defer(() => {
      check(options);
      const { refresh, timeoutMs, signal } = options;
      return list({ refresh, timeoutMs, signal }).pipe(
        map((tools) => {
          this.#backend.declared?.(tools);
          return declared(tools, options);
        }),
      );
    });
  }

  /** See {@link executeBatch}. */
  execute<C, O extends BatchOptions>(
    calls: readonly C[] | null | undefined,
    options?: O,
  ): Observable<BatchEmission<C, O>> {
    // The shape of the answers follows from that of the calls, which only the types know.
    return executeBatch(calls, options ?? {}, this.#backend) as Observable<unknown> as Observable<BatchEmission<C, O>>;
  }
}
