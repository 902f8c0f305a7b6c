import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { type HttpIdentity, serverFingerprint, type StdioIdentity } from '../../src/config/server-fingerprint.js';

const STDIO: StdioIdentity = {
  transport: 'stdio',
  command: 'x',
  args: ['a', 'b'],
  cwd: '/srv',
  projectDir: '/work',
  env: { A: '1', B: '2' },
  toolPrefix: 'mcp__k__',
  timeoutMs: 5_000,
};

const HTTP: HttpIdentity = {
  transport: 'http',
  url: 'https://example.com/mcp',
  headers: { Authorization: 'Bearer abc', Accept: 'x' },
  toolPrefix: 'mcp__k__',
  timeoutMs: undefined,
};

describe('the fingerprint of a server', () => {
  it('is the SHA-256 of what it is, and stays the same from release to release', () => {
    const text =
      '{"args":["a","b"],"command":"x","cwd":"/srv","env":{"A":"1","B":"2"},"projectDir":"/work",' +
      '"timeoutMs":5000,"toolPrefix":"mcp__k__","transport":"stdio"}';
    expect(serverFingerprint(STDIO)).toBe(createHash('sha256').update(text).digest('hex'));
  });

  it.each<[string, Partial<StdioIdentity>]>([
    ['command', { command: 'y' }],
    ['arguments', { args: ['b', 'a'] }],
    ['directory', { cwd: undefined }],
    ['project', { projectDir: '/else' }],
    ['environment', { env: { A: '1' } }],
    ['tool prefix', { toolPrefix: 'mcp__l__' }],
    ['timeout', { timeoutMs: undefined }],
  ])('is another with another %s', (_what, other) => {
    expect(serverFingerprint({ ...STDIO, ...other })).not.toBe(serverFingerprint(STDIO));
  });

  it.each<[string, Partial<HttpIdentity>]>([
    ['transport', { transport: 'sse' }],
    ['URL', { url: 'https://example.com/' }],
    ['header', { headers: { Authorization: 'Bearer abd', Accept: 'x' } }],
    ['tool prefix', { toolPrefix: 'mcp__l__' }],
    ['timeout', { timeoutMs: 1 }],
  ])('is another with another %s', (_what, other) => {
    expect(serverFingerprint({ ...HTTP, ...other })).not.toBe(serverFingerprint(HTTP));
  });

  it('does not depend on the order of variables and headers, nor on the case of headers', () => {
    expect(serverFingerprint({ ...STDIO, env: { B: '2', A: '1' } })).toBe(serverFingerprint(STDIO));
    const headers = { accept: 'x', AUTHORIZATION: 'Bearer abc' };
    expect(serverFingerprint({ ...HTTP, headers })).toBe(serverFingerprint(HTTP));
  });

  it('does not depend on what else an object has', () => {
    expect(serverFingerprint({ ...STDIO, overlap: 'never' } as StdioIdentity)).toBe(serverFingerprint(STDIO));
  });
});
