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

  it.each<[string, unknown, string]>([
    ['parameters', undefined, 'they must be an object with a command'],
    ['parameters', null, 'they must be an object with a command'],
    ['parameters', 'server', 'they must be an object with a command'],
    ['command', {}, 'it must be a string, not undefined'],
    ['command', { command: '' }, 'it is empty; name the program that is the server'],
    ['command', { command: ' \t' }, 'it is empty; name the program that is the server'],
    ['command', { command: 7 }, 'it must be a string, not number'],
    ['command', { command: 'a\0b' }, 'it contains a NUL character; remove it'],
    ['args', { command: 'a', args: 'b' }, 'it must be an array of strings, not string'],
    ['args', { command: 'a', args: null }, 'it must be an array of strings, not object'],
    ['args', { command: 'a', args: [1] }, 'it must be a string, not number'],
    ['args', { command: 'a', args: Object.assign(new Array(2), { 1: 'b' }) }, 'it must be a string, not undefined'],
    ['args', { command: 'a', args: ['b', undefined] }, 'it must be a string, not undefined'],
    ['args', { command: 'a', args: ['--key\0'] }, 'it contains a NUL character; remove it'],
    ['env', { command: 'a', env: [] }, 'it must be an object of strings'],
    ['env', { command: 'a', env: null }, 'it must be an object of strings'],
    ['env', { command: 'a', env: { A: 1 } }, 'it must be a string, not number'],
    ['env', { command: 'a', env: { A: null } }, 'it must be a string, not object'],
    ['env', { command: 'a', env: { A: 'x\0' } }, 'it contains a NUL character; remove it'],
    ['env', { command: 'a', env: { 'A\0': 'x' } }, 'it contains a NUL character; remove it'],
    ['env', { command: 'a', env: { 'A=B': 'x' } }, '"A=B" cannot be the name of a variable'],
    ['env', { command: 'a', env: { '': 'x' } }, '"" cannot be the name of a variable'],
    ['cwd', { command: 'a', cwd: '' }, 'it is empty; leave it out for the directory of this process'],
    ['cwd', { command: 'a', cwd: 'b\0' }, 'it contains a NUL character; remove it'],
    ['cwd', { command: 'a', cwd: new URL('file:///tmp') }, 'it must be a string, not object'],
    ['inheritEnv', { command: 'a', inheritEnv: 'no' }, 'it must be true or false, not string'],
    ['restart', { command: 'a', restart: 0 }, 'it must be true or false, not number'],
    ...[-1, NaN, Infinity, 2 ** 31, '100'].map((killGraceMs): [string, unknown, string] => [
      'killGraceMs',
      { command: 'a', killGraceMs },
      'it must be a number of milliseconds from 0 to 2147483647',
    ]),
    ['redact', { command: 'a', redact: 'secret' }, 'it must be a function, not string'],
    ...[0, NaN, '1'].map((maxMessageBytes): [string, unknown, string] => [
      'maxMessageBytes',
      { command: 'a', maxMessageBytes },
      'it must be a number of bytes, at least 1',
    ]),
  ])('refuses %s in %j with an error that names it, and what to give', (option, parameters, remedy) => {
    let thrown: unknown;
    try {
      checkParameters(parameters as StdioParameters);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(OptionError);
    expect(thrown).toMatchObject({ name: 'OptionError', option, message: `option "${option}": ${remedy}` });
  });

  it('takes numbers up to their bounds, and more bytes than anybody has', () => {
    const given = { command: 'a', maxMessageBytes: 1, killGraceMs: 0 };
    expect(checkParameters(given)).toMatchObject(given);
    const most = { command: 'a', maxMessageBytes: Infinity, killGraceMs: 2 ** 31 - 1 };
    expect(checkParameters(most)).toMatchObject(most);
  });

  it('takes a variable that is undefined for one that is to be removed', () => {
    expect(checkParameters({ command: 'a', env: { A: undefined, B: '' } }).env).toEqual({ A: undefined, B: '' });
  });

  it('takes what a redactor answers for text', () => {
    const redact = ((told: string) => ({ toString: () => `less than ${told}` })) as never;
    expect(checkParameters({ command: 'a', redact }).redact('all')).toBe('less than all');
  });

  it('never repeats the value of a variable, which may be a secret', () => {
    expect(() => checkParameters({ command: 'a', env: { TOKEN: 'hush\0' } })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('hush') }),
    );
  });
});
