import type { Agreement } from '../protocol/index.js';
import type { LogMessage, Params, Progress } from '../session/index.js';
import type { CallOptions } from './call-options.js';

/** One thing to ask of the server. */
export interface Operation {
  readonly method: string;
  readonly params?: Params | undefined;
  readonly options?: CallOptions | undefined;
  /** The tool, prompt or resource it is about. */
  readonly name?: string | undefined;
  readonly toolCallId?: string | undefined;
  /** Whether it may be repeated when the wire died under it. Asked as it is sent. */
  readonly repeatable: () => boolean;
  /** Throws where the caller's own words are of no use. Asked before anything else is done. */
  readonly prepare?: (() => void) | undefined;
  /** Throws where the server cannot be asked such a thing. */
  readonly check?: ((agreement: Agreement) => void) | undefined;
  /** Given: the call has events, and its own progress token. */
  readonly events?:
    { readonly progress: (progress: Progress) => void; readonly log: (log: LogMessage) => void } | undefined;
}
