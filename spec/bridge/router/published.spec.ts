import { describe, expect, it } from '@jest/globals';
import { formatOf, LLM_FORMATS } from '../../../src/bridge/formats/formats.js';
import { declare } from '../../../src/bridge/formats/declare.js';
import type { Mount } from '../../../src/bridge/router/mount.js';
import { Published } from '../../../src/bridge/router/published.js';
import type { Tool } from '../../../src/index.js';
import { handProvider } from '../../support/providers/hand.js';

const mount = (prefix: string): Mount => ({ prefix, provider: handProvider([]) });

const tool = (name: string, more: object = {}): Tool => ({ name, inputSchema: { type: 'object' }, ...more });

const publish = (all: Readonly<Record<string, readonly unknown[] | undefined>>, separator = '_'): Published => {
  const lists = Object.values(all).map((list) =>
    list?.map((one) => (typeof one === 'string' ? tool(one) : (one as Tool))),
  );
  return Published.of(Object.keys(all).map(mount), lists, separator, undefined);
};

const unreadable = new Proxy(
  {},
  {
    ownKeys: () => {
      throw new Error('not today');
    },
  },
);

const namesOf = ({ tools }: Published): string[] => tools.map(({ name }) => name);

const placeOf = (published: Published, name: string): unknown => {
  const place = published.place(name);
  return place === undefined ? undefined : `${place.mount.prefix}:${place.name}`;
};

describe('what is published of several mounts', () => {
  it('is their tools in order under prefixed names, otherwise as they are', () => {
    const published = publish({ a: [tool('x', { title: 'X', _meta: { k: 1 } })], b: ['x', 'y'], c: undefined });
    expect(published.tools).toEqual([tool('a_x', { title: 'X', _meta: { k: 1 } }), tool('b_x'), tool('b_y')]);
    expect(namesOf(published).map((name) => placeOf(published, name))).toEqual(['a:x', 'b:x', 'b:y']);
    expect(published.place('x')).toBeUndefined();
  });

  it('changes nothing of the tools it was given', () => {
    const given = Object.freeze(tool('x'));
    expect(publish({ a: [given] }).tools).toEqual([tool('a_x')]);
    expect(given.name).toBe('x');
  });

  it('tells two tools apart that come to one name, the same way in any order', () => {
    const one = publish({ a: ['b_c'], a_b: ['c'] });
    const other = publish({ a_b: ['c'], a: ['b_c'] });
    expect([...namesOf(one)].sort()).toEqual([...namesOf(other)].sort());
    for (const name of namesOf(one)) expect(name).toMatch(/^a_b_c_[0-9a-f]{8}$/);
    for (const published of [one, other]) {
      expect(
        namesOf(published)
          .map((name) => placeOf(published, name))
          .sort(),
      ).toEqual(['a:b_c', 'a_b:c']);
    }
    for (const name of namesOf(one)) expect(placeOf(one, name)).toBe(placeOf(other, name));
    expect(one.place('a_b_c')).toBeUndefined();
  });

  it('tells tools apart whose names are whole, within what an API takes', () => {
    const long = `mcp__${'k'.repeat(59)}`;
    const mounts = ['k k', 'k_k'].map((prefix): Mount => ({ ...mount(prefix), whole: 'mcp__k_k__' }));
    const lists = mounts.map(({ prefix }) => [tool('mcp__k_k__read'), tool(long), tool(`mcp__k_k__${prefix}`)]);
    const published = Published.of(mounts, lists, '_', undefined);
    const names = namesOf(published);
    expect(names).toHaveLength(6);
    for (const name of names) expect(name).toMatch(/^mcp__k.{0,58}$/);
    const places = names.map((name) => placeOf(published, name));
    for (const { prefix } of mounts) {
      for (const name of ['mcp__k_k__read', long, `mcp__k_k__${prefix}`]) expect(places).toContain(`${prefix}:${name}`);
    }
    expect(names).toContain('mcp__k_k__k k');
    expect(names.filter((name) => /^mcp__k_k__read_[0-9a-f]{8}$/.test(name))).toHaveLength(2);
  });

  it('tells long names apart at their end', () => {
    const long = 'x'.repeat(100);
    const names = namesOf(publish({ a: [`b_${long}`], a_b: [long] }));
    for (const name of names) expect(name).toMatch(new RegExp(`^a_b_${long}_[0-9a-f]{8}$`));
    expect(new Set(names).size).toBe(2);
  });

  it('leaves a tool its name that is called as another would be to be told apart', () => {
    const [apart = ''] = namesOf(publish({ a: ['b_c'], a_b: ['c'] })).filter((name) => name !== '');
    const taken = apart.slice('a_'.length);
    const published = publish({ a: ['b_c', taken], a_b: ['c'] });
    expect(new Set(namesOf(published)).size).toBe(3);
    expect(placeOf(published, apart)).toBe(`a:${taken}`);
    expect(
      namesOf(published)
        .map((name) => placeOf(published, name))
        .sort(),
    ).toEqual(['a:b_c', `a:${taken}`, 'a_b:c'].sort());
  });

  it('lists both of two tools that one provider calls the same, for who declares them to choose', () => {
    const twins = [tool('x', { description: 'b' }), tool('x', { description: 'a' })];
    const published = publish({ a: twins });
    expect(namesOf(published)).toEqual(['a_x', 'a_x']);
    const declared = [twins, [...twins].reverse()].map((list) =>
      JSON.stringify(declare(publish({ a: list }).tools, 'openai').declarations),
    );
    expect(declared[0]).toBe(declared[1]);
    expect(JSON.parse(declared[0] ?? '')).toHaveLength(1);
  });

  it.each<readonly [string, unknown]>([
    ['nothing', null],
    ['a number', 1],
    ['an object without a name', {}],
    ['an empty name', { name: '' }],
    ['a name that is no text', { name: 5 }],
    ['what cannot be looked into', unreadable],
  ])('leaves out what is no tool: %s; and no other', (_, bad) => {
    expect(namesOf(publish({ a: [bad, 'x'] }))).toEqual(['a_x']);
  });

  it.each(LLM_FORMATS)('has an exact way back from the names of %s', (format) => {
    const all = {
      files: ['read.all/now', 'read all now', 'größe', 'x'.repeat(80), 'y'.repeat(60), '__proto__'],
      'my server': ['read', 'x'.repeat(80)],
      '9': ['lives'],
    };
    const published = publish(all);
    const { names } = declare(published.tools, format);
    const { legal } = formatOf(format).names;
    const seen = new Set<string>();
    for (const [prefix, list] of Object.entries(all)) {
      for (const name of list) {
        const shown = names.published(`${prefix}_${name}`) ?? '';
        expect(shown).toMatch(legal);
        seen.add(shown);
        expect(placeOf(published, published.rawName(shown, format))).toBe(`${prefix}:${name}`);
      }
    }
    expect(seen.size).toBe(9);
    expect(published.rawName('unheard', format)).toBe('unheard');
  });

  it('is the same as before, with the same array, as long as it is made of the same lists', () => {
    const [a, b] = [mount('a'), mount('b')];
    const lists = [[tool('x')], [tool('y')]] as const;
    const before = Published.of([a, b], lists, '_', undefined);
    expect(Published.of([a, b], [...lists], '_', before)).toBe(before);
    for (const [mounts, others] of [
      [[a], [lists[0]]],
      [[b, a], lists],
      [[a, mount('b')], lists],
      [
        [a, b],
        [lists[0], [tool('y')]],
      ],
      [
        [a, b],
        [lists[0], undefined],
      ],
    ] as const) {
      expect(Published.of(mounts, others, '_', before)).not.toBe(before);
    }
    expect([before.listOf(a), before.listOf(mount('a'))]).toEqual([lists[0], undefined]);
  });

  it('has the same names as what has them under the same prefixes, whatever the mounts and the order', () => {
    const published = publish({ a: ['x', 'y'], b: ['z'] });
    expect(published.hasSameNames(publish({ b: ['z'], a: ['y', 'x'] }))).toBe(true);
    for (const other of [
      publish({ a: ['x', 'y'] }),
      publish({ a: ['x', 'y'], b: ['z', 'more'] }),
      publish({ a: ['x', 'y'], b: ['other'] }),
      publish({ a: ['x', 'y', 'b_z'] }),
      publish({}),
    ]) {
      expect([published.hasSameNames(other), other.hasSameNames(published)]).toEqual([false, false]);
    }
    // The same name, in the place of another provider.
    expect(publish({ a: ['b_c'] }).hasSameNames(publish({ a_b: ['c'] }))).toBe(false);
    expect(publish({}).hasSameNames(publish({}))).toBe(true);
  });
});
