import { describe, expect, it } from '@jest/globals';
import {
  asMcpError,
  MessageTooLargeError,
  OptionError,
  ServerGoneError,
  SpawnFailedError,
  TransportClosedError,
  TransportError,
  UnsentError,
} from '../../src/errors/index.js';

describe('ServerGoneError', () => {
  it.each([
    [0, null, 'exited with code 0'],
    [7, null, 'exited with code 7'],
    [null, 'SIGKILL', 'was ended by SIGKILL'],
    [null, null, 'closed its output'],
  ])('with exit code %p and signal %p says how the server %s', (exitCode, signal, how) => {
    const error = new ServerGoneError(exitCode, signal, 'my-server', '');
    expect(error).toMatchObject({ exitCode, signal, command: 'my-server', stderrTail: '' });
    expect(error.message).toBe(`the server "my-server" ${how}`);
  });

  it('shows the last that the server wrote to stderr', () => {
    const error = new ServerGoneError(1, null, 'my-server', 'line one\nline two');
    expect(error.stderrTail).toBe('line one\nline two');
    expect(error.message).toMatch(/exited with code 1; .*stderr:\nline one\nline two$/);
  });
});

describe('SpawnFailedError', () => {
  it('says which command it was, and why; the error of the system is its cause', () => {
    const cause = new Error('spawn ENOENT');
    const error = new SpawnFailedError('npx', ['-y', 'x'], 'it does not exist', cause);
    expect(error).toMatchObject({ command: 'npx', args: ['-y', 'x'] });
    expect(error.cause).toBe(cause);
    expect(error.message).toBe('the server "npx" could not be started: it does not exist');
  });
});

describe('MessageTooLargeError', () => {
  it('says how large the message was, and the limit by its option', () => {
    const error = new MessageTooLargeError(100, 64);
    expect(error).toMatchObject({ bytes: 100, limit: 64 });
    expect(error.message).toBe('a message of 100 bytes is larger than maxMessageBytes (64)');
  });
});

describe('TransportClosedError', () => {
  it('says so, in words of its own where they are given', () => {
    expect(new TransportClosedError().message).toBe('the connection is closed');
    expect(new TransportClosedError('the client is closed').message).toBe('the client is closed');
  });
});

describe('UnsentError', () => {
  it('is a TransportClosedError to everybody who looks at its name or its class', () => {
    const error = new UnsentError();
    expect(error).toBeInstanceOf(TransportClosedError);
    expect([error.name, error.message]).toEqual(['TransportClosedError', 'the connection is closed']);
  });
});

describe('TransportError', () => {
  it.each([
    [new Error('socket'), 'the transport failed: socket'],
    ['text', 'the transport failed: text'],
    [undefined, 'the transport failed: undefined'],
    [null, 'the transport failed: null'],
    [Object.create(null), 'the transport failed: something that cannot be written out'],
  ])('keeps what the transport raised as its cause: %p', (cause, message) => {
    const error = new TransportError(cause);
    expect(error.cause).toBe(cause);
    expect(error.message).toBe(message);
  });
});

describe('TransportError of code behind a transport', () => {
  it('names that code', () => {
    const cause = new Error('the vault is locked');
    const error = new TransportError(cause, 'headers');
    expect([error.message, error.cause]).toEqual(['headers failed: the vault is locked', cause]);
  });
});

describe('asMcpError()', () => {
  it('leaves an error of ours as it is, and wraps what a transport raised', () => {
    const own = new TransportClosedError();
    const foreign = new Error('socket');
    expect(asMcpError(own)).toBe(own);
    expect(asMcpError(foreign)).toBeInstanceOf(TransportError);
    expect(asMcpError(foreign).cause).toBe(foreign);
    expect(asMcpError(foreign).message).toBe('the transport failed: socket');
    expect(asMcpError(foreign, 'headers').message).toBe('headers failed: socket');
    expect(asMcpError(own, 'headers')).toBe(own);
  });
});

describe('OptionError', () => {
  it('names the option, and says what would do', () => {
    const error = new OptionError('killGraceMs', 'give a number of milliseconds');
    expect(error.option).toBe('killGraceMs');
    expect(error.message).toBe('option "killGraceMs": give a number of milliseconds');
  });
});
