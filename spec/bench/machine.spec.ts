import { describe, expect, it } from '@jest/globals';
import { busyTicks, familyTicks, foreignShare } from '../../bench/support/machine.mjs';

describe('what the machine did', () => {
  it('is all but idling and waiting for disks, and what the host took away', () => {
    const text = 'cpu  100 20 30 9000 500 1 2 4 0 0\ncpu0 1 2 3 4 5 6 7 8 0 0\n';
    expect(busyTicks(text)).toBe(100 + 20 + 30 + 1 + 2 + 4);
  });

  it('is of a process and its ended children, whatever the name of its program', () => {
    const fields = ['S', ...Array.from({ length: 10 }, () => '7'), '100', '20', '3', '4', '20'];
    expect(familyTicks(`17 (a (b) c) ${fields.join(' ')}`)).toBe(127);
  });
});

describe('the share of others', () => {
  it('is what neither the benchmark nor its servers took, of one processor', () => {
    // A second, in which 60 ticks of 10 ms passed and 40 of them were the benchmark's own.
    const before = { all: 1_000, own: 500, at: 0 };
    expect(foreignShare(before, { all: 1_060, own: 540, at: 1_000 })).toBeCloseTo(0.2);
  });

  it('is never less than none, and none where the machine does not say', () => {
    const before = { all: 1_000, own: 500, at: 0 };
    expect(foreignShare(before, { all: 1_010, own: 512, at: 1_000 })).toBe(0);
    expect(foreignShare(undefined, undefined)).toBe(0);
  });
});
