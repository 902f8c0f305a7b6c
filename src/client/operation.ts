import type { Agreement, InputEvent, Result } from '../protocol/index.js';
import type { LogMessage, Params, Progress } from '../session/index.js';
import type { CallOptions } from './call-options.js';

/** One thing to ask of the server. Its functions are given the operation itself, so that they can be the same for many. */
export interface Operation {
  /** The method, and the name of the call in its errors. */
  readonly method: string;
  /** What a modern server is asked instead. */
  readonly modernMethod?: string | undefined;
  /** Its params; made for the server at hand where that matters. */
  readonly params?: Params | ((agreement: Agreement) => Params) | undefined;
  readonly options?: CallOptions | undefined;
  /** The tool, prompt or resource it is about. */
  readonly name?: string | undefined;
  readonly toolCallId?: string | undefined;
  /** Since when its time has run, as the scheduler counts. Default: since it is subscribed to. */
  readonly since?: number | undefined;
  /** The call it belongs to, where that is more than this one request. */
  readonly call?: object | undefined;
  /** True where nobody waits for it in person: no person is asked for an authorization on its behalf. */
  readonly background?: boolean | undefined;
  /** Whether it may be repeated when the wire died under it. Asked as it is sent. */
  readonly repeatable: (operation: Operation) => boolean;
  /** True for a later request of a call that began before the client was told to close: it may still be sent. */
  readonly continues?: boolean | undefined;
  /** Throws where the caller's own words are of no use. Asked before anything else is done. */
  readonly prepare?: ((operation: Operation) => void) | undefined;
  /** Throws where the server cannot be asked such a thing. */
  readonly check?: ((agreement: Agreement, operation: Operation) => void) | undefined;
  /** The result where a server like this need not be asked. */
  readonly unasked?: ((agreement: Agreement) => Result | undefined) | undefined;
  /** The headers that go with it, on a wire that mirrors arguments. */
  readonly headers?: ((operation: Operation) => Readonly<Record<string, string>> | undefined) | undefined;
  /** Given: the call has events, and its own progress token. */
  readonly events?:
    | {
        readonly progress: (progress: Progress) => void;
        readonly log: (log: LogMessage) => void;
        /** False if whoever looks has left. */
        readonly input: (event: InputEvent) => boolean;
      }
    | undefined;
}
