import { defer, map, type Observable } from 'rxjs';
import {
  type BatchEmission,
  type BatchOptions,
  type BatchResultOptions,
  type DeclarationsOf,
  type DeclareOptions,
  type LlmFormat,
  LlmTools,
  type McpClient,
} from '../../bridge/index.js';
import type { CallEvent, EventOptions, ReadOptions, ResultOptions } from '../../client/index.js';
import { OptionError } from '../../errors/index.js';
import type {
  CallToolResult,
  GetPromptResult,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplate,
  Tool,
} from '../../protocol/schemas/index.js';
import { bounded, tellTimeout } from './calls.js';
import type { ManagedBackend } from './managed-backend.js';
import type { ManagedTools } from './managed-tools.js';
import type { SideLists } from './side-lists.js';

/** What the calls of a managed server are made with. */
export interface CallParts {
  readonly client: McpClient;
  readonly tools: () => ManagedTools;
  readonly sides: SideLists;
  readonly backend: ManagedBackend;
  readonly callTimeoutMs: number | undefined;
  /** Throws where the server is not connected. */
  readonly requireUp: () => void;
  readonly strip: <T>(result: T) => T;
}

/** What is not known is asked of the server, as the live list is: those who ask at the same time share the answer. */
const ANEW = { refresh: true } as const;

/**
 * What can be asked of a managed server. All are cold Observables, as those of a client: each subscriber asks anew, one
 * value and completion, unsubscribing gives the request up. They error as there, and where the server is not connected with
 * a `TransportClosedError` that says why, of a request that was not sent. While a server that died is started again, they wait for it.
 */
export abstract class ManagedCalls {
  readonly #parts: CallParts;
  readonly #llm: LlmTools;

  constructor(parts: CallParts) {
    this.#parts = parts;
    this.#llm = new LlmTools((read) => this.listTools(read), parts.backend);
  }

  /**
   * The tools that are offered, under the names they appear by: as they are known, but after a change notice, and with
   * `refresh`, as the server lists them now.
   */
  listTools(options: ReadOptions = {}): Observable<readonly Tool[]> {
    const { client } = this.#parts;
    const list = (): Observable<readonly Tool[]> =>
      options.refresh === true ? client.listTools(options) : client.knownTools({ ...options, ...ANEW });
    return this.#whenUp(list).pipe(map((list) => [...this.#parts.tools().named(list)]));
  }

  /** The same array as long as they are the same. */
  knownTools(): Observable<readonly Tool[]> {
    return this.#whenUp(() => this.#parts.client.knownTools(ANEW)).pipe(map((list) => this.#parts.tools().named(list)));
  }

  /** The prompts: listed on first use, and anew after a change. Empty where they cannot be listed. */
  listPrompts(): Observable<readonly Prompt[]> {
    return this.#whenUp(() => this.#parts.sides.prompts.read()).pipe(map((list) => [...list]));
  }

  /** The resources, as {@link listPrompts}. The user interfaces of tools (`ui://`, `text/html;profile=mcp-app`) are left out. */
  listResources(): Observable<readonly Resource[]> {
    return this.#whenUp(() => this.#parts.sides.resources.read()).pipe(map((list) => [...list]));
  }

  /** The resource templates, as {@link listResources}. */
  listResourceTemplates(): Observable<readonly ResourceTemplate[]> {
    return this.#whenUp(() => this.#parts.sides.templates.read()).pipe(map((list) => [...list]));
  }

  /**
   * Calls a tool, by the name it appears by or by the server's own. **Each subscriber runs it.** The whole call is bounded
   * by the `timeout` of the entry, else by `MCP_TOOL_TIMEOUT`, else by the client's defaults; `options` go before these. One
   * that runs out is cancelled at the server, and is a `TimeoutError`: `MCP tool call timed out after N s`. A tool
   * that is not offered is an `OptionError`, and nothing is sent. MCP 2026-07-28 server/tools.
   */
  callTool(
    name: string,
    args: Readonly<Record<string, unknown>> | undefined,
    options: EventOptions,
  ): Observable<CallEvent<CallToolResult>>;
  callTool(name: string, args?: Readonly<Record<string, unknown>>, options?: ResultOptions): Observable<CallToolResult>;
  callTool(
    name: string,
    args?: Readonly<Record<string, unknown>>,
    options?: EventOptions | ResultOptions,
  ): Observable<CallToolResult | CallEvent<CallToolResult>> {
    const { client, tools, callTimeoutMs, strip } = this.#parts;
    const stripped = (event: CallEvent<CallToolResult>): CallEvent<CallToolResult> =>
      event.kind === 'result' ? { ...event, result: strip(event.result) } : event;
    const call$ = this.#whenUp((): Observable<CallToolResult | CallEvent<CallToolResult>> => {
      const target = typeof name === 'string' ? tools().target(name) : name;
      if (target === undefined) {
        throw new OptionError('name', `the tool ${JSON.stringify(name)} is not offered here: see toolNames`);
      }
      const terms = bounded(options, callTimeoutMs);
      // Which of the two it is says the option, and no member of a result: a server gives those the names it likes.
      return terms?.observe === 'events'
        ? client.callTool(target, args, terms).pipe(map(stripped))
        : client.callTool(target, args, terms).pipe(map(strip));
    });
    return call$.pipe(tellTimeout());
  }

  /** Renders a prompt, bounded as {@link callTool}. MCP 2026-07-28 server/prompts. */
  getPrompt(
    name: string,
    args?: Readonly<Record<string, string>>,
    options?: ResultOptions,
  ): Observable<GetPromptResult> {
    const { client, callTimeoutMs, strip } = this.#parts;
    return this.#whenUp(() => client.getPrompt(name, args, bounded(options, callTimeoutMs))).pipe(map(strip));
  }

  /** Reads a resource, bounded as {@link callTool}. MCP 2026-07-28 server/resources. */
  readResource(uri: string, options?: ResultOptions): Observable<ReadResourceResult> {
    const { client, callTimeoutMs, strip } = this.#parts;
    return this.#whenUp(() => client.readResource(uri, bounded(options, callTimeoutMs))).pipe(map(strip));
  }

  /** The tools as declarations for a model, as `McpClient.toolsForLlm`. */
  toolsForLlm<F extends LlmFormat = 'openai'>(options: DeclareOptions<F> = {}): Observable<DeclarationsOf<F>> {
    return this.#llm.declare(options);
  }

  /**
   * Makes the calls of a model, as `McpClient.executeToolCalls`: never errors because of a call. Each is bounded as
   * {@link callTool}, and what a model reads of its result by the `maxOutputTokens` of the entry; `raw` is whole.
   */
  executeToolCalls<C, O extends BatchOptions = BatchResultOptions>(
    calls: readonly C[] | null | undefined,
    options?: O,
  ): Observable<BatchEmission<C, O>> {
    return this.#llm.execute(calls, options);
  }

  #whenUp<T>(ask: () => Observable<T>): Observable<T> {
    return defer(() => {
      this.#parts.requireUp();
      return ask();
    });
  }
}
