import { describe, expect, it } from '@jest/globals';
import { answered, failed, failedBy, toolResult } from '../../src/bridge/outcome.js';
import { OutcomeUnknownError, ProtocolError, TimeoutError } from '../../src/index.js';
import { text } from './support/batches.js';

describe('the outcome of a call', () => {
  it('that was answered is what the tool said', () => {
    const result = text('done');
    expect(answered(result)).toEqual({ result, raw: result });
    expect(answered(result).raw).toBe(result);
  });

  it('that failed is an error with words for the model, and nothing that the tool said', () => {
    expect(failed('no')).toEqual({ result: { ...text('no'), isError: true }, raw: undefined });
  });

  it.each([
    ['TimeoutError: ', new TimeoutError('tools/call', 1, 5)],
    ['ProtocolError: no such tool', new ProtocolError(-32_602, 'no such tool')],
    ['OutcomeUnknownError: ', new OutcomeUnknownError('tools/call', 1)],
    ['Error: a bug', new Error('a bug')],
    ['Error: a bug', new TypeError('a bug')],
    ['Error: words', 'words'],
    ['Error: undefined', undefined],
    ['Error: something that cannot be written out', Object.create(null)],
  ])('that met an error begins with what kind it is: %s', (start, reason) => {
    const { result, raw } = failedBy(reason);
    expect(result).toEqual({ content: [{ type: 'text', text: expect.stringMatching(`^${start}`) }], isError: true });
    expect(raw).toBeUndefined();
  });
});

describe('the result of a call', () => {
  it('has the fields of a result and no other', () => {
    expect(toolResult('1', answered(text('done')), 'done')).toStrictEqual({
      role: 'tool',
      tool_call_id: '1',
      content: 'done',
      is_error: false,
    });
  });

  it('is an error only where the tool said true', () => {
    const of = (isError: unknown) => toolResult('1', answered({ ...text('x'), isError } as never), 'x').is_error;
    expect([true, false, undefined, 'true', 1].map(of)).toEqual([true, false, false, false, false]);
  });

  it.each([[{ sum: 3 }], [null], [0], [''], [[1]]])('has structured content as the server gave it: %j', (value) => {
    const result = toolResult('1', answered({ ...text('x'), structuredContent: value }), 'x');
    expect(result.structured_content).toBe(value);
    expect(Object.keys(result)).toContain('structured_content');
  });

  it('keeps what the tool answered within reach and out of every copy that goes to a model', () => {
    const raw = text('the whole');
    const result = toolResult('1', answered(raw), 'cut');
    expect(result.raw).toBe(raw);
    expect(Object.keys(result)).not.toContain('raw');
    expect(JSON.stringify(result)).not.toContain('the whole');
    expect({ ...result }).not.toHaveProperty('raw');
  });

  it('has nothing raw where nothing was answered', () => {
    expect('raw' in toolResult('1', failed('no'), 'no')).toBe(false);
  });
});
