import { describe, expect, it } from '@jest/globals';
import { markdown, short } from '../../bench/support/markdown.mjs';
import type { Summary } from '../../bench/support/statistics.mjs';
import { cellText, figureTable, resultTable } from '../../bench/support/table.mjs';

const cell = (value: number, more: Partial<Summary> = {}): Summary => ({ value, notes: [], failed: 0, ...more });

describe('a number', () => {
  it.each([
    [0.1234, '0.12'],
    [1.005, '1.00'],
    [12.34, '12.3'],
    [123.4, '123'],
    [1_234_567.8, '1 234 568'],
    [-0.5, '-0.50'],
  ])('%d is shown as %s', (value, text) => {
    expect(short(value)).toBe(text);
  });

  it('that is not there is shown as nothing', () => {
    expect(short(undefined)).toBe('');
  });
});

describe('a Markdown table', () => {
  it('has its first column to the left, the others to the right, and bars escaped', () => {
    expect(markdown(['a', 'b'], [['x|y', 1]])).toBe('| a | b |\n| --- | ---: |\n| x\\|y | 1 |');
  });
});

describe('a cell', () => {
  it('is a median, and how often the yardstick it is', () => {
    expect(cellText(cell(20), cell(10))).toBe('20.0 (2.00x)');
    expect(cellText(cell(20), undefined)).toBe('20.0');
  });

  it('says how many samples it is of, of how many, and how far they lie from it', () => {
    expect(cellText(cell(20, { counted: 5, leftOut: 0, spread: 0.034 }), undefined)).toBe('20.0 [5, ±3 %]');
    expect(cellText(cell(20, { counted: 3, leftOut: 2, spread: 0 }), cell(10))).toBe('20.0 (2.00x) [3 of 5, ±0 %]');
    expect(cellText(cell(20, { counted: 1, leftOut: 0, spread: 0 }), undefined)).toBe('20.0 [1]');
  });

  it('has no ratio to what is nothing or less', () => {
    expect(cellText(cell(20), cell(-1))).toBe('20.0');
  });

  it('says what was lost, what failed, and that it was disturbed', () => {
    const summary = cell(20, { notes: ['lost 3'], failed: 2, disturbed: true });
    expect(cellText(summary, undefined)).toBe('20.0, lost 3, 2 samples failed, disturbed');
  });

  it('is the failure of a client that always failed, and empty where it was not asked', () => {
    expect(cellText({ error: 'it hung' }, undefined)).toBe('failed: it hung');
    expect(cellText({ error: 'it hung' }, undefined, 'wall')).toBe('');
    expect(cellText(undefined, cell(1))).toBe('');
  });
});

describe('the table of results', () => {
  const row = {
    name: 'calls',
    title: 'calls',
    unit: 'µs',
    yardstick: 'floor',
    clients: ['rx-mcp', 'floor', 'official-2', 'floor-rxjs'],
  };
  const cells: Record<string, Summary> = {
    'rx-mcp': cell(12, { wall: 30 }),
    floor: cell(10, { wall: 20 }),
    'official-2': cell(50, { wall: 60 }),
    'floor-rxjs': cell(11, { wall: 21 }),
  };
  const table = (rows: readonly (typeof row)[]) =>
    resultTable(
      rows,
      (_, client) => cells[client],
      (client) => `<${client}>`,
    ).split('\n');

  it('has a line of CPU and one of wall time for a row, the yardstick first, whoever has no column at the end', () => {
    expect(table([row]).slice(2)).toEqual([
      '| calls | µs, CPU | <floor> 10.0 | 12.0 (1.20x) | 50.0 (5.00x) |  |  | <floor-rxjs> 11.0 (1.10x) |',
      '|  | µs, wall | <floor> 20.0 | 30.0 (1.50x) | 60.0 (3.00x) |  |  | <floor-rxjs> 21.0 (1.05x) |',
    ]);
  });

  it('names its columns', () => {
    expect(table([])[0]).toBe('| work | unit | yardstick | rx-mcp | <official-2> | <official-1> | <ai-sdk> | others |');
  });
});

describe('the table of figures', () => {
  it('says what is wanted, what was measured, and what follows', () => {
    const figure = { title: 't', of: { row: 'r', client: 'c' }, must: 40, aim: 20 };
    const lines = figureTable([
      { ...figure, unit: 'ms', value: 33, verdict: 'must' },
      { ...figure, verdict: 'it hung' },
      { ...figure, known: 50, value: 45, verdict: 'missed, as known', disturbed: true },
    ]).split('\n');
    expect(lines.slice(2)).toEqual([
      '| t | 40.0 ms | 20.0 ms | 33.0 ms | must |',
      '| t | 40.0x | 20.0x |  | it hung |',
      '| t | 40.0x, known 50.0x | 20.0x | 45.0x | missed, as known, disturbed |',
    ]);
  });
});
