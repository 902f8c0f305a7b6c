import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ToolNames, toolPrefix } from '../../src/config/tool-names.js';

describe('toolPrefix', () => {
  it.each([
    ['github', 'mcp__github__'],
    ['My Server.v2', 'mcp__My_Server_v2__'],
    ['@scope/größe', 'mcp___scope_gr__e__'],
    ['a-b_c', 'mcp__a-b_c__'],
  ])('is made of the key %s', (key, prefix) => {
    expect(toolPrefix(key)).toBe(prefix);
  });
});

describe('the names of the tools of a server', () => {
  it('are its key and their own, with what is illegal replaced', () => {
    const names = new ToolNames(toolPrefix('my server'), ['add', 'read.file', 'a b/c']);
    expect(names.names).toEqual(['mcp__my_server__add', 'mcp__my_server__read_file', 'mcp__my_server__a_b_c']);
    expect(names.published('read.file')).toBe('mcp__my_server__read_file');
    expect(names.original('mcp__my_server__read_file')).toBe('read.file');
    expect(names.warnings).toEqual([]);
  });

  it('are kept for the first of two that meet, and a warning says so', () => {
    const names = new ToolNames('mcp__k__', ['a.b', 'a_b', 'c', 'c']);
    expect(names.names).toEqual(['mcp__k__a_b', 'mcp__k__c']);
    expect(names.original('mcp__k__a_b')).toBe('a.b');
    expect(names.published('a_b')).toBeUndefined();
    expect(names.warnings).toEqual([
      'the tools "a.b" and "a_b" would both be mcp__k__a_b: the first is kept',
      'the tool "c" is listed more than once: the first is kept',
    ]);
  });

  it('have 64 characters at most, and stay apart where they are cut', () => {
    const long = 'n'.repeat(70);
    const names = new ToolNames('mcp__k__', [`${long}a`, `${long}b`, 'n'.repeat(56)]);
    expect(names.names.map(({ length }) => length)).toEqual([64, 64, 64]);
    expect(names.names[2]).toBe(`mcp__k__${'n'.repeat(56)}`);
    expect(names.names.map((name) => names.original(name))).toEqual([`${long}a`, `${long}b`, 'n'.repeat(56)]);
    expect(names.names[0]).toMatch(/^mcp__k__n{47}_[0-9a-f]{8}$/);
  });

  it('are not given to a tool that has none of its own, and so cannot be called', () => {
    const names = new ToolNames('mcp__a__', ['', 'b']);
    expect(names.names).toEqual(['mcp__a__b']);
    expect(names.warnings).toEqual(['a tool without a name is left out: it cannot be called']);
    expect(names.original('mcp__a__')).toBeUndefined();
  });

  it('lead nowhere where they were not given out', () => {
    const names = new ToolNames('mcp__k__', ['add']);
    expect(names.original('add')).toBeUndefined();
    expect(names.original('toString')).toBeUndefined();
    expect(names.published('toString')).toBeUndefined();
  });

  it('warn of endless and odd names in one short line', () => {
    const [warning] = new ToolNames('m', ['\u001b\n', '\u001b\r', ...Array<string>(2).fill('x'.repeat(9_999))])
      .warnings;
    expect(warning).toBe('the tools "\\u001b\\n" and "\\u001b\\r" would both be m__: the first is kept');
    for (const one of new ToolNames('m', Array<string>(2).fill('x'.repeat(9_999))).warnings)
      expect(one.length).toBeLessThan(200);
  });

  it('are legal, unique, and exact on the way back, whatever a server calls its tools', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.array(fc.string({ unit: 'binary', maxLength: 80 })),
        (key, tools) => {
          const names = new ToolNames(toolPrefix(key), tools);
          for (const name of names.names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
          for (const name of names.names) expect(names.published(names.original(name) ?? '')).toBe(name);
          expect(names.names.length + names.warnings.length).toBe(tools.length);
        },
      ),
    );
  });
});
