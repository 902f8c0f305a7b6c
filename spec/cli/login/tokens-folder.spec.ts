import { describe, expect, it } from '@jest/globals';
import { neededTokensFolder, tokensFolder } from '../../../src/cli/login/tokens-folder.js';

const folder = (
  platform: string,
  env: Record<string, string> = {},
  home: string | undefined = '/home/ada',
): string | undefined => tokensFolder({ platform, env, home, cwd: '/work' });

describe('the folder of the tokens', () => {
  it.each([
    ['linux', {}, '/home/ada/.local/share/rx-mcp'],
    ['linux', { XDG_DATA_HOME: '/data' }, '/data/rx-mcp'],
    ['linux', { XDG_DATA_HOME: 'data' }, '/home/ada/.local/share/rx-mcp'],
    ['linux', { XDG_DATA_HOME: '' }, '/home/ada/.local/share/rx-mcp'],
    ['darwin', { XDG_DATA_HOME: '/data' }, '/home/ada/Library/Application Support/rx-mcp'],
    ['linux', { RX_MCP_TOKENS: '/secret', XDG_DATA_HOME: '/data' }, '/secret'],
    ['linux', { RX_MCP_TOKENS: 'secret' }, '/work/secret'],
    ['linux', { RX_MCP_TOKENS: '' }, '/home/ada/.local/share/rx-mcp'],
  ])('is where the programs of %s keep data, with %j', (platform, env, expected) => {
    expect(folder(platform, env)).toBe(expected);
  });

  it('is none where the user has no home and no variable names one', () => {
    const io = { env: {}, home: undefined, cwd: '/work' };
    for (const platform of ['linux', 'darwin', 'win32']) {
      expect(tokensFolder({ ...io, platform })).toBeUndefined();
      expect(() => neededTokensFolder({ ...io, platform })).toThrow('no home folder to keep tokens in');
    }
    expect(tokensFolder({ ...io, platform: 'linux', env: { XDG_DATA_HOME: '/data' } })).toBe('/data/rx-mcp');
  });

  it('is a local one on Windows', () => {
    const home = 'C:\\Users\\ada';
    expect(folder('win32', {}, home)).toBe('C:\\Users\\ada\\AppData\\Local\\rx-mcp');
    expect(folder('win32', { LOCALAPPDATA: 'D:\\Data' }, home)).toBe('D:\\Data\\rx-mcp');
  });
});
