import { describe, expect, it } from '@jest/globals';
import { EMPTY, map, NEVER, of, throwError, timer } from 'rxjs';
import type { RenderOptions } from '../../../src/bridge/render/options.js';
import { spillOf } from '../../../src/bridge/render/spill.js';
import { inVirtualTime } from '../../support/client/virtual-time.js';
import { watch } from '../../support/client/watch.js';

const WHAT = { tool: 't', toolCallId: '1', text: 'long', raw: { content: [] } };

const spilled = (spill: unknown) =>
  watch(spillOf(WHAT, { spill: spill as RenderOptions['spill'], spillTimeoutMs: 100 }));

describe('spillOf', () => {
  it('asks once, with all there is to know, and emits at once what is answered at once', () => {
    const asked: unknown[] = [];
    const { values, completed } = spilled((what: unknown) => {
      asked.push(what);
      return ' file:///a ';
    });
    expect({ values, completed, asked }).toEqual({ values: ['file:///a'], completed: true, asked: [WHAT] });
  });

  it('takes a place of a thousand characters', () => {
    expect(spilled(() => 'a'.repeat(1_000)).values).toEqual(['a'.repeat(1_000)]);
  });

  it('takes a Promise, and the last value of an Observable', async () => {
    const late = spilled(async () => 'a');
    await late.end;
    expect(late.values).toEqual(['a']);
    expect(spilled(() => of('a', 'b')).values).toEqual(['b']);
  });

  it.each([
    ['answers nothing', () => undefined],
    ['answers an empty text', () => ' '],
    ['answers several lines', () => 'a\nb'],
    ['answers control characters', () => '\u001b[31mred'],
    ['answers at too great length', () => 'a'.repeat(1_001)],
    ['answers no text', () => ({ uri: 'a' })],
    ['completes empty', () => EMPTY],
    ['errors', () => throwError(() => new Error('disk full'))],
    [
      'throws',
      () => {
        throw new Error('disk full');
      },
    ],
  ])('emits undefined where the hook %s', (_what, spill) => {
    const { values, completed } = spilled(spill);
    expect({ values, completed }).toEqual({ values: [undefined], completed: true });
  });

  it('emits undefined where the hook rejects', async () => {
    const { values, end } = spilled(() => Promise.reject(new Error('disk full')));
    expect(await end).toBeUndefined();
    expect(values).toEqual([undefined]);
  });

  it('waits for a hook that takes its time, and no longer than it may take', () => {
    inVirtualTime(({ at }) => {
      const slow = spilled(() => timer(99).pipe(map(() => 'a')));
      const hung = spilled(() => NEVER);
      at(200, () => {
        expect(slow.marks).toEqual([
          [99, 'a'],
          [99, '|'],
        ]);
        expect(hung.marks).toEqual([
          [100, undefined],
          [100, '|'],
        ]);
      });
    });
  });

  it('asks nobody where there is no hook', () => {
    expect(spilled(undefined).values).toEqual([undefined]);
  });
});
