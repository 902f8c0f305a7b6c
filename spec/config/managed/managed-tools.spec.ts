import { describe, expect, it } from '@jest/globals';
import { ManagedTools } from '../../../src/config/managed/managed-tools.js';
import type { ToolFilter } from '../../../src/config/tool-filter.js';
import type { Tool } from '../../../src/protocol/schemas/index.js';

const tools = (...names: readonly string[]): Tool[] => names.map((name) => ({ name, inputSchema: { type: 'object' } }));
const namesOf = (list: readonly Tool[]): string[] => list.map(({ name }) => name);

const managed = (list: readonly Tool[], filter: ToolFilter = {}, prefix = 'mcp__k__'): ManagedTools => {
  const own = new ManagedTools(prefix, filter);
  own.named(list);
  return own;
};

describe('the tools of a managed server', () => {
  it('are none before they are listed', () => {
    const none = new ManagedTools('mcp__k__', {});
    expect(none.latest).toEqual([]);
    expect(none.warnings).toEqual([]);
    expect(none.has('mcp__k__add')).toBeUndefined();
    expect(none.original('mcp__k__add')).toBeUndefined();
    expect(none.published('add')).toBe('add');
    expect(none.target('mcp__k__add')).toBe('add');
  });

  it('appear under names of their own, all else as it was, and the list is left alone', () => {
    const list = [{ ...tools('read.file')[0], title: 'Read', _meta: { a: 1 } } as Tool];
    const own = managed(list);
    expect(own.latest).toEqual([{ ...list[0], name: 'mcp__k__read_file' }]);
    expect(namesOf(list)).toEqual(['read.file']);
    expect(own.original('mcp__k__read_file')).toBe('read.file');
    expect(own.published('read.file')).toBe('mcp__k__read_file');
    expect(own.published('mcp__k__read_file')).toBe('mcp__k__read_file');
    expect([own.has('mcp__k__read_file'), own.has('read.file'), own.has('toString')]).toEqual([true, false, false]);
  });

  it('say nothing that only the host may say', () => {
    const own = new ManagedTools('mcp__k__', {}, ({ _meta: _, ...tool }) => tool);
    expect(own.named([{ ...(tools('a')[0] as Tool), _meta: { 'host/trusted': true } }])).toEqual(tools('mcp__k__a'));
  });

  it('are the same array for the same list', () => {
    const own = new ManagedTools('mcp__k__', {});
    const [one, other] = [tools('a'), tools('a')];
    expect(own.named(one)).toBe(own.named(one));
    expect(own.named(other)).not.toBe(own.named(one));
    expect(own.latest).toBe(own.named(one));
  });

  it('have the first of two whose names meet, and a warning', () => {
    const own = managed(tools('a.b', 'a_b', 'c', 'c'));
    expect(namesOf(own.latest)).toEqual(['mcp__k__a_b', 'mcp__k__c']);
    expect(own.original('mcp__k__a_b')).toBe('a.b');
    expect(own.warnings).toEqual([
      'the tools "a.b" and "a_b" would both be mcp__k__a_b: the first is kept',
      'the tool "c" is listed more than once: the first is kept',
    ]);
  });

  it('of two that the server calls the same have the first, whole', () => {
    const [first, second] = tools('c', 'c');
    const own = managed([{ ...first, title: 'first' } as Tool, { ...second, title: 'second' } as Tool]);
    expect(own.latest.map(({ title }) => title)).toEqual(['first']);
  });

  it('are those that are allowed and not blocked, by their own names', () => {
    const own = managed(tools('a', 'b', 'c'), { allowedTools: ['a', 'b'], blockedTools: ['b'] });
    expect(namesOf(own.latest)).toEqual(['mcp__k__a']);
    expect(['a', 'b', 'c', 'mcp__k__a', 'mcp__k__b', 'mcp__k__c'].map((name) => own.target(name))).toEqual([
      'a',
      undefined,
      undefined,
      'a',
      undefined,
      undefined,
    ]);
    expect(namesOf(managed(tools('a'), { allowedTools: [] }).latest)).toEqual([]);
  });

  it('make room for another where one that would have its name is blocked', () => {
    const own = managed(tools('a.b', 'a_b'), { blockedTools: ['a.b'] });
    expect(own.original('mcp__k__a_b')).toBe('a_b');
    expect(own.warnings).toEqual([]);
  });

  it('warn of names in the entry that no tool has', () => {
    const own = managed(tools('a'), { allowedTools: ['a', 'typo'], blockedTools: ['b\u001b'] });
    expect(own.warnings).toEqual([
      'allowedTools names "typo", which the server does not have',
      'blockedTools names "b\\u001b", which the server does not have',
    ]);
  });

  it('are found by their own names as well, listed or not', () => {
    const own = managed(tools('read.file'));
    expect(own.target('read.file')).toBe('read.file');
    expect(own.target('mcp__k__read_file')).toBe('read.file');
    expect(own.target('mcp__k__later')).toBe('later');
    expect(own.target('later')).toBe('later');
  });

  it('are not taken for one another where one is called as another appears', () => {
    const own = managed(tools('mcp__k__x'));
    expect(namesOf(own.latest)).toEqual(['mcp__k__mcp__k__x']);
    expect(own.target('mcp__k__mcp__k__x')).toBe('mcp__k__x');
    expect(own.target('mcp__k__x')).toBe('mcp__k__x');
    const both = managed(tools('mcp__k__x', 'x'));
    expect(both.target('mcp__k__x')).toBe('x');
  });

  it('are still known by the names of the last four lists', () => {
    const own = new ManagedTools('mcp__k__', {});
    for (const name of ['a', 'b', 'c', 'd', 'e']) own.named(tools(name));
    expect(['a', 'b', 'c', 'd', 'e'].map((name) => own.original(`mcp__k__${name}`))).toEqual([
      undefined,
      'b',
      'c',
      'd',
      'e',
    ]);
    expect(namesOf(own.latest)).toEqual(['mcp__k__e']);
  });

  it('remember lists of other names, not the same one listed over and over', () => {
    const own = new ManagedTools('mcp__k__', {});
    own.named(tools('old'));
    for (let times = 0; times < 20; times += 1) own.named(tools('new'));
    expect(own.original('mcp__k__old')).toBe('old');
  });

  it('go by the latest list where a name has come to mean another tool', () => {
    const own = new ManagedTools('mcp__k__', {});
    own.named(tools('a.b'));
    own.named(tools('a_b'));
    expect(own.original('mcp__k__a_b')).toBe('a_b');
    own.named(tools('other'));
    expect(own.original('mcp__k__a_b')).toBe('a_b');
  });

  it('have legal names under a prefix of any length, and lead back exactly', () => {
    const prefix = `mcp__${'k'.repeat(200)}__`;
    const list = tools('a', 'b', 'a'.repeat(100), 'c.d');
    const own = managed(list, {}, prefix);
    for (const { name } of own.latest) expect(name).toMatch(/^[a-zA-Z0-9_-]{64}$/);
    expect(own.latest.map(({ name }) => own.target(name))).toEqual(namesOf(list));
    expect(new Set(namesOf(own.latest)).size).toBe(4);
  });

  it('may be called as members of every object are', () => {
    const own = managed(tools('__proto__', 'constructor', 'toString'));
    expect(namesOf(own.latest)).toEqual(['mcp__k____proto__', 'mcp__k__constructor', 'mcp__k__toString']);
    expect(own.target('__proto__')).toBe('__proto__');
    expect(own.original('constructor')).toBeUndefined();
  });

  it('may be many, and the names in the entry as well', () => {
    const names = Array.from({ length: 20_000 }, (_, index) => `tool ${index}`);
    const own = managed(tools(...names), { allowedTools: [...names].reverse(), blockedTools: names.slice(0, 10_000) });
    expect(own.latest).toHaveLength(10_000);
    expect(own.target('mcp__k__tool_19999')).toBe('tool 19999');
  });
});
