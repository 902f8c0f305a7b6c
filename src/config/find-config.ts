import { posix, win32 } from 'node:path';
import type { Variables } from './expand.js';

/** A file that may be the config to use. */
export interface ConfigPlace {
  readonly file: string;
  /** Why it is looked at: it was given, it is the project's, or it belongs to the user. */
  readonly of: 'given' | 'project' | 'user';
  /** Whose file it is. */
  readonly client: 'Claude Code' | 'Claude Desktop' | 'Cursor' | 'VS Code' | 'Windsurf' | undefined;
}

/** Where a config is looked for. */
export interface ConfigSearch {
  /** The file that the user named, if one was named. */
  readonly given?: string | undefined;
  /** The folder to begin in. */
  readonly cwd: string;
  /** The home of the user; `undefined` where there is none: then nothing is looked for there. */
  readonly home: string | undefined;
  /** As `process.platform`. */
  readonly platform: string;
  /** As `process.env`: `APPDATA`, `XDG_CONFIG_HOME` and `CLAUDE_CONFIG_DIR` say where clients keep their files. */
  readonly env: Variables;
}

type Paths = typeof posix;

/** The folder and all above it. */
const upwards = (folder: string, paths: Paths): readonly string[] => {
  const parent = paths.dirname(folder);
  return parent === folder ? [folder] : [folder, ...upwards(parent, paths)];
};

const some = (env: Variables, name: string): string | undefined => (env[name] === '' ? undefined : env[name]);

/** Joins what is below the home of a user; nothing where there is none. */
const inHome = ({ home }: Pick<ConfigSearch, 'home'>, paths: Paths, ...below: readonly string[]): string | undefined =>
  home === undefined ? undefined : paths.join(home, ...below);

/** The folder in which programs keep what belongs to a user. */
const applicationData = (search: ConfigSearch, paths: Paths): string | undefined => {
  const { platform, env } = search;
  if (platform === 'win32') return some(env, 'APPDATA') ?? inHome(search, paths, 'AppData', 'Roaming');
  if (platform === 'darwin') return inHome(search, paths, 'Library', 'Application Support');
  return some(env, 'XDG_CONFIG_HOME') ?? inHome(search, paths, '.config');
};

/**
 * Where a config may be, the first that is there being the one to use: the file that was given and no other; else the
 * `.mcp.json` of the folder and of those above it; else the files that clients keep for their user. Pure.
 */
export const configPlaces = (search: ConfigSearch): readonly ConfigPlace[] => {
  const { given, cwd, platform, env } = search;
  const paths = platform === 'win32' ? win32 : posix;
  if (given !== undefined) return [{ file: paths.resolve(cwd, given), of: 'given', client: undefined }];
  const data = applicationData(search, paths);
  const inData = (...below: readonly string[]): string | undefined =>
    data === undefined ? undefined : paths.join(data, ...below);
  const ofClaudeCode = some(env, 'CLAUDE_CONFIG_DIR') ?? inHome(search, paths);
  const users: readonly (readonly [client: NonNullable<ConfigPlace['client']>, file: string | undefined])[] = [
    ['Claude Code', ofClaudeCode === undefined ? undefined : paths.join(ofClaudeCode, '.claude.json')],
    ['Claude Desktop', inData('Claude', 'claude_desktop_config.json')],
    ['Cursor', inHome(search, paths, '.cursor', 'mcp.json')],
    ['VS Code', inData('Code', 'User', 'mcp.json')],
    ['Windsurf', inHome(search, paths, '.codeium', 'windsurf', 'mcp_config.json')],
  ];
  return [
    ...upwards(paths.resolve(cwd), paths).map((folder): ConfigPlace => ({
      file: paths.join(folder, '.mcp.json'),
      of: 'project',
      client: 'Claude Code',
    })),
    ...users.flatMap(([client, file]): ConfigPlace[] => (file === undefined ? [] : [{ file, of: 'user', client }])),
  ];
};

/**
 * The config to use: the first of {@link configPlaces} that `exists`; `undefined` if none does. One that was given is it,
 * whether it exists or not: reading it tells the user what is wrong.
 * @param exists tells whether a file is there; it may also look whether it holds servers, as a client's often does not
 */
export const findConfig = (search: ConfigSearch, exists: (file: string) => boolean): ConfigPlace | undefined =>
  configPlaces(search).find(({ file, of }) => of === 'given' || exists(file));
