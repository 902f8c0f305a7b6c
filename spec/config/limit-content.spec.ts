import { describe, expect, it } from '@jest/globals';
import { estimate } from '../../src/bridge/render/count.js';
import { limitContent, maxOutputTokensOf } from '../../src/config/limit-content.js';
import { Problems } from '../../src/config/problem.js';
import type { ContentBlock } from '../../src/index.js';

const text = (of: string): ContentBlock => ({ type: 'text', text: of });
const lines = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index}`).join('\n');
const IMAGE: ContentBlock = { type: 'image', data: 'aGVsbG8=', mimeType: 'image/png' };
const AUDIO: ContentBlock = { type: 'audio', data: 'aGVsbG8=', mimeType: 'audio/wav' };

const onlyText = (content: readonly ContentBlock[]): string => {
  expect(content).toMatchObject([{ type: 'text' }]);
  const [block] = content;
  return block?.type === 'text' ? block.text : '';
};

describe('the most tokens of a result', () => {
  it.each([
    [900, '700', 900],
    [undefined, '700', 700],
    [undefined, undefined, 25_000],
  ])('are those of the entry (%j), else of MAX_MCP_OUTPUT_TOKENS (%j), else 25 000', (entry, variable, tokens) => {
    const problems = new Problems();
    expect(maxOutputTokensOf(entry, { MAX_MCP_OUTPUT_TOKENS: variable }, problems)).toBe(tokens);
    expect(problems.all).toEqual([]);
  });

  it('are the default where the variable is odd, which is a problem', () => {
    const problems = new Problems();
    expect(maxOutputTokensOf(undefined, { MAX_MCP_OUTPUT_TOKENS: '25k' }, problems)).toBe(25_000);
    expect(problems.all).toMatchObject([{ variable: 'MAX_MCP_OUTPUT_TOKENS' }]);
  });
});

describe('limitContent', () => {
  it('leaves what is short as it is', () => {
    for (const content of [[], [text('short')], [text('a'), AUDIO, text('b')]]) {
      expect(limitContent(content, false, { maxOutputTokens: 100 })).toBe(content);
      expect(limitContent(content, true, { maxOutputTokens: 1 })).toBe(content);
    }
    const exact = [text('x'.repeat(400))];
    expect(limitContent(exact, false, { maxOutputTokens: 100 })).toBe(exact);
  });

  it('cuts a long text, keeps both ends, and says how much there was and how to raise the limit', () => {
    const long = lines(10_000);
    const cut = onlyText(limitContent([text(long)], false, { maxOutputTokens: 1_000 }));
    expect(estimate(cut)).toBeLessThanOrEqual(1_000);
    expect(estimate(cut)).toBeGreaterThan(850);
    expect(cut).toMatch(/^line 0\nline 1\n/);
    expect(cut).toMatch(/line 9999\n\n\[/);
    expect(cut).toContain(`The result was about ${estimate(long)} tokens long, and was cut to 1000.`);
    expect(cut).toMatch(/raise maxOutputTokens of this server, or the variable MAX_MCP_OUTPUT_TOKENS\.\]$/);
  });

  it('counts all texts together, also those in resources, and keeps other blocks in their places', () => {
    const resource: ContentBlock = { type: 'resource', resource: { uri: 'a:b', text: 'y'.repeat(3_000) } };
    const content = [AUDIO, text('x'.repeat(3_000)), resource, AUDIO];
    expect(limitContent(content, false, { maxOutputTokens: 2_000 })).toBe(content);
    const cut = limitContent(content, false, { maxOutputTokens: 1_000 });
    expect(cut.map(({ type }) => type)).toEqual(['audio', 'text', 'audio']);
    expect(onlyText(cut.slice(1, 2))).toMatch(/^x+\n\[\.\.\..*\]\ny+\n\n\[The result/s);
  });

  it('lets a result with an image pass whole', () => {
    const blob: ContentBlock = { type: 'resource', resource: { uri: 'a:b', blob: 'aGk=', mimeType: 'Image/png' } };
    for (const image of [IMAGE, blob]) {
      const content = [text(lines(10_000)), image];
      expect(limitContent(content, false, { maxOutputTokens: 10 })).toBe(content);
    }
  });

  it('keeps 5 000 characters at each end of a long failure, whatever the limit is', () => {
    const long = `${'a'.repeat(20_000)}${'b'.repeat(20_000)}`;
    const cut = onlyText(limitContent([text(long)], true, { maxOutputTokens: 10 }));
    expect(cut).toMatch(/^a{5000}\n\[\.\.\. 30000 characters .*\]\nb{5000}$/);
    expect(limitContent([text(long), IMAGE], true, { maxOutputTokens: 10 })).toMatchObject([{ type: 'text' }, IMAGE]);
  });

  it('says it even where there is room for nothing else', () => {
    const cut = onlyText(limitContent([text(lines(1_000))], false, { maxOutputTokens: 1 }));
    expect(cut).toMatch(/characters .* are left out here.*\n\n\[The result was about/s);
  });

  it('counts by a function of the application’s, and estimates where that fails', () => {
    const content = [text('word '.repeat(1_000))];
    const countTokens = (of: string) => of.split(/\s+/).length;
    expect(limitContent(content, false, { maxOutputTokens: 1_100, countTokens })).toBe(content);
    expect(onlyText(limitContent(content, false, { maxOutputTokens: 500, countTokens }))).toContain(
      'about 1001 tokens',
    );
    const broken = () => {
      throw new Error('broken');
    };
    expect(limitContent(content, false, { maxOutputTokens: 1_250, countTokens: broken })).toBe(content);
  });

  it('stands whatever a server sends in place of content', () => {
    const odd = [null, 5, {}, { type: 'text' }, { type: 'resource' }, { type: 'image' }] as unknown as ContentBlock[];
    expect(() => limitContent(odd, false, { maxOutputTokens: 1 })).not.toThrow();
    expect(() => limitContent(odd, true, { maxOutputTokens: 1 })).not.toThrow();
  });
});
