import { describe, it } from '@jest/globals';
import fc from 'fast-check';
import { concat, EMPTY, from, lastValueFrom, of, throwError, toArray } from 'rxjs';
import { Registry, type ToolCall, type ToolProvider, type ToolResult } from '../../src/index.js';
import { handProvider, resultOf } from '../support/providers/hand.js';

/** What a provider may make of its calls. */
const answers = fc.oneof(
  fc.anything(),
  fc.array(
    fc.oneof(fc.anything(), fc.record({ tool_call_id: fc.constantFrom('0', '1', '2', ''), content: fc.anything() })),
  ),
  fc.constantFrom('right', 'reversed', 'short', 'long', 'none', 'throws', 'rejects', 'half', 'events', 'event-junk'),
);

const replying = (how: unknown, wraps: number): ToolProvider =>
  handProvider(
    [],
    (calls: readonly ToolCall[]) => {
      const right = calls.map(({ id }) => resultOf(id, `for ${id}`));
      const told = right.map((result, index) => ({ kind: 'result', toolCallId: result.tool_call_id, index, result }));
      const ways: Readonly<Record<string, () => unknown>> = {
        right: () => right,
        reversed: () => [...right].reverse(),
        short: () => right.slice(1),
        long: () => [...right, ...right],
        none: () => EMPTY,
        throws: () => {
          throw new Error('a bug');
        },
        rejects: () => Promise.reject(new Error('a bug')),
        half: () =>
          concat(
            from(told.slice(1)),
            throwError(() => new Error('half way')),
          ),
        events: () => from(told),
        'event-junk': () => from([null, 5, { kind: 'result' }, { kind: 'progress', index: -1 }, { index: 'x' }]),
      };
      const way = typeof how === 'string' && Object.hasOwn(ways, how) ? ways[how] : undefined;
      const answer = way === undefined ? how : way();
      return [answer, of(answer), Promise.resolve(answer)][way === undefined ? wraps : 0];
    },
    { tellsEvents: wraps === 1 },
  );

const calls = fc.array(
  fc.oneof(
    fc.record({ id: fc.constantFrom('0', '1', '2', ''), name: fc.constantFrom('a_x', 'b_x', 'c_x', 'a_b_x', 'd') }),
    fc.anything(),
  ),
  { maxLength: 8 },
);

const NAMES: readonly unknown[] = ['a_x', 'b_x', 'c_x', 'a_b_x', 'd'];

/** A call that is one, and not by chance. */
const isCall = (call: unknown): call is { readonly id: string; readonly name: string } =>
  NAMES.includes((call as { name?: unknown } | null | undefined)?.name);

describe('a registry of providers that answer whatever they like', () => {
  it('gives one result for each call, in order and under its id, and never errors', async () => {
    await fc.assert(
      fc.asyncProperty(calls, answers, answers, fc.nat(2), async (all, one, other, wraps) => {
        const inner = new Registry().add(replying(other, wraps), { prefix: 'b' });
        const registry = new Registry()
          .add(inner, { prefix: 'a' })
          .add(replying(one, wraps), { prefix: 'b' })
          .add(replying('right', 0), { prefix: 'c' });
        const results = await registry.promises.executeToolCalls<unknown>(all);
        const events = await lastValueFrom(
          registry.executeToolCalls<unknown, { observe: 'events' }>(all, { observe: 'events' }).pipe(toArray()),
        );
        const ends = events.filter(({ kind }) => kind === 'result').map(({ index }) => index);
        if (results.length !== all.length) return false;
        if ([...ends].sort((a, b) => a - b).join() !== [...all.keys()].join()) return false;
        return all.every((call, index) => {
          const result = results[index] as ToolResult;
          if (typeof result.is_error !== 'boolean') return false;
          if (!isCall(call)) return true;
          return result.tool_call_id === call.id && (call.name !== 'c_x' || !result.is_error);
        });
      }),
      { numRuns: 300 },
    );
  });
});
