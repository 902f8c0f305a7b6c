import { combineLatest, concat, defer, filter, firstValueFrom, type Observable } from 'rxjs';
import type { Backend } from '../../bridge/backend.js';
import {
  type BatchEmission,
  type BatchOptions,
  type BatchResultOptions,
  type DeclarationsOf,
  type DeclareOptions,
  type LlmFormat,
  LlmTools,
  offerBackend,
  ProviderPromises,
  type ToolProvider,
} from '../../bridge/index.js';
import { abortable } from '../../client/abortable.js';
import { checkCallOptions } from '../../client/call-options.js';
import type { ReadOptions } from '../../client/index.js';
import type { Tool } from '../../protocol/schemas/index.js';
import { fileOf, type LoadOptions, surroundingsOf } from '../load-config.js';
import type { ManagedServer } from '../managed/managed-server.js';
import type { ManagedState } from '../managed/state.js';
import type { ConfigProblem } from '../problem.js';
import { Fleet } from './fleet.js';
import { Following, type Reloaded } from './following.js';
import { checkOpenOptions, type OpenOptions } from './options.js';

const DEFAULT_WATCH_DELAY_MS = 200;

const ignore = (): void => undefined;

const isSettled = ({ status }: ManagedState): boolean =>
  status === 'connected' || status === 'failed' || status === 'stopped';

/**
 * The servers of a config, running: started together, watched over, and led by the config as it changes. As a provider it
 * has the tools of all that are connected, under the names they have there: `mcp__KEY__TOOL`. See `openConfig`.
 */
export class ManagedServers implements ToolProvider, AsyncDisposable {
  readonly tellsEvents = true;
  /** The whole path of the file; `undefined` where the config came from none. */
  readonly file: string | undefined;
  /** The folder of the project. */
  readonly projectDir: string;
  /**
   * How all servers are, by their keys in the order of the config: at once, and again after each change of one. A reload
   * that changes several is told at one go. None before the config is read. Completes after {@link stop}; never errors.
   */
  readonly status$: Observable<ReadonlyMap<string, ManagedState>>;
  /** What each reading after the first has done, whoever asked for it. Hot, without replay; completes with {@link stop}. */
  readonly reloads$: Observable<Reloaded>;
  /**
   * The tools of all servers that are connected, as soon as those of one are known, and again after each change. Shared,
   * with a replay of the latest. Completes with {@link stop}; never errors.
   */
  readonly tools$: Observable<readonly Tool[]>;
  /** The same methods, returning Promises. */
  readonly promises: ProviderPromises = new ProviderPromises(this);

  readonly #fleet: Fleet;
  readonly #following: Following;
  readonly #llm: LlmTools;
  #stopping: Promise<void> | undefined;

  /** As `openConfig`. Throws an `OptionError`. */
  constructor(source: string | URL | object, options: OpenOptions = {}) {
    this.file = fileOf(source);
    checkOpenOptions(options, this.file);
    const { home, watch = false, watchDelayMs = DEFAULT_WATCH_DELAY_MS, ...managed } = options;
    const { baseEnv: env, projectDir, plugin } = managed;
    const load: LoadOptions = { env, projectDir, plugin, home };
    this.projectDir = surroundingsOf(load, this.file).projectDir;
    this.#fleet = new Fleet({ ...managed, projectDir: this.projectDir });
    this.#following = new Following(source, load, this.#fleet);
    const { mounts, statuses } = this.#fleet;
    const { opened$, reloads$ } = this.#following;
    this.status$ = statuses.status$;
    this.reloads$ = reloads$;
    this.tools$ = concat(opened$, mounts.tools$);
    const backend: Backend = { prepare: () => concat(opened$, mounts.router.prepare()) };
    this.#llm = new LlmTools((read) => this.listTools(read), backend);
    offerBackend(this, backend, ManagedServers.prototype);
    // Before it is read: whatever happens to it from then on is seen.
    if (watch && this.file !== undefined) this.#following.watch(this.file, { delayMs: watchDelayMs });
    void this.#following.read();
  }

  /** By their keys, in the order of the config: also those that have failed, but not those that are switched off. */
  get servers(): ReadonlyMap<string, ManagedServer> {
    return new Map(this.#fleet.servers);
  }

  /** The server of a key; `undefined` where there is none. */
  server(key: string): ManagedServer | undefined {
    return this.#fleet.servers.get(key);
  }

  /** The keys of the entries that are switched off. */
  get disabled(): readonly string[] {
    return this.#following.disabled;
  }

  /** How all servers are at the moment. */
  get status(): ReadonlyMap<string, ManagedState> {
    return this.#fleet.statuses.latest;
  }

  /** What is not as it should be in the config as it was last read, and whether it cannot be watched. No message holds a secret. */
  get problems(): readonly ConfigProblem[] {
    return this.#following.problems;
  }

  /**
   * Resolves as soon as the config is read, no reload is under way, and each server is connected, has failed or is stopped:
   * with how all of them are. Never rejects.
   */
  async ready(): Promise<ReadonlyMap<string, ManagedState>> {
    const settled$ = combineLatest([this.status$, this.#following.busy$]).pipe(
      filter(([states, isBusy]) => !isBusy && [...states.values()].every(isSettled)),
    );
    const settled = await firstValueFrom(settled$, { defaultValue: undefined });
    return settled?.[0] ?? this.status;
  }

  /**
   * Reads the config again. Servers that are as before go on in the same process, with what the entry now says of tools,
   * overlap and length; those that are others, or had failed, are ended and then started; those that are gone are ended. A
   * config that cannot be read changes nothing, and `problems` says why. Resolves when what was to end has ended and the
   * rest was begun; how it comes out, {@link ready} tells. Never rejects; of several at the same time one comes after the
   * other, and those that wait share the last one.
   */
  reload(): Promise<Reloaded> {
    return this.#following.read();
  }

  /** Ends all servers at once, for good, and lets the file alone. Resolves when they have ended; never rejects. Idempotent. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  /** Ends all processes, and what they started, before it returns; then as {@link stop}. For the last moment of a program. */
  killNow(): void {
    this.#fleet.killNow();
    void this.stop();
  }

  /** As {@link stop}: what owns a provider, such as a registry, ends it by this. */
  close(): Promise<void> {
    return this.stop();
  }

  /** `await using servers = openConfig(…)` stops them at the end of the block. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** The tools of all servers that are connected as declarations for a model, as a client's. */
  toolsForLlm<F extends LlmFormat = 'openai'>(options: DeclareOptions<F> = {}): Observable<DeclarationsOf<F>> {
    return this.#llm.declare(options);
  }

  /**
   * Makes the calls of a model, each by its server, otherwise as a client's. Calls for a server that is not connected have
   * results that say why.
   */
  executeToolCalls<C, O extends BatchOptions = BatchResultOptions>(
    calls: readonly C[] | null | undefined,
    options?: O,
  ): Observable<BatchEmission<C, O>> {
    return this.#llm.execute(calls, options);
  }

  /**
   * The tools of all servers that are connected, in the order of the config; of one that is being started again, those it
   * had. Emits once. Waits for the config to be read, and for no server that is being started. Errors with
   * `TransportClosedError` after {@link stop}, and with `CancelledError` where `signal` is aborted.
   */
  listTools(options: ReadOptions = {}): Observable<readonly Tool[]> {
    return defer(() => {
      checkCallOptions(options);
      const list$ = this.#fleet.mounts.router.list(options, ignore);
      return concat(this.#following.opened$, list$).pipe(abortable(options.signal, 'tools/list'));
    });
  }

  /** The same without asking again, as far as what is known is good. */
  knownTools(): Observable<readonly Tool[]> {
    return concat(this.#following.opened$, this.#fleet.mounts.router.known(ignore));
  }

  async #stop(): Promise<void> {
    const stopped = this.#fleet.stop();
    this.#following.close();
    await stopped;
  }
}
