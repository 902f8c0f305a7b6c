import { describe, expect, it } from '@jest/globals';
import { Offer } from '../../../src/config/managed/offer.js';
import type { Tool } from '../../../src/protocol/schemas/index.js';
import { watch } from '../../support/client/watch.js';

const tools = (...names: readonly string[]): Tool[] => names.map((name) => ({ name, inputSchema: { type: 'object' } }));

const namesOf = ({ tools: { latest } }: Offer): string[] => latest.map(({ name }) => name);

describe('what a managed server offers', () => {
  it('is what it was found to have, as far as its entry says so', () => {
    const offer = new Offer('mcp__k__', { blockedTools: ['b'] });
    expect(namesOf(offer)).toEqual([]);
    offer.listed(tools('a', 'b'));
    expect(namesOf(offer)).toEqual(['mcp__k__a']);
    expect(offer.terms).toEqual({ blockedTools: ['b'] });
  });

  it('is told now, and after each change of the entry', () => {
    const offer = new Offer('mcp__k__', {});
    const seen = watch(offer.tools$);
    expect(seen.values).toEqual([offer.tools]);
    offer.adopt({ allowedTools: ['a'] });
    expect(seen.values).toHaveLength(2);
    expect(seen.values[1]).toBe(offer.tools);
    expect([seen.completed, seen.error]).toEqual([false, undefined]);
  });

  it('is another at once where the entry is', () => {
    const offer = new Offer('mcp__k__', {});
    offer.listed(tools('a', 'b'));
    offer.adopt({ allowedTools: ['b'], overlap: 'never', maxOutputTokens: 5 });
    expect(namesOf(offer)).toEqual(['mcp__k__b']);
    expect(offer.terms).toEqual({ allowedTools: ['b'], overlap: 'never', maxOutputTokens: 5 });
    expect(offer.tools.target('mcp__k__a')).toBeUndefined();
  });

  it('is the same where the entry says the same of its tools, and the names given out keep their meaning', () => {
    const offer = new Offer('mcp__k__', { allowedTools: ['a', 'b'] });
    offer.listed(tools('a'));
    offer.listed(tools('b'));
    const seen = watch(offer.tools$);
    offer.adopt({ allowedTools: ['a', 'b'], blockedTools: undefined, overlap: 'never' });
    expect(seen.values).toHaveLength(1);
    expect(offer.terms.overlap).toBe('never');
    expect(offer.tools.original('mcp__k__a')).toBe('a');
  });
});
