import { map, type Observable } from 'rxjs';
import { ClientCalls } from '../client/client.js';
import type { CallEvent, ClientOptions, TrustAnnotations } from '../client/index.js';
import type { Negotiate } from '../protocol/index.js';
import type { CallToolResult, ToolAnnotations } from '../protocol/schemas/index.js';
import type { Connector } from '../transport/index.js';
import type { BatchOptions } from './batch-options.js';
import type { DeclareOptions } from './declaring.js';
import type { DeclarationsOf } from './formats/index.js';
import type { BatchEmission } from './llm-tools.js';
import { ModelSide } from './model-side.js';
import { offerBackends } from './own-backend.js';
import { type BatchResultOptions, ClientPromises } from './promises.js';
import type { LlmFormat, ToolProvider } from './provider.js';
import type { SourceCall, ToolSource } from './source.js';

/**
 * A client of one MCP server, of either protocol era; and its tools for a model. What {@link ClientCalls} says of its
 * methods holds here. Their twins in {@link McpClient.promises} return Promises.
 */
export class McpClient extends ClientCalls implements ToolProvider {
  static {
    offerBackends(McpClient.prototype, (client) => client.#forModels.backend);
  }

  readonly tellsEvents = true;
  /** The same methods, returning Promises. */
  readonly promises: ClientPromises;
  // Made with the first use: many clients are no model's.
  #side: ModelSide | undefined;

  /** Use `connect` and its kin. Throws `OptionError`. */
  constructor(
    connector: Connector,
    options: ClientOptions = {},
    trustAnnotations: TrustAnnotations = 'overlap',
    transportOptions: readonly string[] = [],
    negotiate?: Negotiate,
  ) {
    super(connector, options, trustAnnotations, transportOptions, negotiate);
    this.promises = new ClientPromises(this);
  }

  /**
   * The server's tools as declarations for a model: sorted by name, the same bytes as long as the tools are the same, with
   * names and schemas that the API takes. Emits them once and completes. A tool that cannot be declared is left out, and
   * costs no other; `report` tells. Errors like `listTools`. MCP 2026-07-28 server/tools.
   */
  toolsForLlm<F extends LlmFormat = 'openai'>(options: DeclareOptions<F> = {}): Observable<DeclarationsOf<F>> {
    return this.#forModels.use(({ llm }) => llm.declare(options));
  }

  /**
   * Makes the calls of a model and answers each in its place and its shape. **Each subscriber makes them.** `calls` are
   * those of OpenAI (chat completions and responses), Anthropic, Gemini and the AI SDK as they came, or in no vendor's
   * shape `{ id, name, arguments }`. Emits the answers once and completes; with `observe: 'events'` emits
   * {@link ToolCallEvent}s. Never errors because of a call: what is malformed, unknown, refused, lost or out of time is the
   * answer to that call. Errors with `OptionError`, and with `CancelledError` where `signal` is aborted. Calls run one after
   * another, but beside each other where `overlap` says that it does no harm. Unsubscribing gives up what runs, and what
   * waits is never sent. MCP 2026-07-28 server/tools, "Calling Tools".
   */
  executeToolCalls<C, O extends BatchOptions = BatchResultOptions>(
    calls: readonly C[] | null | undefined,
    options?: O,
  ): Observable<BatchEmission<C, O>> {
    return this.#forModels.use(({ llm }) => llm.execute(calls, options));
  }

  /** What the server says of a tool's behaviour; nothing if it says nothing or has no such tool. Asks for the list if need be. */
  toolAnnotations(name: string): Observable<ToolAnnotations | undefined> {
    return this.knownTools().pipe(map((tools) => tools.find((tool) => tool.name === name)?.annotations));
  }

  get #forModels(): ModelSide {
    if (this.#side === undefined) {
      const { overlap, toolConcurrency, trustAnnotations } = this.batchTerms;
      const source = {
        overlap,
        toolConcurrency,
        trustAnnotations,
        tools: (how) => this.knownTools(how),
        call: (name, args, how) => this.#call(name, args, how),
      } satisfies ToolSource;
      this.#side = new ModelSide(source, (read) => this.listTools(read));
    }
    return this.#side;
  }

  #call(
    name: string,
    args: Readonly<Record<string, unknown>>,
    { toolCallId, reports, ...options }: SourceCall,
  ): Observable<CallEvent<CallToolResult>> {
    if (reports) return this.callFor(toolCallId, name, args, { ...options, observe: 'events' });
    return this.callFor(toolCallId, name, args, options).pipe(map((result) => ({ kind: 'result', result })));
  }
}
