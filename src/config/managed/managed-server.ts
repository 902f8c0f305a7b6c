import { filter, type Observable, skip } from 'rxjs';
import { type McpClient, offerBackend, type ToolProvider } from '../../bridge/index.js';
import { checkOptions } from '../../jsonrpc/checks.js';
import type {
  CallToolResult,
  ContentBlock,
  Implementation,
  Prompt,
  Resource,
  Tool,
} from '../../protocol/schemas/index.js';
import { messageOf, OptionError } from '../../errors/index.js';
import { guarded } from '../../rx/index.js';
import { limitContent } from '../limit-content.js';
import { type LoadOptions, readConfig } from '../load-config.js';
import type { ConfigEntry } from '../read-entry.js';
import type { ServerConfig } from '../server-config.js';
import { liveToolsOf } from './live-tools.js';
import { ManagedBackend } from './managed-backend.js';
import { ManagedCalls } from './managed-calls.js';
import { MANAGED_CHECKS, type ManagedOptions } from './options.js';
import { type ManagedParts, partsOf } from './parts.js';
import { ManagedPromises } from './promises.js';
import type { ManagedState, ManagedStatus } from './state.js';
import { commonOf, outputTokensOf } from './terms.js';

const TOOLS_CHANGED = 'notifications/tools/list_changed';

const ignore = (): void => undefined;

/**
 * One server of a config: started, watched over and started again; its tools as `mcp__KEY__TOOL`, its calls and results
 * within bounds. It is started by {@link start}, and is over with {@link stop}, for good.
 *
 * ```ts
 * await using files = ManagedServer.of('files', { command: 'files-server', args: ['.'] });
 * const { status, reason } = await files.start();
 * const result = await files.promises.callTool('mcp__files__read_file', { path: 'README.md' });
 * ```
 */
export class ManagedServer extends ManagedCalls implements ToolProvider, AsyncDisposable {
  readonly tellsEvents = true;
  /** Its key in the config. */
  readonly key: string;
  /** How it is reached; `undefined` where its entry cannot be used. */
  readonly transport: ServerConfig['transport'] | undefined;
  /** What the names of its tools begin with: `mcp__KEY__`. */
  readonly toolPrefix: string;
  /** The whole environment of its process; empty for a server behind a URL. It may hold secrets, and so is not enumerable. */
  declare readonly childEnv: Readonly<Record<string, string>>;
  /** The SHA-256, in hexadecimal, of all that its start depends on: two of the same need no restart. */
  readonly fingerprint: string;
  /**
   * The client underneath, with all its streams: the server's own names, and no bounds. It is started again as this server
   * is, and is this server's to close. Used before {@link start}, it connects by itself.
   */
  readonly client: McpClient;
  /** The state at once, then each other one; completes after `stopped`. Never errors. */
  readonly status$: Observable<ManagedState>;
  /**
   * The live list of the tools that are offered, under the names they appear by: empty unless the server is connected, kept
   * while it is started again, and again after each change. Completes after {@link stop}; never errors.
   */
  readonly tools$: Observable<readonly Tool[]>;
  /** The same methods, returning Promises. */
  readonly promises: ManagedPromises;

  readonly #options: ManagedOptions;
  readonly #parts: ManagedParts;
  /** A sentence for each callback that threw: what it threw first. */
  readonly #thrown = new Set<string>();

  /**
   * @param entry an entry of `loadConfig`; one that is disabled or cannot be used is a server that has failed, and says why
   * @throws OptionError
   */
  constructor(entry: ConfigEntry, options: ManagedOptions = {}) {
    checkOptions(options, MANAGED_CHECKS, 'options');
    const parts = partsOf(entry, options);
    const { client, offer, sides, supervisor, terms, strip, requireUp } = parts;
    const { callTimeoutMs } = terms;
    const backend = new ManagedBackend({
      inner: parts.backend,
      tools: () => offer.tools,
      requireUp,
      callTimeoutMs,
      overlap: () => offer.terms.overlap,
      strip,
      limit: (result) => this.#limited(result),
    });
    super({ client, tools: () => offer.tools, sides, backend, callTimeoutMs, requireUp, strip });
    this.#options = options;
    this.#parts = parts;
    this.key = entry.key;
    this.transport = entry.state === 'usable' ? entry.server.transport : undefined;
    this.toolPrefix = terms.toolPrefix;
    Object.defineProperty(this, 'childEnv', { value: terms.childEnv, enumerable: false });
    this.fingerprint = terms.fingerprint;
    this.client = client;
    this.status$ = supervisor.state$;
    this.tools$ = liveToolsOf(client, supervisor, offer);
    this.promises = new ManagedPromises(this);
    offerBackend(this, backend, ManagedCalls.prototype);
    this.#tell();
  }

  /**
   * A server that is in no file: its entry as one would stand there.
   * @throws OptionError
   */
  static of(key: string, entry: object, options: ManagedOptions & Pick<LoadOptions, 'home'> = {}): ManagedServer {
    const { home, ...managed } = options;
    const { baseEnv: env, projectDir, plugin } = managed;
    const { entries } = readConfig({ mcpServers: { [key]: entry } }, { env, projectDir, plugin, home });
    const [own] = entries;
    if (own === undefined) throw new OptionError('key', 'give the name of the server');
    return new ManagedServer(own, managed);
  }

  /** What it is called: its own title or name, once it is known; else its key. */
  get name(): string {
    return this.serverInfo?.title ?? this.serverInfo?.name ?? this.key;
  }

  /** How it is at the moment. */
  get status(): ManagedStatus {
    return this.#parts.supervisor.state.status;
  }

  /** Why it failed, or is being started again, with the last line of stderr; `undefined` where there is nothing to say. */
  get reason(): string | undefined {
    return this.#parts.supervisor.state.reason;
  }

  /** The tools that are offered, under the names they appear by: copies; none unless it is connected. */
  get tools(): Tool[] {
    return this.#ifConnected(this.#parts.offer.tools.latest);
  }

  /** Their names. */
  get toolNames(): string[] {
    return this.tools.map(({ name }) => name);
  }

  /** The prompts, as far as they were listed: copies; none unless it is connected. */
  get prompts(): Prompt[] {
    return this.#ifConnected(this.#parts.sides.prompts.known);
  }

  /** The resources, as {@link prompts}. */
  get resources(): Resource[] {
    return this.#ifConnected(this.#parts.sides.resources.known);
  }

  /** Whether the server says that it has prompts; false before it was connected. */
  get hasPrompts(): boolean {
    return this.#parts.supervisor.server?.capabilities.prompts !== undefined;
  }

  /** Whether the server says that it has resources; false before it was connected. */
  get hasResources(): boolean {
    return this.#parts.supervisor.server?.capabilities.resources !== undefined;
  }

  /** What is not as it should be: odd variables, tools whose names meet, names in the entry that no tool has, and callbacks that threw. */
  get warnings(): readonly string[] {
    return [...this.#parts.terms.warnings, ...this.#parts.offer.tools.warnings, ...this.#thrown];
  }

  /** The revision that is spoken, once it was connected. */
  get protocolVersion(): string | undefined {
    return this.#parts.supervisor.server?.protocolVersion;
  }

  /** Who the server says it is, once it was connected. */
  get serverInfo(): Implementation | undefined {
    return this.#parts.supervisor.server?.info;
  }

  /** How the server says that it is to be used. */
  get instructions(): string | undefined {
    return this.#parts.supervisor.server?.instructions;
  }

  /** The process of the server; `undefined` while there is none. */
  get pid(): number | undefined {
    return this.#parts.gate.pid;
  }

  /** The last lines that the server wrote to stderr, without the secrets of its entry; at most 20. */
  get stderrTail(): string {
    return this.#parts.stderr.text;
  }

  /** The server's own name of the tool that appears, or lately did, under this name; `undefined` where there is none. */
  originalName(name: string): string | undefined {
    return this.#parts.offer.tools.original(name);
  }

  /**
   * Starts the server: handshake and first list of tools within `startupTimeoutMs`. Resolves with what became of it, and
   * never rejects: `connected`, `failed` with a reason and its process gone, or `stopped`. It is started once: later calls
   * share it, whatever became of it. From then on it is started again after each death.
   */
  start(): Promise<ManagedState> {
    return this.#parts.supervisor.start();
  }

  /**
   * Ends the server for good: its stdin is closed, after `killGraceMs` it and what it started get SIGTERM, after as long
   * again SIGKILL; the session of a server behind a URL is deleted. Resolves when that is done, and never rejects.
   */
  stop(): Promise<void> {
    return this.#parts.supervisor.stop();
  }

  /** Ends its process, and what that started, before it returns; then as {@link stop}. For the last moment of a program. */
  killNow(): void {
    this.#parts.gate.killNow();
    void this.stop();
  }

  /** As {@link stop}: what owns a provider, such as a registry, ends it by this. */
  close(): Promise<void> {
    return this.stop();
  }

  /** `await using server = …` stops it at the end of the block. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /**
   * Takes over what may change while a server runs, from an entry whose server has the same fingerprint: which tools are
   * offered, which calls may overlap, and how long results may be.
   */
  adopt(entry: ConfigEntry): void {
    this.#parts.offer.adopt(commonOf(entry));
  }

  /**
   * The content of a result as a model can bear it: text over the `maxOutputTokens` of the entry (else
   * `MAX_MCP_OUTPUT_TOKENS`, else 25 000) is cut, with a note of how much there was and how to raise it; with an image it
   * passes whole; a long failure keeps 5 000 characters at each end.
   */
  limitContent(content: readonly ContentBlock[], isError: boolean): readonly ContentBlock[] {
    const maxOutputTokens = outputTokensOf(this.#parts.offer.terms, this.#options);
    return limitContent(content, isError, { maxOutputTokens, countTokens: this.#options.countTokens });
  }

  #limited(result: CallToolResult): CallToolResult {
    const content = this.limitContent(result.content, result.isError === true);
    return content === result.content ? result : { ...result, content: [...content] };
  }

  #ifConnected<T>(list: readonly T[]): T[] {
    return this.status === 'connected' ? [...list] : [];
  }

  #threw(callback: string): (reason: unknown) => void {
    return (reason) => {
      const told = `${callback} threw`;
      if (![...this.#thrown].some((one) => one.startsWith(told))) this.#thrown.add(`${told}: ${messageOf(reason)}`);
    };
  }

  /** Tells the application what happens, and follows the tools. */
  #tell(): void {
    let isTold = true;
    const { onStatus = ignore, onToolsChanged = ignore } = this.#options;
    this.status$.pipe(skip(1)).subscribe({
      next: (state) => {
        // Of what changes with a death there is no notice.
        if (state.restarts > 0 && state.status === 'starting') isTold = false;
        guarded((told: ManagedState) => onStatus(told, this), state, this.#threw('onStatus'));
      },
      error: ignore,
    });
    const changed = (): void => {
      isTold = true;
      // Before it is connected there is nothing to change.
      if (this.#parts.supervisor.isUp) guarded(onToolsChanged, this as ManagedServer, this.#threw('onToolsChanged'));
    };
    this.client.notifications$.pipe(filter(({ method }) => method === TOOLS_CHANGED)).subscribe({
      next: changed,
      error: ignore,
    });
    // By being looked at it has the server tell of changes, and brings what is known up to date.
    this.tools$.subscribe({
      next: () => {
        // After a death they may have changed without a notice.
        if (!isTold) changed();
        isTold = !this.#parts.supervisor.isUp;
      },
      error: ignore,
    });
  }
}
