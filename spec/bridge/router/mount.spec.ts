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

describe('a mount whose names are whole already', () => {
  const whole = (prefix: string, start: string): Mount => ({ ...mount(prefix), whole: start });

  it('leaves them as they are', () => {
    expect(joined(whole('files', 'mcp__files__'), '_', 'mcp__files__read')).toBe('mcp__files__read');
  });

  it('is found by what they begin with, and they stay whole', () => {
    const [files, more, other] = [whole('k', 'mcp__a__'), whole('l', 'mcp__a__b__'), mount('mcp')];
    const placed = (name: string): unknown => {
      const { mount: found, name: there } = placeByPrefix([files, more, other], '_', name) ?? {};
      return [found?.prefix, there];
    };
    expect(placed('mcp__a__read')).toEqual(['k', 'mcp__a__read']);
    expect(placed('mcp__a__b__read')).toEqual(['l', 'mcp__a__b__read']);
    expect(placed('mcp_x')).toEqual(['mcp', 'x']);
    expect(placed('k_read')).toEqual([undefined, undefined]);
  });

  it('is the first of those that begin the same', () => {
    const [one, other] = [whole('a b', 'mcp__a_b__'), whole('a_b', 'mcp__a_b__')];
    expect(placeByPrefix([one, other], '_', 'mcp__a_b__read')?.mount).toBe(one);
  });
});
