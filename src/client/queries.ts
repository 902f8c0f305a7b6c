import { catchError, defer, map, type Observable, of, throwError } from 'rxjs';
import { ProtocolError } from '../errors/index.js';
import type { Era, ServerDescription } from '../protocol/index.js';
import type {
  CompleteResult,
  GetPromptResult,
  Prompt,
  PromptReference,
  ReadResourceResult,
  Resource,
  ResourceTemplate,
  ResourceTemplateReference,
  Tool,
} from '../protocol/schemas/index.js';
import { type Part, part } from '../rx/index.js';
import type { LogLevel } from '../session/index.js';
import type { EventOptions, ResultOptions } from './ask.js';
import type { CallOptions, ReadOptions } from './call-options.js';
import type { CallEvent } from './events.js';
import type { ListKind } from './list-kind.js';
import { readList, readTools } from './lists.js';
import type { ClientParts } from './parts.js';
import { ClientStreams } from './streams.js';

/** What is asked of a server besides its tools, and never of many. */
export const beyondTools: Part<typeof import('./beyond-tools.js')> = /* @__PURE__ */ part(
  () => import('./beyond-tools.js'),
);

/** The questions a client can ask of its server; see `McpClient` for what holds of all of them. */
export abstract class ClientQueries extends ClientStreams {
  readonly #parts: ClientParts;

  constructor(parts: ClientParts) {
    super(parts);
    this.#parts = parts;
  }

  /**
   * What is known of the server: era, revision, versions it named, identity, capabilities, instructions.
   * Connects, and sends nothing more. MCP 2026-07-28 server/discover; 2025-11-25 basic/lifecycle.
   */
  server(options?: CallOptions): Observable<ServerDescription> {
    return this.#parts.requests.ready('server()', options).pipe(map(({ agreement }) => agreement.server));
  }

  /** The era the server is spoken to in. Connects. MCP 2026-07-28 basic/versioning. */
  era(options?: CallOptions): Observable<Era> {
    return this.server(options).pipe(map(({ era }) => era));
  }

  /**
   * All tools, as one array after the last page; a malformed tool is mended or left out with a warning. A server
   * that declared no tools has an empty list. `timeoutMs` is for each page. MCP 2026-07-28 server/tools.
   */
  listTools(options?: ReadOptions): Observable<Tool[]> {
    return defer(() => {
      if (options?.refresh === true) this.#parts.listed?.drop();
      return readTools(this.#parts, options);
    }).pipe(map(({ entries }) => entries));
  }

  /** All prompts; see {@link listTools}. MCP 2026-07-28 server/prompts. */
  listPrompts(options?: ReadOptions): Observable<Prompt[]> {
    return this.#list(({ PROMPTS }) => PROMPTS, options);
  }

  /** All resources; see {@link listTools}. MCP 2026-07-28 server/resources. */
  listResources(options?: ReadOptions): Observable<Resource[]> {
    return this.#list(({ RESOURCES }) => RESOURCES, options);
  }

  /** All resource templates; see {@link listTools}. MCP 2026-07-28 server/resources. */
  listResourceTemplates(options?: ReadOptions): Observable<ResourceTemplate[]> {
    return this.#list(({ RESOURCE_TEMPLATES }) => RESOURCE_TEMPLATES, options);
  }

  /** Reads a resource. With `observe: 'events'` emits {@link CallEvent}s, the result last. MCP 2026-07-28 server/resources. */
  readResource(uri: string, options: EventOptions): Observable<CallEvent<ReadResourceResult>>;
  readResource(uri: string, options?: ResultOptions): Observable<ReadResourceResult>;
  readResource(
    uri: string,
    options?: EventOptions | ResultOptions,
  ): Observable<ReadResourceResult | CallEvent<ReadResourceResult>> {
    return beyondTools.use(({ readResource }) => readResource(this.#parts, uri, options));
  }

  /** Renders a prompt. With `observe: 'events'` emits {@link CallEvent}s, the result last. MCP 2026-07-28 server/prompts. */
  getPrompt(
    name: string,
    args: Readonly<Record<string, string>> | undefined,
    options: EventOptions,
  ): Observable<CallEvent<GetPromptResult>>;
  getPrompt(
    name: string,
    args?: Readonly<Record<string, string>>,
    options?: ResultOptions,
  ): Observable<GetPromptResult>;
  getPrompt(
    name: string,
    args?: Readonly<Record<string, string>>,
    options?: EventOptions | ResultOptions,
  ): Observable<GetPromptResult | CallEvent<GetPromptResult>> {
    return beyondTools.use(({ getPrompt }) => getPrompt(this.#parts, name, args, options));
  }

  /**
   * Suggests values for an argument of a prompt or a resource template.
   * @param context the values already chosen for other arguments (2025-06-18 and later)
   * MCP 2026-07-28 server/utilities/completion.
   */
  complete(
    ref: PromptReference | ResourceTemplateReference,
    argument: { readonly name: string; readonly value: string },
    context?: { readonly arguments?: Readonly<Record<string, string>> | undefined },
    options?: CallOptions,
  ): Observable<CompleteResult> {
    return beyondTools.use(({ complete }) => complete(this.#parts, ref, argument, context, options));
  }

  /**
   * Whether the server answers: true, or false where it refuses the request, as some working servers do. Other
   * failures are errors; over HTTP nobody is asked for an authorization. Legacy: `ping`; modern, where there is none: `server/discover`. MCP 2025-11-25 basic/utilities/ping.
   */
  ping(options?: CallOptions): Observable<boolean> {
    const { connection, requests } = this.#parts;
    const ping = { method: 'ping', modernMethod: 'server/discover', background: true } as const;
    return requests.run({ ...ping, options, repeatable: () => true }).pipe(
      map(() => true),
      catchError((reason: unknown) =>
        // Without a connection it was the handshake that the server refused.
        reason instanceof ProtocolError && connection.life !== undefined ? of(false) : throwError(() => reason),
      ),
    );
  }

  /**
   * Sets the severity from which the server logs, now and after a restart; emits `undefined`. Legacy:
   * `logging/setLevel`, or `UnsupportedFeatureError` where the server declared no logging; modern: nothing is
   * sent, later requests ask for it. MCP 2026-07-28 server/utilities/logging; deprecated there, and supported.
   */
  setLogLevel(level: LogLevel, options?: CallOptions): Observable<undefined> {
    return beyondTools.use(({ setLogLevel }) => setLogLevel(this.#parts, level, options));
  }

  #list<T>(
    kindOf: (module: typeof import('./beyond-tools.js')) => ListKind<T>,
    options: ReadOptions | undefined,
  ): Observable<T[]> {
    return beyondTools
      .use((module) => readList(this.#parts, kindOf(module), options))
      .pipe(map(({ entries }) => entries));
  }
}
