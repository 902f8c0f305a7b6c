import { describe, expect, it } from '@jest/globals';
import { reasonOf } from '../../../src/config/managed/reason.js';
import { ServerGoneError, SpawnFailedError, TransportError } from '../../../src/errors/index.js';

describe('reasonOf', () => {
  it('says how a server died, with the last of what it wrote, and no more of it', () => {
    const error = new ServerGoneError(1, null, 'my-server', 'Traceback\n  line 1\nKeyError: TOKEN\n\n');
    expect(reasonOf(error, ['Traceback'])).toBe(
      'the server "my-server" exited with code 1; its last line on stderr: KeyError: TOKEN',
    );
  });

  it('has the line that says most, where that is not the last', () => {
    const error = new ServerGoneError(1, null, 'node', 'Error: Cannot find module\n    at x\n\nNode.js v20.20.2');
    expect(reasonOf(error, [])).toBe(
      'the server "node" exited with code 1; on stderr: Error: Cannot find module; its last line there: Node.js v20.20.2',
    );
  });

  it.each([[''], ['\n \n']])('takes the line it is given where the error knows none (%j)', (tail) => {
    const error = new ServerGoneError(null, 'SIGKILL', 'my-server', tail);
    expect(reasonOf(error, ['bye'])).toBe('the server "my-server" was ended by SIGKILL; its last line on stderr: bye');
    expect(reasonOf(error, [])).toBe('the server "my-server" was ended by SIGKILL');
  });

  it('has the last line with any other error, too', () => {
    const spawning = new SpawnFailedError('nope', [], 'it does not exist');
    expect(reasonOf(spawning, [])).toBe('the server "nope" could not be started: it does not exist');
    expect(reasonOf(new TransportError(new Error('cut')), ['bye'])).toBe(
      'the transport failed: cut; its last line on stderr: bye',
    );
  });

  it.each([
    ['text', 'text'],
    [undefined, 'undefined'],
    [Object.create(null) as unknown, 'something that cannot be written out'],
  ])('writes out whatever was raised', (reason, text) => {
    expect(reasonOf(reason, [])).toBe(text);
  });
});
