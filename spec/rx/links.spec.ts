import { describe, expect, it } from '@jest/globals';
import { type Link, Links } from '../../src/rx/index.js';

interface Named extends Link<Named> {
  readonly name: string;
}

const listOf = (...names: readonly string[]): { readonly links: Links<Named>; readonly all: readonly Named[] } => {
  const links = new Links<Named>();
  const all = names.map((name): Named => ({ name }));
  for (const one of all) links.add(one);
  return { links, all };
};

const namesIn = (links: Links<Named>): string => [...links].map(({ name }) => name).join('');

describe('a list of links', () => {
  it('keeps the order in which they came', () => {
    const { links } = listOf('a', 'b', 'c');
    expect(namesIn(links)).toBe('abc');
    expect(links.first?.name).toBe('a');
    expect(links.size).toBe(3);
  });

  it.each([
    [0, 'bc'],
    [1, 'ac'],
    [2, 'ab'],
  ])('goes on without the one at %d', (at, left) => {
    const { links, all } = listOf('a', 'b', 'c');
    expect(links.delete(all[at] as Named)).toBe(true);
    expect(namesIn(links)).toBe(left);
    expect(links.size).toBe(2);
    links.add({ name: 'd' });
    expect(namesIn(links)).toBe(`${left}d`);
  });

  it('is empty once the last has gone, and begins anew', () => {
    const { links, all } = listOf('a');
    links.delete(all[0] as Named);
    expect(links.first).toBeUndefined();
    expect(links.size).toBe(0);
    links.add({ name: 'b' });
    expect(namesIn(links)).toBe('b');
  });

  it('says false of one that is not there, or no longer', () => {
    const { links, all } = listOf('a', 'b');
    expect(links.delete({ name: 'a' })).toBe(false);
    expect(links.delete(all[1] as Named)).toBe(true);
    expect(links.delete(all[1] as Named)).toBe(false);
    expect(links.size).toBe(1);
  });

  it('leaves what has gone without a way to the others, and takes it back at the end', () => {
    const { links, all } = listOf('a', 'b', 'c');
    const middle = all[1] as Named;
    links.delete(middle);
    expect(middle).toEqual({ name: 'b', previous: undefined, next: undefined });
    links.add(middle);
    expect(namesIn(links)).toBe('acb');
  });

  it('can lose the one that is being looked at', () => {
    const { links } = listOf('a', 'b', 'c');
    for (const one of links) links.delete(one);
    expect(links.size).toBe(0);
  });
});
