import { checkOptions, milliseconds } from '../jsonrpc/checks.js';

/** Options of `close()`. An unknown one is an `OptionError` that names it. */
export interface CloseOptions {
  /** How long calls in flight may go on first, in ms; new ones are refused. Default 0. */
  readonly drainMs?: number | undefined;
}

/** Reads the options of `close()`. Throws `OptionError`. */
export const drainMsOf = (options: CloseOptions): number => {
  checkOptions(options, { drainMs: milliseconds(0) }, 'options');
  return options.drainMs ?? 0;
};
