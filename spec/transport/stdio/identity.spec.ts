import { describe, expect, it } from '@jest/globals';
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
});
