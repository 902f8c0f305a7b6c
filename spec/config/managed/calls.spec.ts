import { describe, expect, it } from '@jest/globals';
import { throwError } from 'rxjs';
import { bounded, tellTimeout, toolTimeout } from '../../../src/config/managed/calls.js';
import { ServerGoneError, TimeoutError } from '../../../src/errors/index.js';
import { watch } from '../../support/client/watch.js';

const told = (reason: unknown): unknown => watch(throwError(() => reason).pipe(tellTimeout())).error;

describe('bounded', () => {
  it('bounds the whole call, whatever it reports', () => {
    expect(bounded(undefined, 5_000)).toEqual({ timeoutMs: 5_000, maxTotalMs: 5_000 });
    const options = { meta: { a: 1 } };
    expect(bounded<object>(options, 5_000)).toEqual({ meta: { a: 1 }, timeoutMs: 5_000, maxTotalMs: 5_000 });
  });

  it('leaves a call its own clocks', () => {
    const own = { timeoutMs: 7 };
    expect(bounded(own, 5_000)).toBe(own);
    expect(bounded({ timeoutMs: 0 }, 5_000)).toEqual({ timeoutMs: 0 });
    expect(bounded({ maxTotalMs: 9_000 }, 5_000)).toEqual({ timeoutMs: 5_000, maxTotalMs: 9_000 });
    expect(bounded({ timeoutMs: undefined, maxTotalMs: undefined }, 5_000)).toEqual({
      timeoutMs: 5_000,
      maxTotalMs: 5_000,
    });
  });

  it('adds nothing where nothing bounds the calls', () => {
    expect(bounded(undefined, undefined)).toBeUndefined();
    const own = { maxTotalMs: 7 };
    expect(bounded(own, undefined)).toBe(own);
  });
});

describe('a call of a tool that took too long', () => {
  it('is told in the words that hosts know, with the same facts', () => {
    const error = toolTimeout(new TimeoutError('tools/call', 7, 1_500));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ method: 'tools/call', id: 7, timeoutMs: 1_500 });
    expect(error.message).toBe('MCP tool call timed out after 1.5 s');
    expect(told(new TimeoutError('tools/call', undefined, 60_000))).toMatchObject({
      id: undefined,
      message: 'MCP tool call timed out after 60 s',
    });
  });

  it.each([
    ['a server that died', new ServerGoneError(1, null, 'x', '')],
    [
      'a server that was not ready in time',
      new TimeoutError('initialize', undefined, 30_000, 'the server was not ready'),
    ],
    ['a text', 'odd'],
  ])('is not what %s is taken for', (_what, reason) => {
    expect(told(reason)).toBe(reason);
  });
});
