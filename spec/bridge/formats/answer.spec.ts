import { describe, expect, it } from '@jest/globals';
import { answerIn, LLM_FORMATS } from '../../../src/bridge/formats/index.js';
import type { ResultPart, ToolResult } from '../../../src/bridge/provider.js';

const CALL = { id: 'c1', name: 'admin_users' };

const result = (content: ToolResult['content'], more: Partial<ToolResult> = {}): ToolResult => ({
  role: 'tool',
  tool_call_id: 'c1',
  content,
  is_error: false,
  ...more,
});

const PARTS: readonly ResultPart[] = [
  { type: 'text', text: 'See:' },
  { type: 'image', data: 'AAAA', mimeType: 'image/png' },
  { type: 'audio', data: 'AAA=', mimeType: 'audio/wav' },
  { type: 'file', data: 'AA==', mimeType: 'application/pdf', name: 'a.pdf' },
  { type: 'file', data: '', mimeType: 'application/zip' },
  { type: 'image', data: 'AAAA', mimeType: 'image/svg+xml' },
  { type: 'text', text: '' },
];

const NAMED = [
  'See:',
  '[image: image/png, 3 bytes]',
  '[audio: audio/wav, 2 bytes]',
  '[file: a.pdf, application/pdf, 1 bytes]',
  '[file: application/zip, 0 bytes]',
  '[image: image/svg+xml, 3 bytes]',
  '',
].join('\n');

describe('an answer', () => {
  it('has the shape of a message of an OpenAI chat completion', () => {
    expect(answerIn('openai', CALL, result('hi'))).toEqual({ role: 'tool', tool_call_id: 'c1', content: 'hi' });
    expect(answerIn('openai', CALL, result(PARTS)).content).toBe(NAMED);
  });

  it('has the shape of an item of an OpenAI response', () => {
    const answer = { type: 'function_call_output', call_id: 'c1', output: 'hi' };
    expect(answerIn('openai-responses', CALL, result('hi'))).toEqual(answer);
    expect(answerIn('openai-responses', CALL, result(PARTS)).output).toEqual([
      { type: 'input_text', text: 'See:' },
      { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
      { type: 'input_text', text: '[audio: audio/wav, 2 bytes]' },
      { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA==' },
      { type: 'input_file', filename: 'file', file_data: 'data:application/zip;base64,' },
      { type: 'input_text', text: '[image: image/svg+xml, 3 bytes]' },
      { type: 'input_text', text: '' },
    ]);
  });

  it('has the shape of a block of an Anthropic message, without texts that are empty', () => {
    const answer = { type: 'tool_result', tool_use_id: 'c1', content: 'hi', is_error: false };
    expect(answerIn('anthropic', CALL, result('hi'))).toEqual(answer);
    expect(answerIn('anthropic', CALL, result(PARTS)).content).toEqual([
      { type: 'text', text: 'See:' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
      { type: 'text', text: '[audio: audio/wav, 2 bytes]' },
      { type: 'document', title: 'a.pdf', source: { type: 'base64', media_type: 'application/pdf', data: 'AA==' } },
      { type: 'text', text: '[file: application/zip, 0 bytes]' },
      { type: 'text', text: '[image: image/svg+xml, 3 bytes]' },
    ]);
    expect(answerIn('anthropic', CALL, result([{ type: 'text', text: ' ' }])).content).toBe('');
  });

  it('has the shape of a part of Gemini, under the name that the model used', () => {
    expect(answerIn('gemini', CALL, result('hi'))).toEqual({
      functionResponse: { id: 'c1', name: 'admin_users', response: { output: 'hi' } },
    });
    expect(answerIn('gemini', { id: '', name: 't' }, result('hi'))).toEqual({
      functionResponse: { name: 't', response: { output: 'hi' } },
    });
    expect(answerIn('gemini', CALL, result(PARTS)).functionResponse).toEqual({
      id: 'c1',
      name: 'admin_users',
      response: { output: NAMED },
      parts: [
        { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
        { inlineData: { mimeType: 'application/pdf', data: 'AA==' } },
      ],
    });
  });

  it('has the shape of a part of a message of the AI SDK', () => {
    const answer = { type: 'tool-result', toolCallId: 'c1', toolName: 'admin_users' };
    expect(answerIn('ai-sdk', CALL, result('hi'))).toEqual({ ...answer, output: { type: 'text', value: 'hi' } });
    expect(answerIn('ai-sdk', CALL, result(PARTS.slice(0, 4)))).toEqual({
      ...answer,
      output: {
        type: 'content',
        value: [
          { type: 'text', text: 'See:' },
          { type: 'image-data', data: 'AAAA', mediaType: 'image/png' },
          { type: 'file-data', data: 'AAA=', mediaType: 'audio/wav' },
          { type: 'file-data', data: 'AA==', mediaType: 'application/pdf', filename: 'a.pdf' },
        ],
      },
    });
  });

  it('has each kind of part as its vendor takes it, and no field that says nothing', () => {
    const parts = result([
      { type: 'image', data: 'AAAA', mimeType: 'image/jpeg' },
      { type: 'image', data: 'AAAA', mimeType: 'image/gif' },
      { type: 'image', data: 'AAAA', mimeType: 'image/webp' },
      { type: 'file', data: 'AAAA', mimeType: 'application/pdf' },
      { type: 'file', data: 'AAAA', mimeType: 'text/plain' },
      { type: 'audio', data: 'AAAA', mimeType: 'application/pdf' },
      { type: 'file', data: 'AAAA', mimeType: 'image/png' },
      { type: 'text', text: 'a' },
    ]);
    const image = (media_type: string) => ({ type: 'image', source: { type: 'base64', media_type, data: 'AAAA' } });
    expect(answerIn('anthropic', CALL, parts).content).toStrictEqual([
      ...['image/jpeg', 'image/gif', 'image/webp'].map(image),
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'AAAA' } },
      { type: 'text', text: '[file: text/plain, 3 bytes]' },
      { type: 'text', text: '[audio: application/pdf, 3 bytes]' },
      { type: 'text', text: '[file: image/png, 3 bytes]' },
      { type: 'text', text: 'a' },
    ]);
    const inline = ['image/jpeg', 'image/webp', 'application/pdf', 'text/plain', 'application/pdf', 'image/png'];
    expect(answerIn('gemini', CALL, parts).functionResponse.parts).toEqual(
      inline.map((mimeType) => ({ inlineData: { mimeType, data: 'AAAA' } })),
    );
    const { output } = answerIn('ai-sdk', CALL, parts);
    expect(output.value[3]).toStrictEqual({ type: 'file-data', data: 'AAAA', mediaType: 'application/pdf' });
    const { output: items } = answerIn('openai-responses', CALL, parts);
    expect((items as readonly object[]).slice(0, 3)).toEqual(
      ['jpeg', 'gif', 'webp'].map((kind) => ({ type: 'input_image', image_url: `data:image/${kind};base64,AAAA` })),
    );
    const alone = answerIn('gemini', CALL, result([{ type: 'text', text: 'a' }])).functionResponse;
    expect(alone).toStrictEqual({ id: 'c1', name: 'admin_users', response: { output: 'a' } });
  });

  it('has facts that may be set anew', () => {
    const answer = answerIn('openai', CALL, result('hi'));
    Object.assign(answer, { is_error: true });
    expect(answer.is_error).toBe(true);
    expect(delete (answer as { is_error?: boolean }).is_error).toBe(true);
  });

  it("is the result itself where the call was in no vendor's shape", () => {
    const neutral = result('hi');
    expect(answerIn('neutral', CALL, neutral)).toBe(neutral);
  });

  it('says that the call failed in the way the vendor has, as text, and never without one', () => {
    const failed = result(PARTS, { is_error: true });
    expect(answerIn('anthropic', CALL, failed)).toMatchObject({ content: NAMED, is_error: true });
    expect(answerIn('gemini', CALL, failed).functionResponse.response).toEqual({ error: NAMED });
    expect(answerIn('gemini', CALL, failed).functionResponse).not.toHaveProperty('parts');
    expect(answerIn('ai-sdk', CALL, failed).output).toEqual({ type: 'error-text', value: NAMED });
    const silent = answerIn('anthropic', CALL, result(' ', { is_error: true }));
    expect(silent.content).toBe('The tool failed and gave no reason.');
  });

  it.each(LLM_FORMATS)('goes to the model without what is only for the caller, who can read it: %s', (format) => {
    const raw = { content: [], structuredContent: { n: 1 } };
    const full = result('hi', { is_error: true, structured_content: { n: 1 } });
    Object.defineProperty(full, 'raw', { value: raw });
    const answer = answerIn(format, CALL, full);
    expect(answer.is_error).toBe(true);
    expect(answer.structured_content).toEqual({ n: 1 });
    expect(answer.raw).toBe(raw);
    expect(JSON.stringify(answer)).not.toMatch(/structured|raw|"n"/);
    expect('is_error' in { ...answer }).toBe(format === 'anthropic');
    const bare = answerIn(format, CALL, result('hi'));
    expect(['structured_content' in bare, 'raw' in bare, bare.is_error]).toEqual([false, false, false]);
  });

  it.each(LLM_FORMATS)('has no half characters, for which an API would refuse the conversation: %s', (format) => {
    const half: readonly ResultPart[] = [{ type: 'text', text: 'a\ud83d' }];
    for (const content of ['a\ud83d', half]) {
      expect(JSON.stringify(answerIn(format, CALL, result(content)))).not.toContain('\\ud83d');
    }
  });
});
