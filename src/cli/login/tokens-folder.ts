import { posix, resolve, win32 } from 'node:path';
import type { Io } from '../io.js';

/** What a variable says, if it says something. */
const said = (value: string | undefined): string | undefined => (value === '' ? undefined : value);

/**
 * The folder in which the tokens of a user are kept: that of `RX_MCP_TOKENS`, else `rx-mcp` in the place where the programs of
 * this system keep their users' data.
 */
export const tokensFolder = ({ env, home, platform, cwd }: Pick<Io, 'env' | 'home' | 'platform' | 'cwd'>): string => {
  const given = said(env['RX_MCP_TOKENS']);
  if (given !== undefined) return resolve(cwd, given);
  if (platform === 'win32') {
    return win32.join(said(env['LOCALAPPDATA']) ?? win32.join(home, 'AppData', 'Local'), 'rx-mcp');
  }
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support', 'rx-mcp');
  const data = said(env['XDG_DATA_HOME']);
  // One that is relative is to be ignored. XDG Base Directory Specification.
  return posix.join(
    data !== undefined && posix.isAbsolute(data) ? data : posix.join(home, '.local', 'share'),
    'rx-mcp',
  );
};
