import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { stdioConnector } from '../../../src/transport/stdio/index.js';
import type { StdioParameters } from '../../../src/transport/stdio/index.js';

const identityOf = (parameters: StdioParameters): string | undefined => stdioConnector(parameters).identity;

describe('the identity of a stdio server', () => {
  const base: StdioParameters = { command: 'server', args: ['a', 'b'], cwd: '/tmp', env: { A: '1', B: '2' } };

  it('is a SHA-256 in hex in which nothing can be read', () => {
    expect(identityOf({ ...base, env: { TOKEN: 'hush' } })).toMatch(/^[0-9a-f]{64}$/);
  });

  it('is the same for what starts the same server', () => {
    expect(identityOf({ ...base, env: { B: '2', A: '1' } })).toBe(identityOf(base));
    expect(identityOf({ ...base, killGraceMs: 1, restart: false, maxMessageBytes: 5 })).toBe(identityOf(base));
    expect(identityOf({ command: 'server', cwd: '.' })).toBe(identityOf({ command: 'server', cwd: process.cwd() }));
    expect(identityOf({ command: 'server' })).toBe(identityOf({ command: 'server', cwd: process.cwd() }));
  });

  it.each<[string, StdioParameters]>([
    ['command', { ...base, command: 'other' }],
    ['arguments', { ...base, args: ['a', 'c'] }],
    ['split of the arguments', { ...base, args: ['a b'] }],
    ['working directory', { ...base, cwd: '/' }],
    ['value of a variable', { ...base, env: { A: '1', B: '3' } }],
    ['removal of a variable', { ...base, env: { A: '1', B: undefined } }],
    ['inheritance of the environment', { ...base, inheritEnv: false }],
  ])('differs with the %s', (_what, parameters) => {
    expect(identityOf(parameters)).not.toBe(identityOf(base));
  });

  it('is the same for any number of variables in any order', () => {
    const names = ['D', 'B', 'A', 'C', 'a', 'E'];
    const env = (order: readonly string[]) => Object.fromEntries(order.map((name) => [name, `of ${name}`]));
    expect(identityOf({ command: 'server', env: env([...names].reverse()) })).toBe(
      identityOf({ command: 'server', env: env(names) }),
    );
  });

  it('is there, too, where the directory of this process is there no longer', () => {
    const before = process.cwd();
    const removed = mkdtempSync(join(tmpdir(), 'rx-mcp-removed-'));
    process.chdir(removed);
    rmSync(removed, { recursive: true });
    try {
      const identities = [undefined, 'a', 'b'].map((cwd) => identityOf({ command: 'server', cwd }));
      expect(new Set(identities).size).toBe(3);
      expect(identityOf({ command: 'server', cwd: '/tmp' })).toMatch(/^[0-9a-f]{64}$/);
    } finally {
      process.chdir(before);
    }
    expect(identityOf({ command: 'server', cwd: '/tmp/..' })).toBe(identityOf({ command: 'server', cwd: '/' }));
  });
});

describe('who asks a stdio server', () => {
  const partitionOf = (parameters: StdioParameters): string | undefined => stdioConnector(parameters).partition;

  afterEach(() => {
    delete process.env['INHERITED_TOKEN'];
  });

  it('is told apart by what the server inherits, though it is the same server', () => {
    process.env['INHERITED_TOKEN'] = 'of one';
    const one = stdioConnector({ command: 'server' });
    process.env['INHERITED_TOKEN'] = 'of another';
    const other = stdioConnector({ command: 'server' });
    expect(other.identity).toBe(one.identity);
    expect(other.partition).not.toBe(one.partition);
    process.env['INHERITED_TOKEN'] = 'of one';
    expect(partitionOf({ command: 'server' })).toBe(one.partition);
    expect(one.partition).toMatch(/^[0-9a-f]{64}$/);
  });

  it('is told apart by `env` alone where nothing is inherited', () => {
    const own: StdioParameters = { command: 'server', env: { TOKEN: 'of one' }, inheritEnv: false };
    const before = partitionOf(own);
    process.env['INHERITED_TOKEN'] = 'of another';
    expect(partitionOf(own)).toBe(before);
    expect(partitionOf({ ...own, env: { TOKEN: 'of another' } })).not.toBe(before);
  });
});
