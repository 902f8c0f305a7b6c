import { describe, expect, it } from '@jest/globals';
import { clients } from '../../bench/clients/index.mjs';
import { figures } from '../../bench/figures.mjs';
import { rows } from '../../bench/scenarios/index.mjs';
import type { Summary } from '../../bench/support/statistics.mjs';
import { cellsOf, isMissed, outcomeOf, verdicts } from '../../bench/support/verdicts.mjs';

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

  it('leaves room where it is told to, and says so', () => {
    expect(judge(ratio, { 'rx-mcp': cell(20), floor: cell(10) }, 0.2)?.verdict).toBe('must');
    expect(judge(ratio, { 'rx-mcp': cell(23), floor: cell(10) }, 0.2)?.verdict).toBe('within a fifth');
    expect(judge(ratio, { 'rx-mcp': cell(25), floor: cell(10) }, 0.2)?.verdict).toBe('missed');
  });

  it.each([
    [20, 'must'],
    [24, 'within a fifth'],
    [25, 'missed, as known'],
    [30, 'missed, as known'],
    [31, 'missed'],
  ])('on %d against 10, where up to 3 is known, is %s', (value, verdict) => {
    const figure = { ...ratio, known: 3 };
    expect(judge(figure, { 'rx-mcp': cell(value), floor: cell(10) }, 0.2)?.verdict).toBe(verdict);
  });

  it('is a miss where what was measured is no number', () => {
    const judged = judge(ratio, { 'rx-mcp': cell(0), floor: cell(0) });
    expect(judged?.verdict).toBe('no number');
    expect(isMissed(judged!)).toBe(true);
  });

  it('is a miss where a sample of our own failed, whatever the others say; one of a yardstick may', () => {
    const failed = { ...cell(10), failed: 2 };
    const judged = judge(ratio, { 'rx-mcp': failed, floor: cell(10) });
    expect(judged?.verdict).toBe('2 of our own samples failed');
    expect(isMissed(judged!)).toBe(true);
    expect(judge(ratio, { 'rx-mcp': cell(10), floor: failed })?.verdict).toBe('aim');
  });

  it('says that one of its cells was disturbed', () => {
    expect(judge(ratio, { 'rx-mcp': cell(10), floor: { ...cell(10), disturbed: true } })?.disturbed).toBe(true);
    expect(judge(ratio, { 'rx-mcp': cell(10), floor: cell(10) })?.disturbed).toBe(false);
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
    expect(judge(ratio, { 'rx-mcp': { error: 'it hung' } })?.verdict).toBe('it hung');
    expect(judge(ratio, { 'rx-mcp': cell(10) })?.verdict).toBe('-');
    expect(isMissed({ verdict: 'missed, as known' })).toBe(true);
    expect(['aim', 'must', 'within a fifth', '-'].filter((verdict) => isMissed({ verdict }))).toEqual([]);
  });
});

describe('what a check comes to', () => {
  it.each([
    [[{ verdict: 'must' }, { verdict: '-' }], 'no figure is missed', 0],
    [[{ verdict: 'missed' }, { verdict: 'it hung', disturbed: true }], '2 figures are missed', 1],
    [[{ verdict: '-' }], 'no figure was measured', 1],
    [[], 'no figure was measured', 1],
    [
      [{ verdict: 'aim', disturbed: true }, { verdict: 'aim' }],
      'no figure is missed, but 1 was disturbed: check them again on a quieter machine',
      2,
    ],
    [
      [{ verdict: 'missed, as known' }, { verdict: 'missed' }, { verdict: 'aim' }],
      '2 figures are missed, 1 of them as known: docs/performance.md says why',
      1,
    ],
  ])('of %j is: %s', (judged, text, code) => {
    expect(outcomeOf(judged)).toEqual({ text, code });
  });

  it.each([
    [[{ verdict: 'missed, as known' }, { verdict: 'must' }], 'no figure is missed by more than is known', 0],
    [[{ verdict: 'missed, as known' }, { verdict: 'missed' }], '1 figure is missed', 1],
    [[{ verdict: 'must' }], 'no figure is missed', 0],
  ])('of %j, where what is known is allowed, is: %s', (judged, text, code) => {
    expect(outcomeOf(judged, true)).toEqual({ text, code });
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
  it('of notices are about clients that ask for them', () => {
    const asked = rows.filter(({ name }) => name.startsWith('notices/')).flatMap(({ clients: own }) => own);
    expect(asked).toContain('official-2');
    expect(asked).not.toContain('ai-sdk');
  });

  it('have names of their own, clients that there are, and a yardstick among them', () => {
    expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
    for (const row of rows) {
      expect(row.clients.filter((client) => !(client in clients))).toEqual([]);
      if (row.yardstick !== undefined) expect(row.clients).toContain(row.yardstick);
    }
  });
});
