import { defer, map, type Observable, startWith, Subject } from 'rxjs';
import type { CallEvent } from '../../client/index.js';
import { boolean, type Check, checkOptions, milliseconds } from '../../jsonrpc/checks.js';
import { OptionError, ProtocolError } from '../../errors/index.js';
import { CODES } from '../../jsonrpc/index.js';
import type { CallToolResult, Tool } from '../../protocol/schemas/index.js';
import { Deadlines } from '../../rx/index.js';
import { type LocalTool, readTool, type ToolDefinition } from './definition.js';
import { runTool } from './run.js';

/** How long a call may take, in ms; 0 is without limit. */
export interface LocalLimits {
  /** From its beginning or its last progress report. Default 60 000. */
  readonly requestTimeoutMs?: number | undefined;
  /** Altogether. Default 600 000. */
  readonly maxTotalMs?: number | undefined;
}

/** Options of a call of a tool in this process. An unknown one is an `OptionError` that names it. */
export interface LocalCallOptions {
  /** The id of the model's call; the handler and the progress reports have it. */
  readonly toolCallId?: string | undefined;
  /** In place of `requestTimeoutMs`, in ms; 0 is without limit. */
  readonly timeoutMs?: number | undefined;
  /** In place of the toolkit's `maxTotalMs`, in ms; 0 is without limit. */
  readonly maxTotalMs?: number | undefined;
  /** Whether a progress report starts the timeout anew. Default true. */
  readonly resetOnProgress?: boolean | undefined;
}

/** One check for each limit of a toolkit. */
export const LIMIT_CHECKS: Readonly<Record<keyof LocalLimits, Check>> = {
  requestTimeoutMs: milliseconds(0),
  maxTotalMs: milliseconds(0),
};

const CALL_CHECKS: Readonly<Record<keyof LocalCallOptions, Check>> = {
  toolCallId: (value, name) => {
    if (typeof value !== 'string') throw new OptionError(name, 'give a string');
  },
  timeoutMs: milliseconds(0),
  maxTotalMs: milliseconds(0),
  resetOnProgress: boolean,
};

/** Tools in this process, by name: what a toolkit has in place of a server. */
export class LocalTools {
  readonly #tools = new Map<string, LocalTool>();
  readonly #changes = new Subject<undefined>();
  readonly #deadlines = new Deadlines();
  readonly #limits: LocalLimits;
  #list: readonly Tool[] | undefined;
  #lastId = 0;

  /** The tools: now, and again after each that is added. Never completes, never errors. */
  readonly tools$: Observable<readonly Tool[]> = defer(() =>
    this.#changes.pipe(
      startWith(undefined),
      map(() => this.listTools()),
    ),
  );

  /** @param limits checked by {@link LIMIT_CHECKS} */
  constructor(limits: LocalLimits = {}) {
    this.#limits = limits;
  }

  /** Adds a tool. Throws an `OptionError` for a name that is taken and a definition that cannot be used, and adds nothing. */
  add(name: string, definition: ToolDefinition, handler: unknown): void {
    const tool = readTool(name, definition, handler);
    if (this.#tools.has(name)) throw new OptionError('name', `there is a tool ${JSON.stringify(name)} already`);
    this.#tools.set(name, tool);
    this.#list = undefined;
    this.#changes.next(undefined);
  }

  /** The tools as a server would list them, in the order in which they were added; one list until another is added. */
  listTools(): readonly Tool[] {
    this.#list ??= [...this.#tools.values()].map(({ declaration }) => declaration);
    return this.#list;
  }

  /** A tool as a server would list it. */
  get(name: string): Tool | undefined {
    return this.#tools.get(name)?.declaration;
  }

  /**
   * Calls a tool. Cold; **each subscriber runs it.** Emits what happens, shaped as by a client's `observe: 'events'`: the
   * `result` last. A tool that fails, and arguments it cannot take, are a result with `isError`. Errors with
   * `ProtocolError` (-32602) where there is no such tool, as a server would, with `TimeoutError`, and with `OptionError`.
   * Unsubscribing aborts the handler's signal.
   */
  call(name: string, args?: unknown, options: LocalCallOptions = {}): Observable<CallEvent<CallToolResult>> {
    return defer(() => {
      checkOptions(options, CALL_CHECKS, 'options');
      const tool = this.#tools.get(name);
      if (tool === undefined) throw new ProtocolError(CODES.invalidParams, `Tool ${name} not found`);
      const { requestTimeoutMs = 60_000, maxTotalMs = 600_000 } = this.#limits;
      this.#lastId += 1;
      return runTool(tool, args, {
        requestId: this.#lastId,
        toolCallId: options.toolCallId,
        limits: { timeoutMs: options.timeoutMs ?? requestTimeoutMs, maxTotalMs: options.maxTotalMs ?? maxTotalMs },
        resetOnProgress: options.resetOnProgress ?? true,
        deadlines: this.#deadlines,
      });
    });
  }
}
