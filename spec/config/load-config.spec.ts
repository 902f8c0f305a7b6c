import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from '@jest/globals';
import { loadConfig, readConfig, readConfigText } from '../../src/config/load-config.js';
import { OptionError } from '../../src/index.js';

const folder = mkdtempSync(join(tmpdir(), 'rx-mcp-config-'));
afterAll(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string): string => {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
};

describe('loadConfig', () => {
  it('reads the file of a project, whose folder is the project', async () => {
    const file = write('p/.mcp.json', '{ "mcpServers": { "a": { "command": "x", "cwd": "sub" } } }');
    const loaded = await loadConfig(file);
    expect(loaded).toMatchObject({ file, projectDir: join(folder, 'p'), problems: [] });
    expect(loaded.entries).toMatchObject([{ key: 'a', state: 'usable', server: { cwd: join(folder, 'p', 'sub') } }]);
    expect(await loadConfig(pathToFileURL(file))).toMatchObject({ file });
  });

  it('reads the file of VS Code, with comments and inputs', async () => {
    const file = write(
      'q/.vscode/mcp.json',
      `{
        // asked for once
        "inputs": [{ "type": "promptString", "id": "key", "password": true }],
        "servers": {
          "asks": { "url": "http://h", "headers": { "Authorization": "Bearer \${input:key}" } },
          "here": { "command": "x", "args": ["\${workspaceFolder}"], },
        },
      }`,
    );
    const { projectDir, entries, problems } = await loadConfig(file);
    expect(projectDir).toBe(join(folder, 'q'));
    expect(entries).toMatchObject([
      { key: 'asks', state: 'failed', reason: expect.stringMatching(/input:key.*environment variable/) },
      { key: 'here', state: 'usable', server: { args: [projectDir] } },
    ]);
    expect(problems.map(({ level, path }) => [level, path])).toEqual([
      ['warning', '/inputs'],
      ['error', '/servers/asks/headers/Authorization'],
    ]);
  });

  it.each([
    ['none.json', /none\.json: there is no such file/],
    ['.', /it is a folder/],
  ])('has no entries and one problem where it cannot read %s', async (name, message) => {
    const { entries, problems } = await loadConfig(join(folder, name));
    expect(entries).toEqual([]);
    expect(problems).toEqual([{ level: 'error', path: '', message: expect.stringMatching(message) }]);
  });

  it('says in which line and column a text is no JSON, and quotes nothing of it', async () => {
    const file = write('bad.json', '{\n  "mcpServers": { "a": { "env": { "TOKEN": hunter2 } } }\n}');
    const { entries, problems } = await loadConfig(file);
    expect([entries, problems]).toMatchObject([[], [{ level: 'error', path: '', line: 2, column: 44 }]]);
    expect(problems[0]?.message).toMatch(/bad\.json:2:44: a value is missing/);
    expect(problems[0]?.message).not.toContain('hunter2');
  });

  it('takes an object', async () => {
    expect((await loadConfig({ mcpServers: { a: { command: 'x' } } })).entries).toMatchObject([{ state: 'usable' }]);
  });

  it('rejects with an OptionError for an option that cannot be used', async () => {
    await expect(loadConfig({}, { environment: {} } as never)).rejects.toThrow(OptionError);
    await expect(loadConfig('x', { projectDir: '' })).rejects.toThrow(OptionError);
    await expect(loadConfig({}, { plugin: {} } as never)).rejects.toThrow(/"plugin\.root"/);
    await expect(loadConfig(new URL('https://example.com/mcp.json'))).rejects.toThrow(OptionError);
  });
});

describe('readConfig', () => {
  it('lets one bad entry cost no other, and keeps the order', () => {
    const mcpServers = {
      good: { command: 'x', env: { A: '${A}' } },
      missing: { command: 'x', env: { TOKEN: '${SOME_TOKEN}' } },
      off: { command: 'x', disabled: true },
      odd: 5,
      web: { type: 'http', url: 'https://${HOST:-example.com}/mcp' },
    };
    const { file, entries, problems } = readConfig({ mcpServers }, { env: { A: '1' } });
    expect(file).toBeUndefined();
    expect(entries.map(({ key, state }) => `${key} ${state}`)).toEqual([
      ...['good usable', 'missing failed', 'off disabled', 'odd failed', 'web usable'],
    ]);
    expect(entries[1]).toHaveProperty('reason', expect.stringContaining('SOME_TOKEN'));
    expect(problems.map(({ path, server, variable }) => [path, server, variable])).toEqual([
      ['/mcpServers/missing/env/TOKEN', 'missing', 'SOME_TOKEN'],
      ['/mcpServers/odd', 'odd', undefined],
    ]);
  });

  it('lets references mean what the server will see of its project and its plugin', () => {
    const args = ['${CLAUDE_PROJECT_DIR}', '${CLAUDE_PLUGIN_ROOT}/x', '${CLAUDE_PLUGIN_DATA:-none}'];
    const env = { CLAUDE_PROJECT_DIR: '/else', CLAUDE_PLUGIN_ROOT: '/host', CLAUDE_PLUGIN_DATA: '/host/data' };
    const options = { env, projectDir: '/work', plugin: { root: '/plugin' } };
    expect(readConfig({ a: { command: 'x', args } }, options).entries).toMatchObject([
      { server: { args: ['/work', '/plugin/x', 'none'] } },
    ]);
  });

  it('has what is no object as a problem', () => {
    for (const root of [[], null, 5, undefined]) {
      expect(readConfig(root)).toMatchObject({ entries: [], problems: [{ level: 'error', path: '' }] });
    }
  });

  it('has what throws when it is looked at as a problem, without its secrets', async () => {
    const thrower = {
      get mcpServers(): object {
        throw new Error('no token=abc123 here');
      },
    };
    const problems = [{ level: 'error', path: '', message: 'it cannot be read: no token=[redacted] here' }];
    expect(readConfig(thrower)).toMatchObject({ entries: [], problems });
    expect(await loadConfig(thrower)).toMatchObject({ entries: [], problems });
    const mcpServers = new Proxy(
      {},
      {
        ownKeys: (): never => {
          throw new Error('no token=abc123 here');
        },
      },
    );
    expect(readConfig({ mcpServers })).toMatchObject({ entries: [], problems });
  });

  it('warns of two keys whose tools would have the same names', () => {
    const { entries, problems } = readConfig({ mcpServers: { 'a.b': { command: 'x' }, a_b: { command: 'y' } } });
    expect(entries).toHaveLength(2);
    expect(problems).toMatchObject([{ level: 'warning', path: '/mcpServers/a_b', server: 'a_b' }]);
    expect(problems[0]?.message).toMatch(/mcp__a_b__, as those of "a\.b" do: rename/);
  });

  it('takes the servers of the project before those of the user', () => {
    const projects = { '/work': { mcpServers: { a: { command: 'mine' } } } };
    const mcpServers = { a: { command: 'theirs' }, b: { command: 'x' } };
    const { entries, problems } = readConfig({ mcpServers, projects }, { projectDir: '/work' });
    expect(entries).toMatchObject([{ key: 'a', server: { command: 'mine' } }, { key: 'b' }]);
    expect(problems).toMatchObject([{ level: 'note', path: '/mcpServers/a' }]);
  });

  it('takes a server that is called __proto__ as any other', () => {
    const { entries } = readConfigText('{ "mcpServers": { "__proto__": { "command": "x" } } }', undefined);
    expect(entries).toMatchObject([{ key: '__proto__', state: 'usable' }]);
  });
});

describe('readConfigText', () => {
  it('warns of a server that is there twice', () => {
    const text = '{ "mcpServers": { "a": { "command": "x" }, "a": { "command": "y" } } }';
    const { entries, problems } = readConfigText(text, undefined);
    expect(entries).toMatchObject([{ server: { command: 'y' } }]);
    expect(problems).toMatchObject([{ level: 'warning', path: '/mcpServers/a' }]);
  });

  it.each([
    ['/home/me/.cursor/mcp.json', process.cwd()],
    ['/work/app/.cursor/mcp.json', '/work/app'],
    ['/work/app/.mcp.json', '/work/app'],
    ['/work/app/servers.json', process.cwd()],
  ])('knows the project of %s', (file, projectDir) => {
    expect(readConfigText('{ "mcpServers": {} }', file, { home: '/home/me' })).toMatchObject({ file, projectDir });
  });
});
