/** What a {@link Warning} is about. */
export type WarningKind =
  /** something arrived that is no JSON-RPC message */
  | 'invalid-message'
  /** an answer arrived that no call was waiting for */
  | 'unmatched-answer'
  /** a modern server sent a request, which a modern client must not answer */
  | 'unexpected-request'
  /** an entry of a list or of a result, or a number of a progress report, was mended or left out */
  | 'malformed-entry'
  /** a list that was declared could not be read */
  | 'list-failed'
  /** logs are listened to, but no level was asked for, so a modern server sends none */
  | 'no-log-level'
  /** an output schema could not be used */
  | 'output-schema'
  /** a tool's structured output does not match its schema */
  | 'output-invalid'
  /** a callback of the application threw */
  | 'callback-threw'
  /** a hook of the application threw, took too long, or gave an answer that cannot be used; or a question was refused for it */
  | 'hook-failed'
  /** a server makes more requests than are answered */
  | 'too-many-requests'
  /** a live list or a subscription was interrupted, or cannot be had as wanted */
  | 'subscription'
  /** the transport had a fault that did not end it */
  | 'transport'
  /** a housekeeping message to the server failed */
  | 'housekeeping';

/** Something that went wrong without failing a call. `warnings$` emits them; `onWarn` is called with them. */
export interface Warning {
  readonly kind: WarningKind;
  /** One sentence for a person. */
  readonly message: string;
  /** What it is about: the excerpt of a message, an id, an error. */
  readonly detail?: unknown;
}
