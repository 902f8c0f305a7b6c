import { describe, expect, it } from '@jest/globals';
import { median, spread, summarise } from '../../bench/support/statistics.mjs';

describe('the median', () => {
  it('is the value in the middle, whatever the order, compared as numbers', () => {
    expect(median([100, 9, 20])).toBe(20);
  });

  it('is the mean of the two in the middle where their number is even', () => {
    expect(median([4, 1, 3, 2])).toBe(2.5);
  });

  it('of nothing is undefined', () => {
    expect(median([])).toBeUndefined();
  });

  it('leaves its values in their order', () => {
    const values = [3, 1, 2];
    median(values);
    expect(values).toEqual([3, 1, 2]);
  });
});

describe('the spread', () => {
  it('is the median distance from the median, as a share of it', () => {
    expect(spread([8, 10, 20])).toBeCloseTo(0.2);
  });

  it('of one value, or about zero, is none', () => {
    expect(spread([7])).toBe(0);
    expect(spread([-1, 0, 1])).toBe(0);
  });
});

describe('the summary of a cell', () => {
  it('is made of the samples that nobody disturbed', () => {
    const samples = [
      { value: 1, wall: 2 },
      { value: 90, wall: 99, busy: true },
      { value: 3, wall: 4 },
    ];
    expect(summarise(samples)).toMatchObject({ value: 2, wall: 3, counted: 2, leftOut: 1, disturbed: false });
  });

  it('is made of all of them, and says so, where fewer than are wanted are left', () => {
    const samples = [{ value: 1 }, { value: 5, busy: true }, { value: 9, busy: true }];
    expect(summarise(samples, 2)).toMatchObject({ value: 5, counted: 3, leftOut: 0, disturbed: true });
  });

  it('does without a minimum that could never be reached', () => {
    expect(summarise([{ value: 4 }], 3)).toMatchObject({ value: 4, disturbed: false });
  });

  it('counts the samples that failed, and no longer looks at them', () => {
    expect(summarise([{ error: 'it hung' }, { value: 2 }])).toMatchObject({ value: 2, failed: 1 });
  });

  it('is the first error where every sample failed', () => {
    expect(summarise([{ error: 'first' }, { error: 'second' }])).toEqual({ error: 'first' });
    expect(summarise([])).toEqual({ error: 'not sampled' });
  });

  it('keeps the notes of samples that are left out', () => {
    const samples = [{ value: 1, busy: true, note: 'lost 429' }, { value: 1 }, { value: 1 }];
    expect(summarise(samples, 2)).toMatchObject({ leftOut: 1, notes: ['lost 429'] });
  });

  it('keeps each note once, and has no wall time where none was measured', () => {
    const summary = summarise([
      { value: 1, note: 'lost 3' },
      { value: 1, note: 'lost 3' },
      { value: 1, note: 'lost 4' },
    ]);
    expect(summary.notes).toEqual(['lost 3', 'lost 4']);
    expect(summary.wall).toBeUndefined();
  });
});
