import { describe, expect, it } from '@jest/globals';
import { joined, type Mount, placeByPrefix } from '../../../src/bridge/router/mount.js';
import { handProvider } from '../../support/providers/hand.js';

const mount = (prefix: string): Mount => ({ prefix, provider: handProvider([]) });

const place = (prefixes: readonly string[], name: string, separator = '_'): unknown => {
  const found = placeByPrefix(prefixes.map(mount), separator, name);
  return found === undefined ? undefined : [found.mount.prefix, found.name];
};

describe('the name of a mounted tool', () => {
  it.each([
    ['files', '_', 'read', 'files_read'],
    ['files', '__', 'read', 'files__read'],
    ['files', '/', '', 'files/'],
    ['', '_', 'read', 'read'],
  ])('under %j by %j of %j is %j', (prefix, separator, name, whole) => {
    expect(joined(mount(prefix), separator, name)).toBe(whole);
  });
});

describe('the place that a name has by its prefix', () => {
  it.each([
    [['a', 'b'], 'b_x', ['b', 'x']],
    [['a', 'a_b'], 'a_b_c', ['a_b', 'c']],
    [['a_b', 'a'], 'a_b_c', ['a_b', 'c']],
    [['a', 'a_b'], 'a_bc', ['a', 'bc']],
    [['a', 'a_b'], 'a_b', ['a', 'b']],
    [['', 'a'], 'a_x', ['a', 'x']],
    [['a', ''], 'ax', ['', 'ax']],
    [['a'], 'a_', ['a', '']],
    [['a'], 'a', undefined],
    [['a'], 'A_x', undefined],
    [[], 'a_x', undefined],
  ] as const)('among %j for %j is %j', (prefixes, name, expected) => {
    expect(place(prefixes, name)).toEqual(expected);
  });

  it('goes by the separator there is', () => {
    expect(place(['a', 'a_b'], 'a_b__c', '__')).toEqual(['a_b', 'c']);
    expect(place(['a'], 'a_c', '__')).toBeUndefined();
  });
});
