import { defer, firstValueFrom } from 'rxjs';
import { ProviderPromises } from '../../bridge/index.js';
import { withoutEvents } from '../../client/promises.js';
import type { ResultOptions } from '../../client/index.js';
import type {
  CallToolResult,
  GetPromptResult,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplate,
} from '../../protocol/schemas/index.js';
import type { ManagedCalls } from './managed-calls.js';

/** The methods of a managed server, each returning a Promise: it resolves with the one value of the Observable, and rejects with its error. */
export class ManagedPromises extends ProviderPromises {
  readonly #server: ManagedCalls;

  /** @param server whose methods these are */
  constructor(server: ManagedCalls) {
    super(server);
    this.#server = server;
  }

  /** See {@link ManagedCalls.listPrompts}. */
  listPrompts(): Promise<readonly Prompt[]> {
    return firstValueFrom(this.#server.listPrompts());
  }

  /** See {@link ManagedCalls.listResources}. */
  listResources(): Promise<readonly Resource[]> {
    return firstValueFrom(this.#server.listResources());
  }

  /** See {@link ManagedCalls.listResourceTemplates}. */
  listResourceTemplates(): Promise<readonly ResourceTemplate[]> {
    return firstValueFrom(this.#server.listResourceTemplates());
  }

  /** Runs the tool once. See {@link ManagedCalls.callTool}. */
  callTool(name: string, args?: Readonly<Record<string, unknown>>, options?: ResultOptions): Promise<CallToolResult> {
    return firstValueFrom(defer(() => this.#server.callTool(name, args, withoutEvents(options))));
  }

  /** See {@link ManagedCalls.getPrompt}. */
  getPrompt(name: string, args?: Readonly<Record<string, string>>, options?: ResultOptions): Promise<GetPromptResult> {
    return firstValueFrom(defer(() => this.#server.getPrompt(name, args, withoutEvents(options))));
  }

  /** See {@link ManagedCalls.readResource}. */
  readResource(uri: string, options?: ResultOptions): Promise<ReadResourceResult> {
    return firstValueFrom(defer(() => this.#server.readResource(uri, withoutEvents(options))));
  }
}
