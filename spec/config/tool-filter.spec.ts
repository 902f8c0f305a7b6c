import { describe, expect, it } from '@jest/globals';
import { isOffered } from '../../src/config/tool-filter.js';

describe('whether a tool is offered', () => {
  it.each([
    [{}, true],
    [{ allowedTools: ['a'] }, true],
    [{ allowedTools: ['b'] }, false],
    [{ allowedTools: [] }, false],
    [{ blockedTools: ['a'] }, false],
    [{ blockedTools: ['b'] }, true],
    [{ allowedTools: ['a'], blockedTools: ['a'] }, false],
  ])('%j: %s', (filter, offered) => {
    expect(isOffered('a', filter)).toBe(offered);
  });
});
