import { describe, expect, it } from '@jest/globals';
import { configPlaces, findConfig } from '../../src/config/find-config.js';

const LINUX = { cwd: '/home/me/app/src', home: '/home/me', platform: 'linux', env: {} };
const MAC = { cwd: '/Users/me', home: '/Users/me', platform: 'darwin', env: {} };
const WINDOWS = { cwd: 'C:\\app', home: 'C:\\Users\\me', platform: 'win32', env: {} };

const filesOf = (search: Parameters<typeof configPlaces>[0]) => configPlaces(search).map(({ file }) => file);

describe('the places of a config', () => {
  it('are the project’s, from the folder upwards, and then the user’s of each client', () => {
    expect(filesOf(LINUX)).toEqual([
      '/home/me/app/src/.mcp.json',
      '/home/me/app/.mcp.json',
      '/home/me/.mcp.json',
      '/home/.mcp.json',
      '/.mcp.json',
      '/home/me/.claude.json',
      '/home/me/.config/Claude/claude_desktop_config.json',
      '/home/me/.cursor/mcp.json',
      '/home/me/.config/Code/User/mcp.json',
      '/home/me/.codeium/windsurf/mcp_config.json',
    ]);
  });

  it('are the project’s alone where the user has no home, and what variables name', () => {
    const homeless = { cwd: '/app', home: undefined, platform: 'linux' };
    expect(filesOf({ ...homeless, env: {} })).toEqual(['/app/.mcp.json', '/.mcp.json']);
    expect(filesOf({ ...homeless, env: { CLAUDE_CONFIG_DIR: '/c', XDG_CONFIG_HOME: '/x' } })).toEqual([
      ...['/app/.mcp.json', '/.mcp.json', '/c/.claude.json'],
      ...['/x/Claude/claude_desktop_config.json', '/x/Code/User/mcp.json'],
    ]);
  });

  it('are where each platform keeps them', () => {
    expect(filesOf(MAC)).toEqual(
      expect.arrayContaining([
        '/Users/me/Library/Application Support/Claude/claude_desktop_config.json',
        '/Users/me/Library/Application Support/Code/User/mcp.json',
      ]),
    );
    expect(filesOf(WINDOWS)).toEqual([
      'C:\\app\\.mcp.json',
      'C:\\.mcp.json',
      'C:\\Users\\me\\.claude.json',
      'C:\\Users\\me\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
      'C:\\Users\\me\\.cursor\\mcp.json',
      'C:\\Users\\me\\AppData\\Roaming\\Code\\User\\mcp.json',
      'C:\\Users\\me\\.codeium\\windsurf\\mcp_config.json',
    ]);
  });

  it('are where variables say', () => {
    const env = { XDG_CONFIG_HOME: '/cfg', CLAUDE_CONFIG_DIR: '/claude' };
    expect(filesOf({ ...LINUX, env })).toEqual(
      expect.arrayContaining(['/claude/.claude.json', '/cfg/Code/User/mcp.json']),
    );
    expect(filesOf({ ...LINUX, env: { XDG_CONFIG_HOME: '' } })).toContain('/home/me/.config/Code/User/mcp.json');
    expect(filesOf({ ...WINDOWS, env: { APPDATA: 'D:\\data' } })).toContain('D:\\data\\Code\\User\\mcp.json');
  });

  it('are the given one alone', () => {
    expect(configPlaces({ ...LINUX, given: '../x.json' })).toEqual([
      { file: '/home/me/app/x.json', of: 'given', client: undefined },
    ]);
  });
});

describe('findConfig', () => {
  it('takes the first that exists', () => {
    const there = (...files: readonly string[]) => findConfig(LINUX, (file) => files.includes(file));
    expect(there('/home/me/.claude.json', '/home/me/app/.mcp.json')).toEqual({
      ...{ file: '/home/me/app/.mcp.json', of: 'project', client: 'Claude Code' },
    });
    expect(there('/home/me/.cursor/mcp.json')).toMatchObject({ of: 'user', client: 'Cursor' });
    expect(there()).toBeUndefined();
  });

  it('takes the given one whether it exists or not', () => {
    expect(findConfig({ ...LINUX, given: '/x.json' }, () => false)).toMatchObject({ file: '/x.json', of: 'given' });
  });
});
