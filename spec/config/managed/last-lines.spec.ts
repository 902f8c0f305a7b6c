import { describe, expect, it } from '@jest/globals';
import { LastLines } from '../../../src/config/managed/last-lines.js';

const linesOf = (...lines: readonly string[]): LastLines => {
  const last = new LastLines();
  for (const line of lines) last.push(line);
  return last;
};

describe('LastLines', () => {
  it('is empty at first', () => {
    expect(linesOf().text).toBe('');
    expect(linesOf().last).toBe('');
  });

  it('keeps 20 lines, the latest last', () => {
    const all = Array.from({ length: 50 }, (_, index) => `line ${index}`);
    const lines = linesOf(...all);
    expect(lines.text).toBe(all.slice(30).join('\n'));
    expect(lines.last).toBe('line 49');
    expect(linesOf(...all.slice(0, 20)).text.split('\n')).toHaveLength(20);
  });

  it('cuts a line at 500 characters, and not within one', () => {
    expect(linesOf('x'.repeat(500)).text).toBe('x'.repeat(500));
    expect(linesOf('x'.repeat(64_000)).text).toBe(`${'x'.repeat(500)}…`);
    expect(linesOf(`${'x'.repeat(499)}😀x`).text).toBe(`${'x'.repeat(499)}…`);
  });

  it('has the last line that says anything, without the blanks around it', () => {
    expect(linesOf('Error: no key', '  at main  ', '', ' \t').last).toBe('at main');
    expect(linesOf('', '  ').last).toBe('');
  });

  it('has no last line of the life before', () => {
    const lines = linesOf('out of memory');
    lines.begin();
    expect(lines.last).toBe('');
    expect(lines.text).toBe('out of memory');
    lines.push('up again');
    expect(lines.last).toBe('up again');
  });
});
