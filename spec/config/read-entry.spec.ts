import { describe, expect, it } from '@jest/globals';
import { readEntry } from '../../src/config/read-entry.js';

const AROUND = {
  env: { HOST: 'example.com', API_TOKEN: 'hunter2-hunter2', ON: 'true' },
  projectDir: '/work/app',
  home: '/home/me',
};

const read = (raw: unknown, key = 'one') => readEntry(key, () => raw, '/mcpServers/one', AROUND);

describe('readEntry', () => {
  it('fails an entry that cannot be read, and says why', () => {
    const broken = (): never => {
      throw new Error('no token=abc123 here');
    };
    const told = { state: 'failed', reason: 'it cannot be read: no token=[redacted] here' };
    expect(readEntry('one', broken, '/mcpServers/one', AROUND)).toMatchObject({ entry: told });
    expect(read(Object.defineProperty({}, 'command', { enumerable: true, get: broken }))).toMatchObject({
      entry: told,
    });
    const env = Object.defineProperty({}, 'A', { enumerable: true, get: broken });
    expect(read({ command: 'x', env })).toMatchObject({ entry: told });
  });

  it('replaces the references in every text it knows', () => {
    const raw = { command: '${HOST}', args: ['${HOST}/x', '${workspaceFolder}'], env: { A: '${env:HOST}' } };
    expect(read({ ...raw, description: '${NOT_SET}' })).toMatchObject({
      entry: {
        ...{ key: 'one', path: '/mcpServers/one', state: 'usable' },
        server: { command: 'example.com', args: ['example.com/x', '/work/app'], env: { A: 'example.com' } },
      },
      problems: [{ level: 'note', path: '/mcpServers/one/description', server: 'one' }],
    });
  });

  it('fails with the name of a variable that is not set, and tells nothing that follows from that', () => {
    const { entry, problems } = read({ url: '${BASE}/mcp', headers: { A: '${KEY}' }, timeout: '${T}' });
    expect(problems.map(({ path, variable, server }) => [path, variable, server])).toEqual([
      ['/mcpServers/one/url', 'BASE', 'one'],
      ['/mcpServers/one/headers/A', 'KEY', 'one'],
      ['/mcpServers/one/timeout', 'T', 'one'],
    ]);
    expect(entry).toMatchObject({ state: 'failed' });
    expect(entry).toHaveProperty(
      'reason',
      expect.stringMatching(/^url: the variable BASE is not set: set it.*; headers\/A: /),
    );
  });

  it('tells nothing of what is switched off', () => {
    expect(read({ disabled: '${ON}', command: '${NOT_SET}', args: 5 })).toEqual({
      entry: { key: 'one', path: '/mcpServers/one', state: 'disabled' },
      problems: [],
    });
  });

  it.each([['npx'], [null], [[]], [5]])('fails where it is no object: %j', (raw) => {
    expect(read(raw).entry).toMatchObject({ state: 'failed', reason: 'a server is an object with a command or a url' });
  });

  it('says once what its reason is about', () => {
    const { entry } = read({ type: 'ws', command: 'x', timeout: '${T}' });
    expect(entry).toHaveProperty('reason', expect.stringMatching(/^timeout: the variable T .*; type: give one of/));
  });

  it('ends at an object that is endless', () => {
    const env: Record<string, unknown> = { A: '1' };
    env['SELF'] = env;
    expect(read({ command: 'x', env, args: [env], toolbox: env }).problems).toMatchObject([
      { level: 'note', path: '/mcpServers/one/toolbox' },
      { level: 'error', path: '/mcpServers/one/args/0' },
      { level: 'error', path: '/mcpServers/one/env/SELF' },
    ]);
  });

  it('fails where it has no name', () => {
    expect(read({ command: 'x' }, ' ').entry).toMatchObject({ state: 'failed', reason: expect.stringMatching(/name/) });
  });

  it('keeps what is secret out of its messages, and gives what keeps it out of others', () => {
    const bad = read({ url: 'http://h', headers: { 'x y': '${API_TOKEN}', 'hunter2-hunter2': '\n' } });
    expect(JSON.stringify(bad)).not.toContain('hunter2-hunter2');
    const { entry } = read({ command: 'x', args: ['${API_TOKEN}'], env: { A_KEY: 'my-own-key' } });
    if (entry.state !== 'usable') throw new Error('it should be usable');
    expect(entry.redact('got hunter2-hunter2 and my-own-key')).toBe('got [redacted] and [redacted]');
  });
});
