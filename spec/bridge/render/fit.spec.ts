import { describe, expect, it } from '@jest/globals';
import { estimate } from '../../../src/bridge/render/count.js';
import { type Fit, fit, fitFailure } from '../../../src/bridge/render/fit.js';
import type { Piece } from '../../../src/bridge/render/pieces.js';

const text = (words: string): Piece => ({ kind: 'text', text: words });
const media = (name: string, bytes = 10, type: 'image' | 'file' = 'image'): Piece => ({
  ...{ kind: 'media', part: { type, data: name, mimeType: 'a/b' }, name: `[${name}]`, bytes },
});
const contentOf = (found: Fit): unknown => (found.cut ? found.to(undefined) : found.content);
const fitted = (pieces: readonly Piece[], limit = Infinity): unknown => contentOf(fit(pieces, limit, estimate));
const failed = (pieces: readonly Piece[], limit = Infinity): unknown => contentOf(fitFailure(pieces, limit, estimate));
const part = (name: string, type = 'image') => ({ type, data: name, mimeType: 'a/b' });

describe('what fits of a result', () => {
  it('is its texts, a blank line between', () => {
    expect(fitted([text('a'), text('b')])).toBe('a\n\nb');
  });

  it('is a sentence where a tool gave nothing', () => {
    expect(fitted([])).toBe('The tool returned no content.');
    expect(failed([])).toBe('The tool returned no content.');
  });

  it('is parts where there are media, the texts between them joined', () => {
    expect(fitted([text('a'), text('b'), media('x'), media('y'), text('c')])).toEqual([
      { type: 'text', text: 'a\n\nb' },
      part('x'),
      part('y'),
      { type: 'text', text: 'c' },
    ]);
  });

  it('has of the media those that fit beside the text, in order, and the names of the others', () => {
    const pieces = [media('x'), text('a'.repeat(400)), media('y'), media('z', 200, 'file')];
    expect(fitted(pieces, 1_710)).toEqual([
      part('x'),
      { type: 'text', text: `${'a'.repeat(400)}\n\n[y]` },
      part('z', 'file'),
    ]);
    expect(fit(pieces, 1_710, estimate)).toHaveProperty('tokens', 1_600 + 100 + 2 + 2);
  });

  it('is text alone where no media fit, and cut where that is too long', () => {
    expect(fitted([text('a'), media('x')], 1_599)).toBe('a\n\n[x]');
    const cut = fitted([text('a'.repeat(50_000)), media('x')], 2_000) as string;
    expect(cut.startsWith('aaa')).toBe(true);
    expect(cut.endsWith('\n\n[x]')).toBe(true);
    expect(estimate(cut)).toBeLessThanOrEqual(2_000);
  });

  it('of a failure is all of its text, whatever the limit', () => {
    const long = 'x'.repeat(11_000);
    expect(failed([text(long)], 10)).toBe(long);
    expect(failed([text(long), media('x')], 10)).toMatch(/^x{5000}\n\[\.\.\. \d+ characters .*\.\.\.\]\nx+\n\n\[x\]$/);
  });

  it('of a failure of more than 11 000 characters is 5 000 at each end, without a limit as with one', () => {
    const found = failed([text('x'.repeat(11_001))]);
    expect(found).toBe(
      `${'x'.repeat(5_000)}\n[... 1001 characters (about 250 tokens) are left out here ...]\n${'x'.repeat(5_000)}`,
    );
    expect(failed([text('x'.repeat(11_001))], 20)).toBe(found);
  });

  it('of a failure has media as far as they alone fit', () => {
    const why = text('why'.repeat(1_000));
    expect(failed([why, media('x'), media('y')], 1_600)).toEqual([
      { type: 'text', text: 'why'.repeat(1_000) },
      part('x'),
      { type: 'text', text: '[y]' },
    ]);
  });

  it('is whole where it takes just what it may', () => {
    const exact = 'a'.repeat(400);
    expect(fit([text(exact)], 100, estimate)).toEqual({ cut: false, content: exact, tokens: 100 });
    expect(fit([text(exact)], 99, estimate)).toMatchObject({ cut: true, text: exact, tokens: 100 });
    expect(fitted([text('abcd'), media('x')], 1_601)).toEqual([{ type: 'text', text: 'abcd' }, part('x')]);
  });

  it('is not counted where there is no limit', () => {
    const asked: string[] = [];
    const count = (words: string): number => asked.push(words);
    expect(fit([text('a')], Infinity, count)).toEqual({ cut: false, content: 'a', tokens: 0 });
    expect(fit([text('a'), media('x')], Infinity, count)).toMatchObject({ cut: false, tokens: 0 });
    expect(asked).toEqual([]);
  });

  it('of a failure takes its text, and its media where there is a limit', () => {
    const pieces = [text('abcd'), media('x')];
    const { tokens } = fitFailure(pieces, Infinity, estimate);
    expect(tokens).toBeLessThan(5);
    expect(fitFailure(pieces, 2_000, estimate).tokens).toBe(tokens + 1_600);
    expect(fitFailure(pieces, 5, estimate)).toMatchObject({ content: 'abcd\n\n[x]', tokens: 3 });
  });
});
