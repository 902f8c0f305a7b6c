import { describe, expect, it } from '@jest/globals';
import { OptionError } from '../../../src/errors/index.js';
import { checkParameters } from '../../../src/transport/stdio/parameters.js';
import type { StdioParameters } from '../../../src/transport/stdio/index.js';

describe('checkParameters', () => {
  it('takes what a redactor throws for nothing to tell', () => {
    const { redact } = checkParameters({
      command: 'server',
      redact: () => {
        throw new Error('no');
      },
    });
    expect(redact('secret')).toBe('');
    expect(checkParameters({ command: 'server' }).redact('as it is')).toBe('as it is');
  });

  it('fills in the defaults', () => {
    expect(checkParameters({ command: 'server' })).toEqual({
      command: 'server',
      args: [],
      env: {},
      cwd: undefined,
      inheritEnv: true,
      killGraceMs: 2_000,
      restart: true,
      redact: expect.any(Function),
      maxMessageBytes: 67_108_864,
    });
  });

  it('takes an option that is undefined as one that is not given', () => {
    const all: StdioParameters = {
      command: 'server',
      args: undefined,
      env: undefined,
      cwd: undefined,
      inheritEnv: undefined,
      killGraceMs: undefined,
      restart: undefined,
      maxMessageBytes: undefined,
    };
    expect(checkParameters(all)).toEqual(checkParameters({ command: 'server' }));
  });

  it('copies what it is given', () => {
    const args = ['a'];
    const env = { A: '1' };
    const checked = checkParameters({ command: 'server', args, env });
    args.push('b');
    env.A = '2';
    expect(checked).toMatchObject({ args: ['a'], env: { A: '1' } });
  });

  it.each<[string, unknown]>([
    ['parameters', undefined],
    ['parameters', null],
    ['parameters', 'server'],
    ['command', {}],
    ['command', { command: '' }],
    ['command', { command: ' \t' }],
    ['command', { command: 7 }],
    ['command', { command: 'a\0b' }],
    ['args', { command: 'a', args: 'b' }],
    ['args', { command: 'a', args: null }],
    ['args', { command: 'a', args: [1] }],
    ['args', { command: 'a', args: Object.assign(new Array(2), { 1: 'b' }) }],
    ['args', { command: 'a', args: ['b', undefined] }],
    ['args', { command: 'a', args: ['--key\0'] }],
    ['env', { command: 'a', env: [] }],
    ['env', { command: 'a', env: null }],
    ['env', { command: 'a', env: { A: 1 } }],
    ['env', { command: 'a', env: { A: null } }],
    ['env', { command: 'a', env: { A: 'x\0' } }],
    ['env', { command: 'a', env: { 'A\0': 'x' } }],
    ['env', { command: 'a', env: { 'A=B': 'x' } }],
    ['env', { command: 'a', env: { '': 'x' } }],
    ['cwd', { command: 'a', cwd: '' }],
    ['cwd', { command: 'a', cwd: 'b\0' }],
    ['cwd', { command: 'a', cwd: new URL('file:///tmp') }],
    ['inheritEnv', { command: 'a', inheritEnv: 'no' }],
    ['restart', { command: 'a', restart: 0 }],
    ['killGraceMs', { command: 'a', killGraceMs: -1 }],
    ['killGraceMs', { command: 'a', killGraceMs: NaN }],
    ['killGraceMs', { command: 'a', killGraceMs: Infinity }],
    ['killGraceMs', { command: 'a', killGraceMs: '100' }],
    ['maxMessageBytes', { command: 'a', maxMessageBytes: 0 }],
    ['maxMessageBytes', { command: 'a', maxMessageBytes: NaN }],
    ['maxMessageBytes', { command: 'a', maxMessageBytes: '1' }],
  ])('refuses %s in %j with an error that names it', (option, parameters) => {
    let thrown: unknown;
    try {
      checkParameters(parameters as StdioParameters);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(OptionError);
    expect(thrown).toMatchObject({ name: 'OptionError', option });
  });

  it('never repeats the value of a variable, which may be a secret', () => {
    expect(() => checkParameters({ command: 'a', env: { TOKEN: 'hush\0' } })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('hush') }),
    );
  });
});
