import { requireText } from '../../client/arguments.js';
import { boolean, type Check, checkOptions, milliseconds, refuse } from '../../jsonrpc/checks.js';
import { resolveOptions } from '../../client/options.js';
import { MANAGED_CHECKS, type ManagedOptions } from '../managed/options.js';

/** How the servers of a config are run; what is said of a server holds for each. An unknown option is an `OptionError` that names it. */
export interface OpenOptions extends Omit<ManagedOptions, 'projectDir'> {
  /**
   * The folder of the project: `${workspaceFolder}`, what a relative `cwd` is relative to, and `CLAUDE_PROJECT_DIR` of the
   * servers' processes. Default: that of the file, for `.mcp.json`, `.vscode/mcp.json` and the like; else the working
   * directory of this process.
   */
  readonly projectDir?: string | undefined;
  /** The home of the user: `${userHome}`, and a `cwd` that begins with `~`. Default: that of the system's user. */
  readonly home?: string | undefined;
  /** True reads the file again whenever it changes, as `reload()` does. Default false. */
  readonly watch?: boolean | undefined;
  /** How long nothing more must happen to the file before it is read, in ms. Default 200. */
  readonly watchDelayMs?: number | undefined;
}

const OPEN_CHECKS: Readonly<Record<keyof OpenOptions, Check>> = {
  ...MANAGED_CHECKS,
  home: requireText,
  watch: boolean,
  watchDelayMs: milliseconds(0),
};

/** Throws an `OptionError` for an option that cannot be used. */
export const checkOpenOptions = (options: OpenOptions, file: string | undefined): void => {
  checkOptions(options, OPEN_CHECKS, 'options');
  // One for all servers is checked before any is made.
  if (typeof options.client === 'object') resolveOptions(options.client, 'all');
  if (options.watch === true && file === undefined) refuse('watch', 'there is no file to watch: give the path of one');
};
