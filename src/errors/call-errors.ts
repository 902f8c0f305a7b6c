import { McpError } from './mcp-error.js';
import { excerptOf } from './reason-text.js';

/** A JSON-RPC request id as this client issues and accepts it: a string or an integer, `0` included. */
type ErrorRequestId = string | number;

/** The longest reason for which an answer is not valid: it may quote a server. */
const LONGEST_REASON = 1_000;

const idOf = (id: ErrorRequestId | undefined): string => (id === undefined ? '' : ` (request ${String(id)})`);

/** A call was not answered within its time. The server has been told that the request was given up. */
export class TimeoutError extends McpError {
  override readonly name = 'TimeoutError';

  /**
   * @param method the method of the call that ran out of time
   * @param id the request's id on the wire; `undefined` when it was still waiting for the connection
   * @param timeoutMs the limit that was reached, in milliseconds
   * @param message where there is more to say than that
   */
  constructor(
    readonly method: string,
    readonly id: ErrorRequestId | undefined,
    readonly timeoutMs: number,
    message?: string,
  ) {
    super(
      message ??
        (id === undefined
          ? `${method} was not sent within ${timeoutMs} ms: the connection was not ready`
          : `${method} was not answered within ${timeoutMs} ms${idOf(id)}`),
    );
  }
}

/** The server answered with a JSON-RPC error. `code`, `message` and `data` are the server's own. */
export class ProtocolError extends McpError {
  override readonly name = 'ProtocolError';

  /**
   * @param code the JSON-RPC error code
   * @param message the server's message
   * @param data the error's `data`, verbatim
   * @param cause over HTTP, the `HttpError` whose body carried it
   */
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
  }
}

/** The server's answer is one the protocol does not allow. */
export class InvalidMessageError extends McpError {
  override readonly name = 'InvalidMessageError';
  /** What is wrong with the answer, in 1 000 characters at most. */
  readonly reason: string;

  /**
   * @param method the method that was called
   * @param id the request's id
   * @param reason what is wrong with the answer
   */
  constructor(
    readonly method: string,
    readonly id: ErrorRequestId | undefined,
    reason: string,
  ) {
    const told = excerptOf(reason, LONGEST_REASON);
    super(`the answer to ${method}${idOf(id)} is not valid: ${told}`);
    this.reason = told;
  }
}

/** Client and server share no protocol version. */
export class UnsupportedVersionError extends McpError {
  override readonly name = 'UnsupportedVersionError';

  /**
   * @param requested the versions this client offered
   * @param supported the versions the server named; empty when it named none
   */
  constructor(
    readonly requested: readonly string[],
    readonly supported: readonly string[],
  ) {
    const theirs = supported.length === 0 ? 'the server named none' : `the server supports ${supported.join(', ')}`;
    super(`no protocol version in common: this client offered ${requested.join(', ')}; ${theirs}`);
  }
}

/** The server did not declare what the call needs, or the negotiated era has no such thing. Nothing was sent. */
export class UnsupportedFeatureError extends McpError {
  override readonly name = 'UnsupportedFeatureError';

  /**
   * @param feature the capability or method that is missing
   * @param era the era of the connection
   * @param instead what can be used in its place, where there is something
   */
  constructor(
    readonly feature: string,
    readonly era: 'modern' | 'legacy',
    readonly instead?: string | undefined,
  ) {
    super(`this server (${era} era) does not support ${feature}${instead === undefined ? '' : `; ${instead}`}`);
  }
}

/** The caller gave the call up. `cause` is the reason of its AbortSignal; it is never sent to the server. */
export class CancelledError extends McpError {
  override readonly name = 'CancelledError';

  /**
   * @param method the method of the call
   * @param id the request's id; `undefined` when nothing had been sent
   * @param cause the caller's reason
   */
  constructor(
    readonly method: string,
    readonly id: ErrorRequestId | undefined,
    cause?: unknown,
  ) {
    super(`${method} was cancelled by the caller${idOf(id)}`, { cause });
  }
}

/**
 * The request left, its answer can no longer arrive, and repeating it might do the work twice.
 * Whether it ran is unknown: look before calling again. `cause` says how the connection ended.
 */
export class OutcomeUnknownError extends McpError {
  override readonly name = 'OutcomeUnknownError';

  /**
   * @param method the method of the call
   * @param id the request's id
   * @param cause the failure that ended the connection
   */
  constructor(
    readonly method: string,
    readonly id: ErrorRequestId | undefined,
    cause?: unknown,
  ) {
    const how = cause instanceof Error ? `: ${cause.message}` : '';
    super(`whether ${method} ran is unknown${idOf(id)}${how}`, { cause });
  }
}

/** A tool's structured output does not match its output schema (with `validateOutput: 'error'`). */
export class OutputInvalidError extends McpError {
  override readonly name = 'OutputInvalidError';

  /**
   * @param tool the tool's name
   * @param issues what does not match, one sentence each
   */
  constructor(
    readonly tool: string,
    readonly issues: readonly string[],
  ) {
    super(`the output of tool ${JSON.stringify(tool)} does not match its schema: ${issues.join('; ')}`);
  }
}

/** The server asked for input in more rounds than `maxInputRounds`. */
export class InputLoopExceededError extends McpError {
  override readonly name = 'InputLoopExceededError';

  /**
   * @param rounds how many rounds were answered
   * @param method the method of the call
   */
  constructor(
    readonly rounds: number,
    readonly method: string,
  ) {
    super(`${method} asked for input again after ${rounds} rounds; maxInputRounds allows no more`);
  }
}

/** A question was refused that has no shape for a refusal: sampling. The call was not sent again. */
export class InputRefusedError extends McpError {
  override readonly name = 'InputRefusedError';

  /**
   * @param method the method of the call
   * @param keys the server's keys of the questions that were refused
   */
  constructor(
    readonly method: string,
    readonly keys: readonly string[],
  ) {
    super(`${method} cannot go on: the question ${keys.map((key) => JSON.stringify(key)).join(', ')} was refused`);
  }
}
