import { describe, expect, it } from '@jest/globals';
import { whole } from '../../src/jsonrpc/checks.js';
import { Fields, reasonOf } from '../../src/config/fields.js';
import { Problems } from '../../src/config/problem.js';
import { OptionError } from '../../src/errors/index.js';

const fieldsOf = (raw: Readonly<Record<string, unknown>>) => {
  const problems = new Problems();
  return { fields: new Fields(raw, '/s', problems, { url: ['serverUrl'] }), problems };
};

describe('Fields', () => {
  it('find a member under each of its names, the one used here first', () => {
    expect(fieldsOf({ serverUrl: 'a' }).fields.text('url')).toBe('a');
    expect(fieldsOf({ serverUrl: 'a' }).fields.pathOf('url')).toBe('/s/serverUrl');
    expect(fieldsOf({ serverUrl: 'a', url: 'b' }).fields.text('url')).toBe('b');
    expect(fieldsOf({ serverUrl: 'a', url: null }).fields.text('url')).toBe('a');
    expect(fieldsOf({}).fields.pathOf('url')).toBe('/s/url');
  });

  it('have only what is an own member', () => {
    const { fields, problems } = fieldsOf({});
    expect([fields.has('toString'), fields.text('constructor'), problems.all]).toEqual([false, undefined, []]);
  });

  it('take a number from a text of digits, and from no other', () => {
    const read = (value: unknown) => {
      const { fields, problems } = fieldsOf({ n: value });
      return fields.number('n', whole(1)) ?? problems.all[0]?.message;
    };
    expect(read('30')).toBe(30);
    expect(read(30)).toBe(30);
    for (const odd of ['3s', '', '-1', '1.5', {}, true]) expect(read(odd)).toBe('n: give a whole number, at least 1');
  });

  it('give what is sound of a list or an object, and a problem for each other member', () => {
    const { fields, problems } = fieldsOf({ list: ['a', {}, 'c'], map: { a: 'b', c: [] } });
    expect(fields.texts('list')).toEqual(['a', 'c']);
    expect(fields.members('map')).toEqual({ a: 'b', c: undefined });
    expect(problems.all.map(({ path }) => path)).toEqual(['/s/list/1', '/s/map/c']);
  });
});

describe('the reason of an OptionError', () => {
  it('is what it says, without the name', () => {
    expect(reasonOf(new OptionError('a"b', 'give a text'))).toBe('give a text');
  });
});
