import { describe, expect, it } from '@jest/globals';
import type { CacheEntry } from '../../src/client/cache.js';
import { entryLength, freshUntilThen, isTextEntry, textEntry } from '../../src/client/text-entry.js';

const plain: CacheEntry = {
  result: { resultType: 'complete', tools: [{ name: 'a "quoted" \u{1F600} one' }] },
  freshUntil: 1_234,
  chain: '1.x',
};

describe('an entry of text', () => {
  it('is equal to the entry it was made of, and as long as its JSON text', () => {
    for (const entry of [plain, { result: plain.result, freshUntil: 0 }]) {
      const text = textEntry(entry);
      expect(text).toEqual(entry);
      expect([entryLength(text), entryLength(entry)]).toEqual([JSON.stringify(entry).length, entryLength(text)]);
      expect([isTextEntry(text), isTextEntry(entry)]).toEqual([true, false]);
    }
  });

  it('gives a copy of its result at each look, and keeps nothing of what it was made of', () => {
    const tools = [{ name: 'a' }];
    const text = textEntry({ result: { resultType: 'complete', tools }, freshUntil: 1 });
    tools.push({ name: 'b' });
    (text.result['tools'] as unknown[]).length = 0;
    expect(text.result).toEqual({ resultType: 'complete', tools: [{ name: 'a' }] });
    expect(text.result).not.toBe(text.result);
  });

  it.each([
    ['of text', textEntry(plain)],
    ['of objects', plain],
  ])('%s can be fresh until another time', (_what, entry) => {
    const stale = freshUntilThen(entry, 0);
    expect(stale).toEqual({ ...plain, freshUntil: 0 });
    expect(isTextEntry(stale)).toBe(isTextEntry(entry));
    expect(entry.freshUntil).toBe(1_234);
  });

  it('refuses what JSON cannot say', () => {
    const result: { resultType: 'complete'; self?: unknown } = { resultType: 'complete' };
    result.self = result;
    expect(() => textEntry({ result, freshUntil: 0 })).toThrow(TypeError);
  });
});
