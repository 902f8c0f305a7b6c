import { posix, resolve, win32 } from 'node:path';
import { usageError } from '../exit.js';
import type { Io } from '../io.js';

/** What a variable says, if it says something. */
const said = (value: string | undefined): string | undefined => (value === '' ? undefined : value);

/** Where the programs of a system keep their users' data. XDG Base Directory Specification: a relative one is to be ignored. */
const dataFolder = (env: Io['env'], platform: string, home: string | undefined): string | undefined => {
  const inHome = (paths: typeof posix, ...below: readonly string[]): string | undefined =>
    home === undefined ? undefined : paths.join(home, ...below);
  if (platform === 'win32') return said(env['LOCALAPPDATA']) ?? inHome(win32, 'AppData', 'Local');
  if (platform === 'darwin') return inHome(posix, 'Library', 'Application Support');
  const data = said(env['XDG_DATA_HOME']);
  return data !== undefined && posix.isAbsolute(data) ? data : inHome(posix, '.local', 'share');
};

/**
 * The folder in which the tokens of a user are kept: that of `RX_MCP_TOKENS`, else `rx-mcp` in the place where the programs of
 * this system keep their users' data; `undefined` where there is no such place, since the user has no home.
 */
export const tokensFolder = (io: Pick<Io, 'env' | 'home' | 'platform' | 'cwd'>): string | undefined => {
  const { env, platform, home } = io;
  const given = said(env['RX_MCP_TOKENS']);
  if (given !== undefined) return resolve(io.cwd, given);
  const data = dataFolder(env, platform, home);
  return data === undefined ? undefined : (platform === 'win32' ? win32 : posix).join(data, 'rx-mcp');
};

/** The same, for a command that is of no use without. Throws a usage error. */
export const neededTokensFolder = (io: Pick<Io, 'env' | 'home' | 'platform' | 'cwd'>): string => {
  const folder = tokensFolder(io);
  if (folder !== undefined) return folder;
  throw usageError(
    'this user has no home folder to keep tokens in',
    'set the variable HOME, or RX_MCP_TOKENS to a folder',
  );
};
