import { describe, expect, it } from '@jest/globals';
import { clients } from '../../bench/clients/index.mjs';
import { figures } from '../../bench/figures.mjs';
import { rows } from '../../bench/scenarios/index.mjs';
import type { Summary } from '../../bench/support/statistics.mjs';
import { cellsOf, isMissed, verdicts } from '../../bench/support/verdicts.mjs';

const own = { row: 'r', client: 'rx-mcp' };
const floor = { row: 'r', client: 'floor' };
const ratio = { title: 'r against floor', of: own, against: floor, must: 2, aim: 1.5 };

/** The verdict on one figure, of cells by client. */
const judge = (figure: Parameters<typeof verdicts>[0][number], cells: Record<string, Summary>, slack?: number) =>
  verdicts([figure], (_, client) => cells[client], slack)[0];

const cell = (value: number, notes: readonly string[] = []): Summary => ({ value, notes });

describe('a verdict', () => {
  it.each([
    [14, 'aim'],
    [15, 'aim'],
    [20, 'must'],
    [21, 'missed'],
  ])('on %d against 10 is %s', (value, verdict) => {
    expect(judge(ratio, { 'rx-mcp': cell(value), floor: cell(10) })).toMatchObject({ value: value / 10, verdict });
  });

  it('leaves room where it is told to', () => {
    expect(judge(ratio, { 'rx-mcp': cell(23), floor: cell(10) }, 0.2)?.verdict).toBe('must');
    expect(judge(ratio, { 'rx-mcp': cell(25), floor: cell(10) }, 0.2)?.verdict).toBe('missed');
  });

  it('is on a difference, or on the value itself, where the figure is one', () => {
    const { against: _, ...alone } = ratio;
    expect(judge({ ...alone, minus: floor }, { 'rx-mcp': cell(12), floor: cell(10) })?.value).toBe(2);
    expect(judge(alone, { 'rx-mcp': cell(1.2) })).toMatchObject({ value: 1.2, verdict: 'aim' });
  });

  it('is a miss where something was lost that may not be', () => {
    const cells = { 'rx-mcp': cell(10, ['lost 3 of 9']), floor: cell(10) };
    expect(judge({ ...ratio, clean: true }, cells)?.verdict).toBe('missed');
    expect(judge(ratio, cells)?.verdict).toBe('aim');
  });

  it('is the error where a cell failed, which counts as missed, and a dash where nothing was measured', () => {
    const failed = judge(ratio, { 'rx-mcp': { error: 'it hung' }, floor: cell(10) });
    expect(failed?.verdict).toBe('it hung');
    expect(isMissed({ verdict: 'it hung' })).toBe(true);
    expect(judge(ratio, {})?.verdict).toBe('-');
    expect(['aim', 'must', '-'].filter((verdict) => isMissed({ verdict }))).toEqual([]);
  });
});

describe('the figures to reach', () => {
  it('are about rows and clients that there are', () => {
    const there = new Set(rows.flatMap(({ name, clients: own }) => own.map((client) => `${name} ${client}`)));
    const wanting = figures.flatMap(cellsOf).filter(({ row, client }) => !there.has(`${row} ${client}`));
    expect(wanting).toEqual([]);
  });
});

describe('the rows', () => {
  it('have names of their own, clients that there are, and a yardstick among them', () => {
    expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
    for (const row of rows) {
      expect(row.clients.filter((client) => !(client in clients))).toEqual([]);
      if (row.yardstick !== undefined) expect(row.clients).toContain(row.yardstick);
    }
  });
});
