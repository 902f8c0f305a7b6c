import { readFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { below } from '../bridge/schemas/report.js';
import { type Check, checkMembers, checkOptions, object, refuse } from '../jsonrpc/checks.js';
import { messageOf } from '../errors/index.js';
import { childEnvOf, type PluginDirs } from './child-env.js';
import { decodeText } from './decode-text.js';
import type { Surroundings, Variables } from './expand.js';
import { currentProject, homeOfUser, workingDirectory } from './folders.js';
import { type ConfigProblem, Problems } from './problem.js';
import { type ConfigEntry, readEntry, unreadable } from './read-entry.js';
import { readJsonc } from './read-jsonc.js';
import { type Section, sectionsOf } from './sections.js';
import { toolPrefix } from './tool-names.js';

/** What references in a config are replaced with. An unknown option is an `OptionError` that names it. */
export interface LoadOptions {
  /**
   * The variables that `${NAME}` can name; to them come `CLAUDE_PROJECT_DIR` and those of `plugin`, as a server sees them.
   * Default: `process.env`.
   */
  readonly env?: Variables | undefined;
  /**
   * The folder of the project: `${workspaceFolder}`, and what a relative `cwd` is relative to. Default: that of the file,
   * for `.mcp.json`, `.vscode/mcp.json` and the like; else the working directory of this process.
   */
  readonly projectDir?: string | undefined;
  /** The home of the user: `${userHome}`, and a `cwd` that begins with `~`. Default: that of the system's user. */
  readonly home?: string | undefined;
  /** The plugin that the config belongs to: `${CLAUDE_PLUGIN_ROOT}`, `${CLAUDE_PLUGIN_DATA}`. Default: none. */
  readonly plugin?: PluginDirs | undefined;
}

/** A config that was read, with all that is wrong in it. */
export interface LoadedConfig {
  /** The whole path of the file; `undefined` where it came from none. */
  readonly file: string | undefined;
  /** The folder of the project. */
  readonly projectDir: string;
  /** One for each server, in the order of the file. */
  readonly entries: readonly ConfigEntry[];
  /** What is not as it should be: in the whole first, then in each entry. No message holds a secret. */
  readonly problems: readonly ConfigProblem[];
}

const someText: Check = (value, name) => {
  if (typeof value !== 'string' || value === '') refuse(name, 'give a text that is not empty');
};

/** Checks the folders of a plugin. */
export const pluginDirs: Check = (value, name) => {
  checkMembers(value, { root: someText, data: someText }, name);
  someText((value as PluginDirs).root, `${name}.root`);
};

const LOAD_CHECKS: Readonly<Record<keyof LoadOptions, Check>> = {
  env: object,
  projectDir: someText,
  home: someText,
  plugin: pluginDirs,
};

/** The folders in which editors keep the config of a project. */
const OF_EDITORS: ReadonlySet<string> = new Set(['.vscode', '.cursor', '.windsurf', '.roo', '.claude']);

const projectOf = (file: string | undefined, home: string | undefined): string => {
  if (file === undefined) return currentProject();
  const folder = dirname(file);
  if (basename(file) === '.mcp.json') return folder;
  // The same folders, in the home of a user, belong to no project.
  const isOfUser = home !== undefined && dirname(folder) === resolve(home);
  return OF_EDITORS.has(basename(folder)) && !isOfUser ? dirname(folder) : currentProject();
};

/** What the path or URL of a config is; `undefined` where it is an object already. Throws an `OptionError`. */
export const fileOf = (source: string | URL | object): string | undefined => {
  if (source instanceof URL) {
    return source.protocol === 'file:' ? resolve(fileURLToPath(source)) : refuse('source', 'give the path of a file');
  }
  if (typeof source !== 'string') return undefined;
  return isAbsolute(source)
    ? resolve(source)
    : resolve(workingDirectory('source', 'give the whole path of a file'), source);
};

/** What references in a config are replaced with, wherever it came from. Throws an `OptionError`. */
export const surroundingsOf = (options: LoadOptions, file: string | undefined): Surroundings => {
  checkOptions(options, LOAD_CHECKS, 'options');
  const home = options.home ?? homeOfUser();
  const projectDir = options.projectDir === undefined ? projectOf(file, home) : resolve(options.projectDir);
  const ignoreCase = process.platform === 'win32';
  const env = childEnvOf({ baseEnv: options.env, projectDir, plugin: options.plugin, ignoreCase });
  return { env, projectDir, home, ignoreCase };
};

/** The servers of each part, by their keys. An object that was handed in may be code, which throws. */
const listed = (
  root: unknown,
  projectDir: string,
  problems: Problems,
): readonly (Section & { readonly keys: readonly string[] })[] => {
  try {
    return sectionsOf(root, projectDir, problems).map((section) => ({
      ...section,
      keys: Object.keys(section.servers),
    }));
  } catch (error) {
    problems.add('error', '', unreadable(error));
    return [];
  }
};

const read = (root: unknown, around: Surroundings, file: string | undefined): LoadedConfig => {
  const problems = new Problems();
  const entries = new Map<string, ConfigEntry>();
  const ofEntries: ConfigProblem[] = [];
  const prefixes = new Map<string, string>();
  for (const { path, servers, keys } of listed(root, around.projectDir, problems)) {
    for (const key of keys) {
      const where = below(path, key);
      const first = entries.get(key);
      if (first !== undefined) {
        problems.add('note', where, `the server of the same name at ${first.path} takes its place`, { server: key });
        continue;
      }
      const { entry, problems: found } = readEntry(key, () => servers[key], where, around);
      entries.set(key, entry);
      ofEntries.push(...found);
      if (entry.state === 'disabled') continue;
      const other = prefixes.get(toolPrefix(key));
      if (other === undefined) prefixes.set(toolPrefix(key), key);
      else {
        const same = `its tools begin with ${toolPrefix(key)}, as those of ${JSON.stringify(other)} do: rename one of them`;
        problems.add('warning', where, same, { server: key });
      }
    }
  }
  return {
    file,
    projectDir: around.projectDir,
    entries: [...entries.values()],
    problems: [...problems.all, ...ofEntries],
  };
};

/**
 * Reads a config that is an object already. Throws an `OptionError` for an option that cannot be used, and nothing
 * otherwise.
 */
export const readConfig = (root: unknown, options: LoadOptions = {}): LoadedConfig =>
  read(root, surroundingsOf(options, undefined), undefined);

/** As {@link readConfig}, for the text of a file, which may have comments and commas after the last member. */
export const readConfigText = (text: string, file: string | undefined, options: LoadOptions = {}): LoadedConfig => {
  const around = surroundingsOf(options, file);
  const found = readJsonc(text);
  if ('fault' in found) {
    const { fault, line, column } = found;
    const where = `${file === undefined ? '' : `${file}:`}${line}:${column}`;
    return unread(file, around, { message: `${where}: ${fault}`, line, column });
  }
  const problems = new Problems();
  for (const path of found.repeated) {
    problems.add('warning', path, 'this key is there more than once: the last counts, remove the others');
  }
  const loaded = read(found.value, around, file);
  return { ...loaded, problems: [...problems.all, ...loaded.problems] };
};

const unread = (
  file: string | undefined,
  { projectDir }: Surroundings,
  problem: Pick<ConfigProblem, 'message' | 'line' | 'column'>,
): LoadedConfig => ({ file, projectDir, entries: [], problems: [{ level: 'error', path: '', ...problem }] });

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file: give the path of a config',
  ENOTDIR: 'there is no such file: give the path of a config',
  EISDIR: 'it is a folder: give the path of a config',
  EACCES: 'this user may not read it: change its permissions',
  EPERM: 'this user may not read it: change its permissions',
};

const whyUnreadable = (error: unknown): string =>
  REASONS[(error as NodeJS.ErrnoException | undefined)?.code ?? ''] ?? messageOf(error);

/**
 * Reads the servers of a config: the `mcpServers` of Claude Code, Claude Desktop, Cursor, Windsurf and others, or the
 * `servers` of VS Code. Whatever is wrong is in `problems` of the answer, with its path, and what is wrong in one entry
 * fails that one alone: a file that cannot be read has no entries. Rejects with an `OptionError` for an option that cannot
 * be used, and for nothing else.
 * @param source the path of a file, or what such a file holds
 * @example
 * const { entries, problems } = await loadConfig({ mcpServers: { files: { command: 'files-server', args: ['${HOME}'] } } });
 */
export const loadConfig = async (source: string | URL | object, options: LoadOptions = {}): Promise<LoadedConfig> => {
  const file = fileOf(source);
  if (file === undefined) return readConfig(source, options);
  const around = surroundingsOf(options, file);
  let text: string;
  try {
    text = decodeText(await readFile(file));
  } catch (error) {
    return unread(file, around, { message: `${file}: ${whyUnreadable(error)}` });
  }
  return readConfigText(text, file, options);
};
