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
    expect(linesOf().own).toEqual([]);
  });

  it('keeps 20 lines, the latest last', () => {
    const all = Array.from({ length: 50 }, (_, index) => `line ${index}`);
    const lines = linesOf(...all);
    expect(lines.text).toBe(all.slice(30).join('\n'));
    expect(lines.own).toEqual(all.slice(30));
    expect(linesOf(...all.slice(0, 20)).text.split('\n')).toHaveLength(20);
  });

  it('cuts a line at 500 characters, and not within one', () => {
    expect(linesOf('x'.repeat(500)).text).toBe('x'.repeat(500));
    expect(linesOf('x'.repeat(64_000)).text).toBe(`${'x'.repeat(500)}…`);
    expect(linesOf(`${'x'.repeat(499)}😀x`).text).toBe(`${'x'.repeat(499)}…`);
  });

  it('has those that say anything, without the blanks around it', () => {
    expect(linesOf('Error: no key', '  at main  ', '', ' \t').own).toEqual(['Error: no key', 'at main']);
    expect(linesOf('', '  ').own).toEqual([]);
  });

  it('tells those of the life before apart', () => {
    const lines = linesOf('out of memory');
    lines.begin();
    expect(lines.own).toEqual([]);
    expect(lines.text).toBe('out of memory');
    lines.push('up again');
    expect(lines.own).toEqual(['up again']);
  });
});
