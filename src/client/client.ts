import { defer, map, type Observable, of } from 'rxjs';
import { TransportClosedError, UnsupportedFeatureError } from '../errors/index.js';
import type { Agreement, Negotiate, SuspendedCall } from '../protocol/index.js';
import type { CallToolResult, Tool } from '../protocol/schemas/index.js';
import type { Connector } from '../transport/index.js';
import { requireArguments, requireText } from './arguments.js';
import { ask, type EventOptions, type Finish, type Question, type ResultOptions } from './ask.js';
import type { CallOptions, ReadOptions } from './call-options.js';
import type { CallEvent } from './events.js';
import { inputs } from './input-part.js';
import { mirroredHeaders } from './mirror.js';
import { withKnownTool } from './mirroring.js';
import { negotiateAnyhow } from './negotiate-anyhow.js';
import type { Operation } from './operation.js';
import { type CloseOptions, drainMsOf } from './close-options.js';
import type { ClientOptions, Settings, TrustAnnotations } from './options.js';
import { ClientParts } from './parts.js';
import { ClientSubscriptions } from './subscriptions.js';
import { readToolResult } from './results.js';
import type { SuspendableResult, SuspendOptions } from './resume.js';

/** A call of a tool; what it needs of the client goes with it, so that the functions are the same for all clients. */
interface ToolCall extends Question {
  readonly parts: ClientParts;
}

const partsOf = (operation: Operation): ClientParts => (operation as ToolCall).parts;

/** What is known of the tool that is called. */
const toolOf = (operation: Operation): Tool | undefined => partsOf(operation).listed?.get(operation.name ?? '');

const argumentsOf = ({ params }: Operation): Readonly<Record<string, unknown>> | undefined =>
  (params as { readonly arguments?: Readonly<Record<string, unknown>> } | undefined)?.arguments;

const prepareTool = (operation: Operation): void => {
  requireText(operation.name, 'name');
  requireArguments(argumentsOf(operation), 'args');
};

const checkTool = ({ server }: Agreement, operation: Operation): void => {
  // Tasks are not spoken here: such a tool would be called in vain.
  if (toolOf(operation)?.execution?.taskSupport !== 'required') return;
  const named = JSON.stringify(operation.name);
  throw new UnsupportedFeatureError(`the tool ${named}, which only runs as a task`, server.era);
};

const headersOf = (operation: Operation): Readonly<Record<string, string>> | undefined => {
  const tool = toolOf(operation);
  return tool === undefined ? undefined : mirroredHeaders(tool, argumentsOf(operation));
};

const isRepeatable = (operation: Operation): boolean => {
  const { listed, settings } = partsOf(operation);
  return listed?.repeatable(operation.name ?? '', settings.trustAnnotations) === true;
};

const finishCall: Finish<CallToolResult> = (answer, operation) => {
  const parts = partsOf(operation);
  const result = readToolResult(answer, parts.channels);
  // What was never listed promised nothing of its output.
  return parts.listed === undefined ? result : parts.output.checked(operation.name ?? '', result);
};

/**
 * What a client of one MCP server, of either protocol era, can ask it. It is lazy: nothing is opened until the first call or
 * list needs it, and one connection serves everybody; after a death the next use opens it again.
 *
 * Every method that asks something returns a **cold** Observable: nothing is sent before it is subscribed to,
 * each subscriber sends a request of its own (two subscribers of `callTool` run the tool twice), it emits
 * exactly once and completes, and unsubscribing before that gives the request up and tells the server. All may error with: `TimeoutError`, `CancelledError`
 * (an aborted `signal`), `ProtocolError` (the server's error, verbatim), `InvalidMessageError`,
 * `MessageTooLargeError`, `UnsupportedFeatureError` (the server did not declare it; nothing was sent),
 * `UnsupportedVersionError`, `OptionError`, `SpawnFailedError`, `ServerGoneError`, `TransportError`, and
 * `TransportClosedError` (during and after `close()`).
 *
 * The streams (`notifications$` and its like) are hot, never connect by themselves, have no replay, survive
 * restarts, complete at `close()` and never error.
 */
export class ClientCalls extends ClientSubscriptions implements AsyncDisposable {
  readonly #parts: ClientParts;

  /** Throws `OptionError`. */
  constructor(
    connector: Connector,
    options: ClientOptions = {},
    trustAnnotations: TrustAnnotations = 'overlap',
    transportOptions: readonly string[] = [],
    negotiate: Negotiate = negotiateAnyhow,
  ) {
    const parts = new ClientParts(connector, options, trustAnnotations, transportOptions, negotiate);
    super(parts);
    this.#parts = parts;
  }

  /** True until `close()`, or until the end of a wire that may not be opened again. */
  get alive(): boolean {
    const { connection, requests } = this.#parts;
    return connection.alive && !requests.refusing;
  }

  /**
   * Calls a tool. **Each subscriber runs it.** A tool that fails is a result with `isError`, not an error. With
   * `observe: 'events'` emits {@link CallEvent}s, the result last. Beside the errors of every call:
   * `OutcomeUnknownError` where the connection died while the tool ran and the server did not call it read-only
   * or idempotent (else it is called once more), and `OutputInvalidError` with `validateOutput: 'error'`.
   * With `onInput: 'return'` (modern servers only) emits a {@link SuspendableResult}: what the server asks is handed
   * back, and {@link resume} carries on. Servers ask only for what is declared: where no hook says so, by the option
   * `capabilities`. MCP 2026-07-28 server/tools, "Calling Tools".
   */
  callTool(
    name: string,
    args: Readonly<Record<string, unknown>> | undefined,
    options: EventOptions,
  ): Observable<CallEvent<CallToolResult>>;
  callTool(
    name: string,
    args: Readonly<Record<string, unknown>> | undefined,
    options: SuspendOptions,
  ): Observable<SuspendableResult>;
  callTool(name: string, args?: Readonly<Record<string, unknown>>, options?: ResultOptions): Observable<CallToolResult>;
  callTool(
    name: string,
    args?: Readonly<Record<string, unknown>>,
    options?: EventOptions | SuspendOptions | ResultOptions,
  ): Observable<CallToolResult | CallEvent<CallToolResult> | SuspendableResult> {
    return this.#call(name, args, options, undefined);
  }

  /** {@link callTool} for a call of a model, whose id goes with the progress reports. */
  protected callFor(
    toolCallId: string,
    name: string,
    args: Readonly<Record<string, unknown>> | undefined,
    options: EventOptions,
  ): Observable<CallEvent<CallToolResult>>;
  protected callFor(
    toolCallId: string,
    name: string,
    args: Readonly<Record<string, unknown>> | undefined,
    options: ResultOptions,
  ): Observable<CallToolResult>;
  protected callFor(
    toolCallId: string,
    name: string,
    args: Readonly<Record<string, unknown>> | undefined,
    options: EventOptions | ResultOptions,
  ): Observable<unknown> {
    return this.#call(name, args, options, toolCallId);
  }

  /**
   * The tools as they were listed last on this connection, or as they are listed now if there is no such list: a change
   * notice, another connection, a `refresh` and its age end it. Emits them once, the same array as long as it is the same
   * list, and completes. Errors like `listTools`.
   * @param options of the request, where the list must be asked for
   */
  knownTools(options?: ReadOptions): Observable<readonly Tool[]> {
    return defer((): Observable<readonly Tool[]> => {
      const list = this.#parts.listed?.list;
      if (list !== undefined) return of(list);
      return this.listTools(options).pipe(map((tools) => this.#parts.listed?.list ?? tools));
    });
  }

  /** How batches of calls are run. */
  protected get batchTerms(): Pick<Settings, 'overlap' | 'toolConcurrency' | 'trustAnnotations'> {
    return this.#parts.settings;
  }

  #call(
    name: string,
    args: Readonly<Record<string, unknown>> | undefined,
    options: EventOptions | SuspendOptions | ResultOptions | undefined,
    toolCallId: string | undefined,
  ): Observable<CallToolResult | CallEvent<CallToolResult> | SuspendableResult> {
    const operation = this.#toolCall(name, args, options, toolCallId);
    type Called = CallToolResult | CallEvent<CallToolResult> | SuspendableResult;
    return this.#known(operation, (timed): Observable<Called> =>
      options?.onInput === 'return'
        ? inputs.use(({ suspendable }) => suspendable(this.#parts.requests, timed, timed.params, finishCall))
        : ask(this.#parts, timed, finishCall, options),
    );
  }

  /**
   * Carries on with a call that was suspended by `onInput: 'return'`, in this process or another. **Each subscriber
   * sends it.** Emits once: a result, or the next questions. Errors like `callTool`, and with `OptionError` where
   * an answer is missing. The server checks the state itself. MCP 2026-07-28 basic/patterns/mrtr.
   * @param suspended the `resume` object of the suspended call, as it was
   * @param answers an answer for each of its keys: an elicitation, sampling or roots result
   */
  resume(
    suspended: SuspendedCall,
    answers: Readonly<Record<string, unknown>>,
    options?: CallOptions,
  ): Observable<SuspendableResult> {
    return inputs.use(({ answersTo, readSuspended, suspendable }) => {
      const { params } = readSuspended(suspended);
      const name = String(params['name']);
      const { arguments: args } = params as { arguments?: Readonly<Record<string, unknown>> };
      const operation = this.#toolCall(name, args, options);
      const retried = { ...operation, params: { ...params, ...answersTo(suspended, answers) } };
      return this.#known(retried, (timed) => suspendable(this.#parts.requests, timed, params, finishCall));
    });
  }

  /**
   * Ends everything: calls in flight fail with `TransportClosedError`, streams complete, and a server's process
   * is gone when the Promise resolves. Idempotent; rejects only where an option cannot be used, and then nothing is closed.
   */
  async close(options: CloseOptions = {}): Promise<void> {
    const drainMs = drainMsOf(options);
    const drained = this.#parts.requests.drain(drainMs);
    if (drained !== undefined) await drained;
    const closed = this.#parts.connection.close();
    this.#parts.requests.close(new TransportClosedError());
    await closed;
    this.#parts.listed?.close();
    this.#parts.channels.close();
  }

  /** `await using client = connect(…)` closes it at the end of the block. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #toolCall(
    name: string,
    args: Readonly<Record<string, unknown>> | undefined,
    options: CallOptions | undefined,
    toolCallId?: string,
  ): ToolCall {
    // Whole from the start: an object that is spread and added to gets a hidden class of its own, each time.
    return {
      method: 'tools/call',
      name,
      toolCallId,
      params: args === undefined ? { name } : { name, arguments: args },
      options,
      prepare: prepareTool,
      check: checkTool,
      headers: headersOf,
      repeatable: isRepeatable,
      parts: this.#parts,
    };
  }

  #known<T, Q extends Question>(operation: Q, call: (operation: Q) => Observable<T>): Observable<T> {
    const list = (refresh: boolean): Observable<unknown> => this.listTools({ refresh });
    return withKnownTool(this.#parts, operation, list, (since) =>
      call(since === undefined ? operation : { ...operation, since }),
    );
  }
}
