import type { LogLevel } from '../session/index.js';
import type { Io } from './io.js';
import type { Screen } from './screen.js';

/** The options of every command. */
export interface Globals {
  readonly config?: string | undefined;
  readonly stdio?: string | undefined;
  readonly url?: string | undefined;
  readonly header: readonly string[];
  readonly json: boolean;
  /** In ms; 0 is without limit. */
  readonly timeoutMs?: number | undefined;
  readonly verbose: boolean;
}

/** What a command works with. */
export interface Context {
  readonly io: Io;
  readonly screen: Screen;
  readonly globals: Globals;
  /** Aborted when the command is to end: by Ctrl-C, by SIGTERM, or because nobody reads what it writes. */
  readonly signal: AbortSignal;
  /** Ends the command as Ctrl-C does, for where the terminal hands that on as a key. */
  readonly interrupt: () => void;
}

/** The options of a call. */
export interface CallFlags {
  readonly args?: string | undefined;
  readonly logLevel?: LogLevel | undefined;
}
