import { describe, expect, it } from '@jest/globals';
import { isMore } from '../../scripts/soak/ledger.mjs';

describe('what a process holds', () => {
  it.each([
    [1, 2],
    ['none', '1 PipeWrap'],
    ['2 PipeWrap, 1 Timeout', '2 PipeWrap, 2 Timeout'],
    ['2 PipeWrap, 1 Timeout', '3 PipeWrap'],
    ['2 PipeWrap', '1 PipeWrap, 1 ProcessWrap'],
  ])('is more: %j, then %j', (before, after) => {
    expect(isMore(before, after)).toBe(true);
  });

  it.each([
    [2, 2],
    [2, 0],
    ['not checked', 'not checked'],
    ['2 PipeWrap, 1 Timeout', '2 PipeWrap'],
    ['1 MessagePort, 2 PipeWrap', 'none'],
  ])('is no more: %j, then %j', (before, after) => {
    expect(isMore(before, after)).toBe(false);
  });
});
