import { describe, expect, it } from '@jest/globals';
import { instead, nearNames } from '../../src/jsonrpc/suggest.js';

const NAMES = ['read_file', 'write_file', 'list_directory', 'search', 'add'];

describe('nearNames', () => {
  it.each([
    ['read-file', ['read_file']],
    ['raed_file', ['read_file']],
    ['READ_FILE', ['read_file']],
    ['ad', ['add']],
    ['directory', ['list_directory']],
    ['serach', ['search']],
    ['something else', []],
    ['', []],
    ['x', []],
  ])('finds what was meant by %j', (wanted, near) => {
    expect(nearNames(wanted, NAMES)).toEqual(near);
  });

  it('names three at most, the likeliest first', () => {
    expect(nearNames('tool_1', ['tool_2', 'tool_3', 'tool_1x', 'tool_4', 'tool_5'])).toHaveLength(3);
    expect(nearNames('tool_1', ['tool_2', 'tool_3', 'tool_1x'])[0]).toBe('tool_1x');
  });

  it('is not held up by long names', () => {
    expect(nearNames('x'.repeat(1_000_000), ['y'.repeat(1_000_000)])).toEqual([]);
  });
});

describe('instead', () => {
  it.each([
    ['ad', NAMES, '; did you mean "add"?'],
    ['zzz', ['a', 'b'], '; there are "a", "b"'],
    ['zzz', ['a'], '; there is "a"'],
    ['zzz', [], '; there are none'],
  ])('ends the sentence about %j', (wanted, names, end) => {
    expect(instead(wanted, names)).toBe(end);
  });

  it('does not name hundreds', () => {
    const names = Array.from({ length: 12 }, (_, index) => `name-${index}`);
    expect(instead('q', names)).toMatch(/^; there are "name-0", .*"name-9", …$/);
  });
});
