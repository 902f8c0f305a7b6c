import { describe, expect, it } from '@jest/globals';
import { connectStdio, type StdioOptions } from '../../src/bridge/stdio.js';
import { McpClient, OptionError, SpawnFailedError } from '../../src/index.js';
import { closing } from '../support/client/connect.js';
import { rejection, thrownBy } from '../support/client/watch.js';

const refusal = (options: unknown): OptionError => {
  const thrown = thrownBy(() => connectStdio(options as StdioOptions));
  expect(thrown).toBeInstanceOf(OptionError);
  return thrown as OptionError;
};

describe('connectStdio()', () => {
  it('spawns nothing before it is used', async () => {
    const client = connectStdio({ command: '/no/such/program' });
    expect(client).toBeInstanceOf(McpClient);
    expect(client.alive).toBe(true);
    await client.close();
  });

  it('takes the options of the process and those of the client in one object', async () => {
    const client = connectStdio({
      command: process.execPath,
      args: ['--version'],
      env: { A: 'b', REMOVED: undefined },
      cwd: process.cwd(),
      inheritEnv: false,
      killGraceMs: 10,
      restart: false,
      maxMessageBytes: 1_000,
      era: 'modern',
      logLevel: 'info',
      requestTimeoutMs: 5,
    });
    await client.close();
    expect(client.alive).toBe(false);
  });

  it.each<readonly [option: string, options: object]>([
    ['command', {}],
    ['command', { command: '' }],
    ['command', { command: 5 }],
    ['command', { command: 'no\0de' }],
    ['args', { command: 'node', args: 'x' }],
    ['args', { command: 'node', args: ['a', 'b\0'] }],
    ['env', { command: 'node', env: { A: 1 } }],
    ['cwd', { command: 'node', cwd: '' }],
    ['inheritEnv', { command: 'node', inheritEnv: 'no' }],
    ['killGraceMs', { command: 'node', killGraceMs: -1 }],
    ['restart', { command: 'node', restart: 0 }],
    ['maxMessageBytes', { command: 'node', maxMessageBytes: 0 }],
    ['requestTimeoutMs', { command: 'node', requestTimeoutMs: '1s' }],
    ['arguments', { command: 'node', arguments: [] }],
    ['shell', { command: 'node', shell: true }],
    ['wire', { command: 'node', wire: 'session.jsonl' }],
    ['wire', { command: 'node', wire: () => undefined }],
    ['protocolVersions', { command: 'node', protocolVersions: ['2025-11-25'] }],
  ])('refuses at once, naming %s: %j', (option, options) => {
    expect(refusal(options).option).toBe(option);
  });

  it('names its own options among the known ones', () => {
    expect(refusal({ command: 'node', shell: true }).message).toContain(
      'known are command, args, env, cwd, inheritEnv, killGraceMs, restart, redact, wire, clientInfo,',
    );
  });

  it('says what was meant by an option that does not exist', () => {
    const message = (options: object): string => refusal({ command: 'node', ...options }).message;
    expect(message({ requestTimeout: 1 })).toMatch(/there is no such option; did you mean requestTimeoutMs\b/);
    expect(message({ arg: [] })).toContain('did you mean args?');
    expect(message({ arg: [] })).not.toContain('killGraceMs');
  });

  it.each([undefined, null, 'node server.js', 5])('refuses %p in place of options', (options) => {
    refusal(options);
  });

  it('fails the first use, with the reason, where the command does not exist', async () => {
    const client = closing(connectStdio({ command: '/no/such/program', args: ['--stdio'] }));
    const error = await rejection(client.promises.server());
    expect(error).toBeInstanceOf(SpawnFailedError);
    expect(error).toMatchObject({ command: '/no/such/program', args: ['--stdio'] });
    expect(client.alive).toBe(true);
  });

  it('fails the first use, with the reason, where the working directory does not exist', async () => {
    const client = closing(connectStdio({ command: process.execPath, cwd: '/no/such/directory' }));
    const error = await rejection(client.promises.listTools());
    expect(error).toBeInstanceOf(SpawnFailedError);
    expect((error as SpawnFailedError).message).toContain('/no/such/directory');
  });
});
