import { redactorOf } from '../config/redactor.js';
import type { ServerConfig } from '../config/server-config.js';
import type { Context, Globals } from './context.js';
import { configError, usageError } from './exit.js';
import { splitWords } from './input/words.js';
import { locateConfig, tellProblems } from './locate.js';
import { instead } from '../jsonrpc/suggest.js';

/** The server that the user named. */
export interface Chosen {
  /** What it is called: its key in the config, or its command or host. */
  readonly key: string;
  readonly server: ServerConfig;
  /** The folder of its project. */
  readonly projectDir: string;
  /** Takes its secrets out of a text. */
  readonly redact: (text: string) => string;
  /** Whether it comes from a config, and not from the command line. */
  readonly fromConfig: boolean;
}

const headersOf = (lines: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^\s*([^:\s]+)\s*:\s*(.*)$/s.exec(line) ?? [];
      // The line is not told: it may be a secret.
      if (name === undefined || value === undefined) throw usageError('--header: write "Name: value"');
      return [name, value.trim()];
    }),
  );

/** The server of the command line itself, if it is there. Throws a usage error for options that do not go together. */
const ofCommandLine = ({ config, stdio, url, header }: Globals, cwd: string): Chosen | undefined => {
  const named = [config, stdio, url].filter((option) => option !== undefined);
  if (named.length > 1) throw usageError('--config, --stdio and --url: give one of them');
  if (url === undefined && header.length > 0) throw usageError('--header goes with --url: in a config, write headers');
  if (url !== undefined) {
    const server: ServerConfig = { transport: 'http', url, headers: headersOf(header) };
    const key = URL.canParse(url) ? new URL(url).host : url;
    return { key, server, projectDir: cwd, redact: redactorOf(server), fromConfig: false };
  }
  if (stdio === undefined) return undefined;
  const [command, ...args] = splitWords(stdio);
  if (command === undefined || command === '') throw usageError('--stdio: give the command that starts the server');
  const server: ServerConfig = { transport: 'stdio', command, args };
  const key = command.split(/[/\\]/).pop() ?? command;
  return { key, server, projectDir: cwd, redact: redactorOf(server), fromConfig: false };
};

/** Whether the server is given by an option, so that no argument names it. */
export const isNamedByOption = ({ stdio, url }: Globals): boolean => stdio !== undefined || url !== undefined;

/** The server that options name. Throws a usage error where they name none that can be. */
export const chooseByOption = ({ globals, io }: Context): Chosen | undefined => ofCommandLine(globals, io.cwd);

/** The server of a config with this key. Rejects with a config error where there is none that can be used. */
export const chooseByKey = async (context: Context, key: string): Promise<Chosen> => {
  const { entries, problems, projectDir, file } = await locateConfig(context);
  const entry =
    entries.find((one) => one.key === key) ??
    // A name in another case is as good, where it is the only one.
    entries.find(
      (one, _, all) => all.filter((other) => sameName(other.key, key)).length === 1 && sameName(one.key, key),
    );
  if (entry === undefined) {
    const keys = entries.map((one) => one.key);
    throw configError(`${file ?? 'the config'} has no server ${JSON.stringify(key)}${instead(key, keys)}`);
  }
  if (entry.state === 'disabled') {
    throw configError(
      `the server ${JSON.stringify(entry.key)} is switched off`,
      `take "disabled" out of ${file ?? 'the config'}`,
    );
  }
  if (entry.state === 'failed') throw configError(`the server ${JSON.stringify(entry.key)}: ${entry.reason}`);
  const own = problems.filter(
    ({ server, level }) => level === 'warning' && (server === undefined || server === entry.key),
  );
  tellProblems(context, own);
  return { key: entry.key, server: entry.server, projectDir, redact: entry.redact, fromConfig: true };
};

const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** The server that the user named, and what else was typed. Rejects with a usage or config error. */
export const choose = async (
  context: Context,
  words: readonly string[],
): Promise<{ readonly chosen: Chosen; readonly rest: readonly string[] }> => {
  const given = chooseByOption(context);
  if (given !== undefined) return { chosen: given, rest: words };
  const [key, ...rest] = words;
  if (key === undefined) throw usageError('which server? give its name in the config, --stdio or --url');
  return { chosen: await chooseByKey(context, key), rest };
};
