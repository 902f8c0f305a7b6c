import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { shareOut } from '../../../src/bridge/render/share.js';

const free = (...tokens: number[]) => tokens.map((each) => ({ tokens: each, fixed: false }));

describe('shareOut', () => {
  it('leaves all whole that fit together', () => {
    expect(shareOut(free(10, 20, 30), 60)).toEqual([10, 20, 30]);
  });

  it('leaves small ones whole and gives the large ones the same', () => {
    expect(shareOut(free(1_000, 10, 400, 90), 600)).toEqual([250, 10, 250, 90]);
    expect(shareOut(free(100, 100, 100), 100)).toEqual([33, 33, 33]);
  });

  it('takes off first what is fixed', () => {
    expect(shareOut([{ tokens: 50, fixed: true }, ...free(100, 20)], 100)).toEqual([Infinity, 30, 20]);
    expect(shareOut([{ tokens: 150, fixed: true }, ...free(100)], 100)).toEqual([Infinity, 0]);
  });

  it('never gives more than there is, gives all of it that is wanted, and looks at no order', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1_000), { minLength: 1 }), fc.nat(5_000), (wanted, total) => {
        const shares = shareOut(free(...wanted), total);
        const sum = shares.reduce((all, one) => all + one, 0);
        const all = wanted.reduce((more, one) => more + one, 0);
        expect(sum).toBeLessThanOrEqual(total);
        expect(sum).toBeGreaterThanOrEqual(Math.min(all, total) - wanted.length);
        expect(shareOut(free(...[...wanted].reverse()), total)).toEqual([...shares].reverse());
      }),
    );
  });
});
