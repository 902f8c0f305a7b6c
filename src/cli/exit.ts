/** How the command ends. Documented in its help: a number never changes its meaning. */
export const EXIT = {
  /** All is well. */
  ok: 0,
  /** The tool failed, the server refused, or doctor found something. */
  failed: 1,
  /** The command line cannot be used; nothing was sent. */
  usage: 2,
  /** The config cannot be used, or has no such server. */
  config: 3,
  /** The server could not be started or reached, or nobody has logged in to it. */
  unreachable: 4,
  /** Ctrl-C. */
  interrupted: 130,
  /** SIGTERM. */
  terminated: 143,
} as const;

/** One of {@link EXIT}. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends the command with a message for a person. It may hold a stranger's text: it is cleaned when it is printed. */
export class CommandError extends Error {
  override readonly name = 'CommandError';

  /**
   * @param exitCode how the command ends
   * @param message what is wrong
   * @param remedy what to do about it, where there is something
   * @param cause what raised it
   */
  constructor(
    readonly exitCode: ExitCode,
    message: string,
    readonly remedy?: string | undefined,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
  }
}

/** The command line cannot be used. */
export const usageError = (message: string, remedy?: string): CommandError =>
  new CommandError(EXIT.usage, message, remedy);

/** The config cannot be used. */
export const configError = (message: string, remedy?: string): CommandError =>
  new CommandError(EXIT.config, message, remedy);
