import { describe, expect, it } from '@jest/globals';
import { OptionError } from '../../../src/errors/index.js';
import { checkedHeaders, checkedValue } from '../../../src/transport/http/headers.js';
import { thrownBy } from '../../support/client/watch.js';

describe('the value of a field', () => {
  it.each(['', 'plain', 'with spaces and\ttabs', 'caf\u00e9'])('is taken as it is: %j', (value) => {
    expect(checkedValue('headers', 'x', value)).toBe(value);
  });

  it.each(['a\nb', 'a\rb', 'a\0', '\x7f', '漢', '\ud800', 5, undefined, null])(
    'is refused where no header can carry it, and is not repeated: %p',
    (value) => {
      const error = thrownBy(() => checkedValue('some option', 'x-field', value));
      expect(error).toBeInstanceOf(OptionError);
      expect((error as OptionError).option).toBe('some option');
      expect((error as OptionError).message).toContain('x-field');
      if (typeof value === 'string') expect((error as OptionError).message).not.toContain(value);
    },
  );
});

describe('the caller’s fields', () => {
  it('have their names in lower case, and the last of one name counts', () => {
    expect(checkedHeaders({ 'X-A': '1', 'x-b': '2', 'X-B': '3' })).toEqual({ 'x-a': '1', 'x-b': '3' });
  });

  it('may come in a Headers, of the platform’s or any other make', () => {
    const own = { get: () => null, forEach: (each: (value: string, name: string) => void) => each('1', 'X-A') };
    expect(checkedHeaders(new Headers([['X-A', '1']]))).toEqual({ 'x-a': '1' });
    expect(checkedHeaders(own)).toEqual({ 'x-a': '1' });
  });

  it.each(['Content-Length', 'transfer-encoding', 'Connection', 'Keep-Alive', 'TE', 'Trailer', 'Upgrade'])(
    'are refused where they belong to the connection: %s',
    (name) => {
      const error = thrownBy(() => checkedHeaders({ [name]: '1' }));
      expect(error).toBeInstanceOf(OptionError);
      expect((error as OptionError).message).toContain(name);
    },
  );

  it('may come in an object without a prototype', () => {
    expect(checkedHeaders(Object.assign(Object.create(null), { 'X-A': '1' }))).toEqual({ 'x-a': '1' });
  });

  it.each([
    ['a Map', new Map([['x-a', '1']]), /Object\.fromEntries/],
    ['pairs', [['x-a', '1']], /Object\.fromEntries/],
    ['a Set', new Set(['x-a: 1']), /plain object, a Headers/],
    ['an object of a class', new (class A {})(), /plain object, a Headers/],
    ['a date', new Date(0), /plain object, a Headers/],
    ['nothing', undefined, /plain object, a Headers/],
  ])('are refused in what would seem to have none, with the remedy: %s', (_what, headers, remedy) => {
    const error = thrownBy(() => checkedHeaders(headers));
    expect(error).toMatchObject({ name: 'OptionError', option: 'headers', message: expect.stringMatching(remedy) });
  });

  it.each([null, undefined, 'a: b', 5, [['a', 'b']], { '': 'a' }, { 'a:': 'b' }, { é: 'b' }, { a: undefined }])(
    'are refused where they are none: %j',
    (headers) => {
      expect(thrownBy(() => checkedHeaders(headers))).toMatchObject({ name: 'OptionError', option: 'headers' });
    },
  );
});
