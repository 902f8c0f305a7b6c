import { McpError } from './mcp-error.js';
import { messageOf } from './reason-text.js';

/** The server's process ended while it was needed. */
export class ServerGoneError extends McpError {
  override readonly name = 'ServerGoneError';

  /**
   * @param exitCode the exit code; `null` when a signal ended the process, or when it closed its output and lives
   * @param signal the signal that ended it, if one did
   * @param command the command as it was started
   * @param stderrTail the last lines the server wrote to stderr
   */
  constructor(
    readonly exitCode: number | null,
    readonly signal: string | null,
    readonly command: string,
    readonly stderrTail: string,
  ) {
    const how =
      signal !== null
        ? `was ended by ${signal}`
        : exitCode !== null
          ? `exited with code ${exitCode}`
          : 'closed its output';
    const tail = stderrTail === '' ? '' : `; its last output on stderr:\n${stderrTail}`;
    super(`the server ${JSON.stringify(command)} ${how}${tail}`);
  }
}

/** The server's process could not be started. `cause` is the system's own error. */
export class SpawnFailedError extends McpError {
  override readonly name = 'SpawnFailedError';

  /**
   * @param command the command that was tried
   * @param args its arguments
   * @param reason why it could not be started, and what to do
   * @param cause the system's error
   */
  constructor(
    readonly command: string,
    readonly args: readonly string[],
    reason: string,
    cause?: unknown,
  ) {
    super(`the server ${JSON.stringify(command)} could not be started: ${reason}`, { cause });
  }
}

/** A message is larger than `maxMessageBytes`. The connection lives on; only this message is lost. */
export class MessageTooLargeError extends McpError {
  override readonly name = 'MessageTooLargeError';

  /**
   * @param bytes the size of the message, as far as it is known
   * @param limit the limit it passed
   */
  constructor(
    readonly bytes: number,
    readonly limit: number,
  ) {
    super(`a message of ${bytes} bytes is larger than maxMessageBytes (${limit})`);
  }
}

/** The client or its transport has been closed. */
export class TransportClosedError extends McpError {
  override readonly name = 'TransportClosedError';

  constructor(message = 'the connection is closed') {
    super(message);
  }
}

/**
 * A message was refused unread: repeating it is safe. To callers it is a {@link TransportClosedError}; a transport raises it
 * where it knows more than that it is closed.
 */
export class UnsentError extends TransportClosedError {
  /** @param cause what the server said, where it said it */
  constructor(message?: string, cause?: unknown) {
    super(message);
    if (cause !== undefined) this.cause = cause;
  }
}

/**
 * A transport, or code of the caller's that it asked, raised something of its own; or a part of this library could not be
 * loaded. `cause` is what was raised.
 */
export class TransportError extends McpError {
  override readonly name = 'TransportError';

  /**
   * @param cause what was raised
   * @param culprit what raised it: the transport, or the option behind it, such as `headers`
   */
  constructor(cause: unknown, culprit = 'the transport') {
    super(`${culprit} failed: ${messageOf(cause)}`, { cause });
  }
}

/** What a transport, or code behind it, raised: as it is if it is one of ours, else in a {@link TransportError}. */
export const asMcpError = (reason: unknown, culprit?: string): McpError =>
  reason instanceof McpError ? reason : new TransportError(reason, culprit);

/** An option or argument cannot be used. The message names it and says what would do. */
export class OptionError extends McpError {
  override readonly name = 'OptionError';

  /**
   * @param option the name of the option or argument
   * @param reason what is wrong with it and what to give instead
   */
  constructor(
    readonly option: string,
    reason: string,
  ) {
    super(`option ${JSON.stringify(option)}: ${reason}`);
  }
}
