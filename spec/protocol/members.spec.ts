import { describe, expect, it } from '@jest/globals';
import { completed, withMeta } from '../../src/protocol/members.js';

describe('a result that is completed', () => {
  it('is a copy with every member, complete whatever it said of itself', () => {
    const raw = { resultType: 'task', content: [] };
    expect(completed(raw)).toEqual({ resultType: 'complete', content: [] });
    expect(raw.resultType).toBe('task');
  });

  it('keeps a member named like the prototype a member', () => {
    const raw = JSON.parse('{ "__proto__": { "isError": true } }') as Record<string, unknown>;
    const result = completed(raw);
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect(Object.keys(result)).toEqual(['resultType', '__proto__']);
    expect(result['isError']).toBeUndefined();
  });
});

describe('params with meta', () => {
  it('are a copy, in which the meta stands in place of their own', () => {
    const params = { name: 'a', _meta: { b: 1 } };
    expect(withMeta(params, { c: 2 })).toEqual({ name: 'a', _meta: { c: 2 } });
    expect(params._meta).toEqual({ b: 1 });
  });

  it('are the meta alone where there are none', () => {
    expect(withMeta(undefined, { c: 2 })).toEqual({ _meta: { c: 2 } });
  });
});
