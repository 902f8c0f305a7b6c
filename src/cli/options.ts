import { LONGEST_MS } from '../rx/index.js';
import type { Globals } from './context.js';
import { usageError } from './exit.js';

/** The options of every command, as they are read from the command line. */
export interface RawGlobals {
  readonly config?: string | undefined;
  readonly stdio?: string | undefined;
  readonly url?: string | undefined;
  readonly header?: readonly string[] | undefined;
  readonly json?: boolean | undefined;
  readonly timeout?: string | undefined;
  readonly verbose?: boolean | undefined;
  readonly color?: boolean | undefined;
}

const readTimeout = (text: string): number => {
  const ms = Number(text) * 1_000;
  if (text.trim() === '' || !(ms >= 0 && ms <= LONGEST_MS)) {
    throw usageError(
      `--timeout: ${JSON.stringify(text)} is no number of seconds`,
      'give one, such as 10; 0 is without limit',
    );
  }
  // Nothing but 0 is without limit.
  return Math.ceil(ms);
};

/** Reads the options of every command. Throws a usage error for a value that cannot be used. */
export const readGlobals = ({ config, stdio, url, header, json, timeout, verbose }: RawGlobals): Globals => ({
  config,
  stdio,
  url,
  header: header ?? [],
  json: json ?? false,
  timeoutMs: timeout === undefined ? undefined : readTimeout(timeout),
  verbose: verbose ?? false,
});
