import { describe, expect, it } from '@jest/globals';
import { Registry, type Spilled, Toolkit } from '../../src/index.js';

const HUGE = `first line\n${'word '.repeat(800_000)}\nlast line`;

const registry = (): Registry =>
  new Registry().add(
    new Toolkit({ name: 'logs' })
      .tool('read', { description: 'R' }, () => HUGE)
      .tool('tail', { description: 'T' }, () => HUGE),
    { prefix: 'logs' },
  );

const calls = [
  { id: '1', name: 'logs_read' },
  { id: '2', name: 'logs_tail' },
];

const lengthsOf = (results: readonly { readonly content: unknown }[]): number[] =>
  results.map(({ content }) => (content as string).length);

describe('case 33: results of a million tokens', () => {
  it('come whole where nobody sets a limit', async () => {
    expect(lengthsOf(await registry().promises.executeToolCalls(calls))).toEqual([HUGE.length, HUGE.length]);
  });

  it('keep head and tail within the budget of a call, of a tool and of a batch', async () => {
    const { promises } = registry();
    const perCall = await promises.executeToolCalls(calls, { budget: { perCall: 1_000, tools: { logs_tail: 100 } } });
    expect(perCall.map(({ content }) => content)).toEqual(
      [0, 1].map(() => expect.stringMatching(/^first line[^]*last line$/)),
    );
    const [whole = 0, small = 0] = lengthsOf(perCall);
    expect([whole > 3_000 && whole <= 4_000, small <= 400]).toEqual([true, true]);
    const [one = 0, other = 0] = lengthsOf(await promises.executeToolCalls(calls, { budget: { perBatch: 1_000 } }));
    expect([one + other <= 4_000, one > 1_500]).toEqual([true, true]);
  });

  it('stay reachable: as raw, and where a hook has put them', async () => {
    const kept: Spilled[] = [];
    const [result] = await registry().promises.executeToolCalls(calls, {
      budget: { perCall: 100 },
      spill: (what) => `file:///tmp/${kept.push(what)}.txt`,
    });
    expect(result?.raw?.content).toEqual([{ type: 'text', text: HUGE }]);
    expect(kept.map(({ tool, toolCallId, text }) => [tool, toolCallId, text.length])).toEqual([
      ['logs_read', '1', HUGE.length],
      ['logs_tail', '2', HUGE.length],
    ]);
    expect(result?.content).toContain('file:///tmp/1.txt');
  });
});
