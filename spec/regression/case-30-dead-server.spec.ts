import { describe, expect, it } from '@jest/globals';
import { connectStdio } from '../../src/bridge/stdio.js';
import { Registry, SpawnFailedError } from '../../src/index.js';
import { closing } from '../support/client/connect.js';
import { rejection } from '../support/client/watch.js';
import { createBench } from '../support/providers/bench.js';

const registry = (): Registry =>
  new Registry()
    .add(createBench(), { prefix: 'bench' })
    .add(closing(connectStdio({ command: '/no/such/server' })), { prefix: 'dead' });

describe('case 30: one dead server among several', () => {
  it('is not passed over in silence', async () => {
    expect(await rejection(registry().promises.toolsForLlm())).toBeInstanceOf(SpawnFailedError);
  });

  it('costs no tools but its own where that is asked for, and is named', async () => {
    const missing: unknown[] = [];
    const declared = await registry().promises.toolsForLlm({
      partial: true,
      onMissing: (all) => missing.push(...all.map(({ prefix, reason }) => [prefix, (reason as Error).name])),
    });
    expect(declared).toHaveLength(5);
    expect(missing).toEqual([['dead', 'SpawnFailedError']]);
  });

  it('costs no calls but its own', async () => {
    const results = await registry().promises.executeToolCalls([
      { id: '1', name: 'dead_x' },
      { id: '2', name: 'bench_add', arguments: { a: 1, b: 1 } },
    ]);
    expect(results).toMatchObject([
      { tool_call_id: '1', is_error: true, content: expect.stringMatching(/^SpawnFailedError: /) },
      { tool_call_id: '2', is_error: false, content: '2' },
    ]);
  });
});
