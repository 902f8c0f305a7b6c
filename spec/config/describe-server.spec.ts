import { describe, expect, it } from '@jest/globals';
import { describeServer } from '../../src/config/describe-server.js';
import { loadConfig } from '../../src/config/load-config.js';
import type { ServerConfig } from '../../src/config/server-config.js';

const R = '[redacted]';

describe('describeServer', () => {
  it('masks the secrets of a process, and leaves the config as it was', () => {
    const server: ServerConfig = {
      transport: 'stdio',
      command: 'npx',
      args: ['--token', 'abc'],
      env: { API_KEY: 'abc', PORT: '1', DATABASE_URL: 'postgres://u:p@h/x', GONE: undefined },
      timeoutMs: 5,
    };
    const before = structuredClone(server);
    expect(describeServer(server)).toEqual({
      ...server,
      args: ['--token', R],
      env: { API_KEY: R, PORT: '1', DATABASE_URL: `postgres://${R}@h/x`, GONE: undefined },
    });
    expect(server).toEqual(before);
    expect(describeServer({ transport: 'stdio', command: 'x' })).toEqual({ transport: 'stdio', command: 'x' });
  });

  it('masks the secrets of a URL and its headers', () => {
    const headers = { Authorization: 'Bearer abc', 'X-Tenant': 'me', Accept: 'text/plain' };
    expect(describeServer({ transport: 'http', url: 'https://h/x?k=v', headers })).toEqual({
      ...{ transport: 'http', url: `https://h/x?k=${R}` },
      headers: { Authorization: R, 'X-Tenant': R, Accept: 'text/plain' },
    });
  });

  it('masks a secret wherever else it stands', () => {
    const server: ServerConfig = {
      transport: 'stdio',
      command: 'run-my-own-key',
      args: ['my-own-key', '--at=my-own-key'],
      cwd: '/x/my-own-key',
      env: { API_KEY: 'my-own-key', AGAIN: 'my-own-key', PORT: '1' },
    };
    expect(describeServer(server)).toEqual({
      ...{ transport: 'stdio', command: `run-${R}`, args: [R, `--at=${R}`], cwd: `/x/${R}` },
      env: { API_KEY: R, AGAIN: R, PORT: '1' },
    });
  });

  it('masks what came from a variable that is secret by name, or stood in for one', async () => {
    const [T, D] = ['${MY_TOKEN}', '${API_KEY:-or-else}'];
    const { entries } = await loadConfig(
      {
        mcpServers: {
          one: { command: T, args: [T, D], cwd: `/x/${T}`, env: { A: T }, allowedTools: [T], blockedTools: [D] },
          two: { url: `https://h/${T}/${D}`, headers: { Accept: T } },
        },
      },
      { env: { MY_TOKEN: 'correct-horse' } },
    );
    const told = entries.map((entry) => (entry.state === 'usable' ? describeServer(entry.server) : entry));
    expect(told).toEqual([
      {
        ...{ transport: 'stdio', command: R, args: [R, R], cwd: `/x/${R}`, env: { A: R } },
        ...{ allowedTools: [R], blockedTools: [R] },
      },
      { transport: 'http', url: `https://h/${R}/${R}`, headers: { Accept: R } },
    ]);
  });
});
