import { describe, expect, it } from '@jest/globals';
import { NEVER, Observable } from 'rxjs';
import { localProvider } from '../../../src/bridge/toolkit/local-provider.js';
import { LocalTools } from '../../../src/bridge/toolkit/local-tools.js';
import { type BatchOptions, Toolkit, type ToolCallEvent, type ToolResult } from '../../../src/index.js';
import { inVirtualTime } from '../../support/client/virtual-time.js';
import { watch } from '../../support/client/watch.js';

const SAFE = { readOnlyHint: true, idempotentHint: true };

const looker = (runs: { now: number; asked: unknown[] }, options: object = {}): Toolkit =>
  new Toolkit({ name: 'k', ...options }).tool(
    'look',
    { description: 'L', annotations: SAFE },
    (args) =>
      new Observable<string>(() => {
        runs.now += 1;
        runs.asked.push(args);
      }),
  );

const peak = (options: object, batch: BatchOptions = {}, calls: readonly object[] = [{ n: 1 }, { n: 2 }, { n: 3 }]) => {
  const runs = { now: 0, asked: [] as unknown[] };
  const all = calls.map((args, index) => ({ id: String(index), name: 'look', arguments: args }));
  watch(looker(runs, options).executeToolCalls(all, batch)).subscription.unsubscribe();
  return runs.now;
};

describe('the tools of a toolkit of its own', () => {
  it('are believed: safe calls run beside each other, and the same call once', () => {
    expect(peak({})).toBe(3);
    expect(peak({}, {}, [{ n: 1 }, { n: 1 }, { n: 2 }])).toBe(2);
  });

  it('run as the toolkit says, and as the batch says before it', () => {
    expect([peak({ overlap: 'never' }), peak({ toolConcurrency: 2 })]).toEqual([1, 2]);
    expect([
      peak({ toolConcurrency: 2 }, { toolConcurrency: 3 }),
      peak({ overlap: 'never' }, { overlap: 'annotated' }),
    ]).toEqual([3, 3]);
    expect(
      peak(
        {},
        {},
        Array.from({ length: 9 }, (_, n) => ({ n })),
      ),
    ).toBe(4);
  });

  it('have the clocks of the batch, else those of the toolkit', () => {
    inVirtualTime(({ at }) => {
      const make = (options: object = {}) =>
        new Toolkit({ name: 'k', ...options }).tool('hang', { description: 'H' }, () => NEVER);
      const calls = [{ id: '1', name: 'hang' }];
      const own = watch(make({ requestTimeoutMs: 100 }).executeToolCalls(calls));
      const batch = watch(make({ requestTimeoutMs: 100 }).executeToolCalls(calls, { timeoutMs: 50 }));
      const total = watch(make().executeToolCalls(calls, { timeoutMs: 0, maxTotalMs: 70 }));
      const ends = (): boolean[] => [own, batch, total].map(({ completed }) => completed);
      at(49, () => {
        expect(ends()).toEqual([false, false, false]);
      });
      at(51, () => {
        expect(ends()).toEqual([false, true, false]);
      });
      at(71, () => {
        expect(ends()).toEqual([false, true, true]);
      });
      at(101, () => {
        expect(ends()).toEqual([true, true, true]);
        expect(own.values[0]).toMatchObject([{ is_error: true, content: expect.stringMatching(/^TimeoutError: /) }]);
      });
    });
  });

  it('know which call of the model they answer', () => {
    const seen: unknown[] = [];
    const kit = new Toolkit({ name: 'k' }).tool('who', { description: 'W' }, (_, { toolCallId, progress }) => {
      seen.push(toolCallId);
      progress(1);
      return 'x';
    });
    const reports: unknown[] = [];
    watch(kit.executeToolCalls([{ id: 'one', name: 'who' }], { onProgress: (report) => reports.push(report) }));
    expect([seen, reports]).toEqual([['one'], [{ toolCallId: 'one', progress: 1 }]]);
  });

  it('are a provider by themselves, too', () => {
    const source = new LocalTools();
    source.add('x', { description: 'X' }, () => 'done');
    const provider = localProvider(source, {});
    expect(watch(provider.knownTools?.() as Observable<unknown>).values[0]).toBe(source.listTools());
    expect(watch(provider.toolsForLlm() as Observable<unknown>).values).toMatchObject([[{ function: { name: 'x' } }]]);
    const batch = provider.executeToolCalls([{ id: '1', name: 'x' }]) as Observable<ToolResult[]>;
    expect(watch(batch).values).toMatchObject([[{ tool_call_id: '1', content: 'done' }]]);
    const events = provider.executeToolCalls([{ id: '1', name: 'x' }], { observe: 'events' });
    const kinds = watch(events as Observable<ToolCallEvent>).values.map(({ kind }) => kind);
    expect(kinds).toEqual(['started', 'result']);
  });
});
