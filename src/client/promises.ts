import type { Observable } from 'rxjs';
import { OptionError } from '../errors/index.js';
import type { Era, ServerDescription, SuspendedCall } from '../protocol/index.js';
import { promised } from '../rx/index.js';
import type {
  CallToolResult,
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
import type { LogLevel } from '../session/index.js';
import type { ResultOptions } from './ask.js';
import type { CallOptions, ReadOptions } from './call-options.js';
import type { ClientCalls } from './client.js';
import type { SuspendableResult, SuspendOptions } from './resume.js';

/** Events do not fit in a Promise: the types say so, and plain JavaScript is told. */
export const withoutEvents = <O extends object>(options: O | undefined): O | undefined => {
  if ((options as { observe?: unknown } | undefined)?.observe === 'events') {
    throw new OptionError('observe', 'a Promise has one value: take the Observable for events');
  }
  return options;
};

/**
 * The methods of {@link ClientCalls}, each returning a Promise: it resolves with the one value of the Observable, and
 * rejects with its error. `options.signal` gives a call up: the Promise rejects with a `CancelledError` whose `cause`
 * is the signal's reason, and the server is told, though not the reason. What is said of each method there holds here.
 */
export class CallPromises {
  readonly #client: ClientCalls;

  /** @param client whose methods these are */
  constructor(client: ClientCalls) {
    this.#client = client;
  }

  /** See {@link ClientCalls.server}. */
  server(options?: CallOptions): Promise<ServerDescription> {
    return promised(this.#client.server(options));
  }

  /** See {@link ClientCalls.era}. */
  era(options?: CallOptions): Promise<Era> {
    return promised(this.#client.era(options));
  }

  /** See {@link ClientCalls.listTools}. */
  listTools(options?: ReadOptions): Promise<Tool[]> {
    return promised(this.#client.listTools(options));
  }

  /** See {@link ClientCalls.listPrompts}. */
  listPrompts(options?: ReadOptions): Promise<Prompt[]> {
    return promised(this.#client.listPrompts(options));
  }

  /** See {@link ClientCalls.listResources}. */
  listResources(options?: ReadOptions): Promise<Resource[]> {
    return promised(this.#client.listResources(options));
  }

  /** See {@link ClientCalls.listResourceTemplates}. */
  listResourceTemplates(options?: ReadOptions): Promise<ResourceTemplate[]> {
    return promised(this.#client.listResourceTemplates(options));
  }

  /** Runs the tool once. See {@link ClientCalls.callTool}. */
  callTool(
    name: string,
    args: Readonly<Record<string, unknown>> | undefined,
    options: SuspendOptions,
  ): Promise<SuspendableResult>;
  callTool(name: string, args?: Readonly<Record<string, unknown>>, options?: ResultOptions): Promise<CallToolResult>;
  callTool(
    name: string,
    args?: Readonly<Record<string, unknown>>,
    options?: ResultOptions | SuspendOptions,
  ): Promise<CallToolResult | SuspendableResult> {
    const call = (): Observable<CallToolResult | SuspendableResult> =>
      options?.onInput === 'return'
        ? this.#client.callTool(name, args, withoutEvents(options) as SuspendOptions)
        : this.#client.callTool(name, args, withoutEvents(options));
    return promised(call);
  }

  /** Sends the answers once. See {@link ClientCalls.resume}. */
  resume(
    suspended: SuspendedCall,
    answers: Readonly<Record<string, unknown>>,
    options?: CallOptions,
  ): Promise<SuspendableResult> {
    return promised(this.#client.resume(suspended, answers, options));
  }

  /** See {@link ClientCalls.readResource}. */
  readResource(uri: string, options?: ResultOptions): Promise<ReadResourceResult> {
    return promised(() => this.#client.readResource(uri, withoutEvents(options)));
  }

  /** See {@link ClientCalls.getPrompt}. */
  getPrompt(name: string, args?: Readonly<Record<string, string>>, options?: ResultOptions): Promise<GetPromptResult> {
    return promised(() => this.#client.getPrompt(name, args, withoutEvents(options)));
  }

  /** See {@link ClientCalls.complete}. */
  complete(
    ref: PromptReference | ResourceTemplateReference,
    argument: { readonly name: string; readonly value: string },
    context?: { readonly arguments?: Readonly<Record<string, string>> | undefined },
    options?: CallOptions,
  ): Promise<CompleteResult> {
    return promised(this.#client.complete(ref, argument, context, options));
  }

  /** See {@link ClientCalls.ping}. */
  ping(options?: CallOptions): Promise<boolean> {
    return promised(this.#client.ping(options));
  }

  /** See {@link ClientCalls.setLogLevel}. */
  setLogLevel(level: LogLevel, options?: CallOptions): Promise<undefined> {
    return promised(this.#client.setLogLevel(level, options));
  }
}
