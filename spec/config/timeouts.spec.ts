import { describe, expect, it } from '@jest/globals';
import { Problems } from '../../src/config/problem.js';
import { startupTimeoutMs, toolTimeoutMs, toolTimeoutText } from '../../src/config/timeouts.js';

const read = <T>(from: (problems: Problems) => T) => {
  const problems = new Problems();
  return [from(problems), problems.all.map(({ variable }) => variable)];
};

describe('the timeout of a call', () => {
  it.each([
    [5_000, '7000', 5_000],
    [undefined, '7000', 7_000],
    [undefined, undefined, undefined],
    [5_000, 'odd', 5_000],
  ])('is that of the entry (%j), else that of MCP_TOOL_TIMEOUT (%j), else the client’s', (entry, variable, ms) => {
    expect(read((problems) => toolTimeoutMs(entry, { MCP_TOOL_TIMEOUT: variable }, problems))).toEqual([ms, []]);
  });

  it.each([['odd'], ['0'], ['2147483648']])('has a variable that is odd (%j) as a problem', (variable) => {
    expect(read((problems) => toolTimeoutMs(undefined, { MCP_TOOL_TIMEOUT: variable }, problems))).toEqual([
      undefined,
      ['MCP_TOOL_TIMEOUT'],
    ]);
  });

  it('is told in seconds', () => {
    expect(toolTimeoutText(5_000)).toBe('MCP tool call timed out after 5 s');
    expect(toolTimeoutText(1_500)).toBe('MCP tool call timed out after 1.5 s');
  });
});

describe('the timeout of a start', () => {
  it.each([
    [100, '7000', 100, []],
    [undefined, '7000', 7_000, []],
    [undefined, undefined, 30_000, []],
    [undefined, 'odd', 30_000, ['MCP_TIMEOUT']],
  ])('is what is given (%j), else MCP_TIMEOUT (%j), else half a minute', (given, variable, ms, odd) => {
    expect(read((problems) => startupTimeoutMs(given, { MCP_TIMEOUT: variable }, problems))).toEqual([ms, odd]);
  });
});
