import { describe, expect, it } from '@jest/globals';
import { stripMeta } from '../../../src/config/managed/strip-meta.js';

const HOST = ['my-host/'];
const dirty = (more: object = {}): object => ({ _meta: { 'my-host/trusted': true, 'other/x': 1 }, ...more });
const clean = (more: object = {}): object => ({ _meta: { 'other/x': 1 }, ...more });

describe('stripMeta', () => {
  it('takes the keys of the host out of a result, and leaves all others', () => {
    expect(stripMeta(dirty({ content: [] }), HOST)).toEqual(clean({ content: [] }));
    expect(stripMeta({ _meta: { 'my-host': 1, 'a/my-host/': 2, 'MY-HOST/': 3, 'my-host/': 4 } }, HOST)).toEqual({
      _meta: { 'my-host': 1, 'a/my-host/': 2, 'MY-HOST/': 3 },
    });
  });

  it('knows each of several prefixes', () => {
    expect(stripMeta({ _meta: { 'a/1': 1, 'b/1': 1, 'c/1': 1 } }, ['a/', 'b/'])).toEqual({ _meta: { 'c/1': 1 } });
  });

  it.each([
    ['a block', { content: [dirty({ type: 'text' })] }, { content: [clean({ type: 'text' })] }],
    [
      'an embedded resource',
      { content: [{ type: 'resource', resource: dirty({ uri: 'a:b' }) }] },
      { content: [{ type: 'resource', resource: clean({ uri: 'a:b' }) }] },
    ],
    ['the contents of a resource', { contents: [dirty({ uri: 'a:b' })] }, { contents: [clean({ uri: 'a:b' })] }],
    [
      'a block of a message',
      { messages: [{ role: 'user', content: dirty({ type: 'text' }) }] },
      { messages: [{ role: 'user', content: clean({ type: 'text' }) }] },
    ],
    [
      'a resource in one of several blocks of a message',
      { messages: [{ role: 'user', content: [{ type: 'resource', resource: dirty() }] }] },
      { messages: [{ role: 'user', content: [{ type: 'resource', resource: clean() }] }] },
    ],
  ])('finds them in %s', (_where, result, expected) => {
    expect(stripMeta(result, HOST)).toEqual(expected);
  });

  it('gives the same object where there is nothing to take out, and the same parts where there is', () => {
    const block = { type: 'text', text: 'x' };
    const untouched = { content: [block], _meta: { 'other/x': 1 } };
    expect(stripMeta(untouched, HOST)).toBe(untouched);
    const touched = dirty({ content: [block] }) as { content: object[] };
    expect(stripMeta(touched, HOST).content).toBe(touched.content);
    expect(stripMeta(touched, [])).toBe(touched);
  });

  it('changes nothing in what it was given', () => {
    const result = dirty({ content: [dirty()] });
    const before = structuredClone(result);
    stripMeta(result, HOST);
    expect(result).toEqual(before);
  });

  it('leaves what a tool answers with in a structure of its own, whatever is in it', () => {
    const result = { content: [], structuredContent: dirty() };
    expect(stripMeta(result, HOST)).toBe(result);
  });

  it.each([[undefined], [null], ['text'], [7], [{ _meta: null }], [{ _meta: ['my-host/'] }], [{ content: null }]])(
    'leaves %j as it is',
    (result) => {
      expect(stripMeta(result, HOST)).toBe(result);
    },
  );

  it('keeps a member that is called __proto__ an own member', () => {
    const result = JSON.parse('{"__proto__":{"a":1},"_meta":{"__proto__":{"b":1},"my-host/x":1}}') as object;
    const own = stripMeta(result, HOST);
    expect(JSON.stringify(own)).toBe('{"__proto__":{"a":1},"_meta":{"__proto__":{"b":1}}}');
    expect(Object.getPrototypeOf(own)).toBe(Object.prototype);
  });

  it('ends where a value holds itself', () => {
    const meta: Record<string, unknown> = { 'my-host/x': 1 };
    meta['self'] = meta;
    const block: Record<string, unknown> = { _meta: meta };
    block['content'] = [block, block];
    const own = stripMeta({ content: [block] }, HOST) as { content: { _meta: object }[] };
    expect(Object.keys(own.content[0]?._meta ?? {})).toEqual(['self']);
  });
});
