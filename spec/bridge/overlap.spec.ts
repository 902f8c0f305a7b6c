import { describe, expect, it } from '@jest/globals';
import { overlapRule } from '../../src/bridge/overlap.js';
import { tool } from './support/batches.js';

const TOOLS = [
  tool('both', { readOnlyHint: true, idempotentHint: true }),
  tool('reads', { readOnlyHint: true }),
  tool('repeats', { idempotentHint: true }),
  tool('writes', { readOnlyHint: false, idempotentHint: false }),
  tool('silent'),
  tool('sloppy', { readOnlyHint: 'yes', idempotentHint: 1 } as never),
  undefined,
];

/** The names of the tools that may run beside others. */
const safe = (...args: Parameters<typeof overlapRule>) =>
  TOOLS.filter((one) => overlapRule(...args).isSafe(one)).map((one) => one?.name);

describe('which calls may run beside others', () => {
  it.each(['all', 'overlap'] as const)('those of tools with both hints, for whole batches (trust: %s)', (trust) => {
    expect(overlapRule('annotated', trust).overlap).toBe('whole');
    expect(safe('annotated', trust)).toEqual(['both']);
  });

  it.each(['all', 'overlap'] as const)(
    'with read-only, those of tools that only read, in runs (trust: %s)',
    (trust) => {
      expect(overlapRule('read-only', trust).overlap).toBe('runs');
      expect(safe('read-only', trust)).toEqual(['both', 'reads']);
    },
  );

  it('none, where the annotations are not trusted', () => {
    for (const overlap of ['annotated', 'read-only'] as const) {
      expect(overlapRule(overlap, 'none').overlap).toBe('never');
      expect(safe(overlap, 'none')).toEqual([]);
    }
  });

  it('none, with never', () => {
    expect(overlapRule('never', 'all').overlap).toBe('never');
    expect(safe('never', 'all')).toEqual([]);
  });

  it.each(['all', 'overlap', 'none'] as const)('those the application says, whatever it trusts (%s)', (trust) => {
    expect(overlapRule(() => true, trust).overlap).toBe('whole');
    expect(safe(({ name }) => name === 'silent', trust)).toEqual(['silent']);
  });

  it('never those of a tool that is not known: the application is not asked about it', () => {
    const asked: unknown[] = [];
    const isSafe = overlapRule((one) => asked.push(one) > 0, 'all').isSafe(undefined);
    expect([isSafe, asked]).toEqual([false, []]);
  });

  it('not those about which the application throws, or answers anything but true', () => {
    const answers = [
      () => {
        throw new Error('a bug');
      },
      () => Promise.resolve(true),
      // Nobody hears of it: it was asked for a boolean.
      () => Promise.reject(new Error('a bug')),
      () => 'true',
      () => 1,
      () => undefined,
    ];
    for (const answer of answers) {
      expect(safe(answer as never, 'all')).toEqual([]);
      expect(overlapRule(answer as never, 'all').isSafe(tool('a'))).toBe(false);
    }
  });
});

describe('which equal calls may be one', () => {
  const once = (...args: Parameters<typeof overlapRule>) =>
    TOOLS.filter((one) => overlapRule(...args).isOnce(one)).map((one) => one?.name);

  it.each(['all', 'overlap'] as const)(
    'those of tools that only read or may be repeated, as far as they may overlap (trust: %s)',
    (trust) => {
      expect(once(() => false, trust)).toEqual(['both', 'reads', 'repeats']);
      expect(once('annotated', trust)).toEqual(['both']);
      expect(once('read-only', trust)).toEqual(['both', 'reads']);
    },
  );

  it('none, where nothing overlaps or no annotation is trusted', () => {
    expect(once(() => true, 'none')).toEqual([]);
    for (const rule of [overlapRule('never', 'all'), overlapRule('annotated', 'none')]) {
      expect(TOOLS.map((one) => [rule.isSafe(one), rule.isOnce(one)])).toEqual(TOOLS.map(() => [false, false]));
    }
  });
});
