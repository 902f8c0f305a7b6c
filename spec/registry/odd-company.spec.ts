// Providers that hang, hold each other, or answer what cannot be read, beside healthy ones.
import { describe, expect, it } from '@jest/globals';
import { NEVER, of } from 'rxjs';
import { OptionError, Registry, Toolkit, type ToolProvider, type ToolResult } from '../../src/index.js';
import { inVirtualTime } from '../support/client/virtual-time.js';
import { thrownBy, watch } from '../support/client/watch.js';

const kit = (): Toolkit => new Toolkit({ name: 'kit' }).tool('say', { description: 'Says it' }, () => 'said');

const hanging: ToolProvider = { toolsForLlm: () => NEVER, executeToolCalls: () => NEVER };

const both = (other: ToolProvider): Registry =>
  new Registry().add(other, { prefix: 'odd' }).add(kit(), { prefix: 'ok' });

const CALLS = [
  { id: 'a', name: 'odd_x' },
  { id: 'b', name: 'ok_say' },
];

describe('a provider that hangs', () => {
  it('is missing from a list after the time that is given, and fails a strict one', () => {
    inVirtualTime(({ at }) => {
      const missing: string[] = [];
      const onMissing = (all: readonly { prefix: string }[]): void =>
        void missing.push(...all.map(({ prefix }) => prefix));
      const partial = watch(both(hanging).toolsForLlm({ timeoutMs: 200, partial: true, onMissing }));
      const strict = watch(both(hanging).toolsForLlm({ timeoutMs: 200 }));
      at(201, () => {
        expect([partial.values[0]?.length, missing]).toEqual([1, ['odd']]);
        expect(strict.error).toMatchObject({ name: 'TimeoutError', timeoutMs: 200 });
      });
    });
  });

  it('has a minute for its list, and ten for its calls, where nobody says so', () => {
    inVirtualTime(({ at }) => {
      const list = watch(both(hanging).toolsForLlm());
      const batch = watch(both(hanging).executeToolCalls(CALLS));
      at(59_999, () => expect(list.error).toBeUndefined());
      at(60_001, () => expect(list.error).toMatchObject({ name: 'TimeoutError' }));
      at(599_999, () => expect(batch.values).toEqual([]));
      at(600_001, () => expect(batch.values[0]).toMatchObject([{ is_error: true }, { content: 'said' }]));
    });
  });

  it.each([
    ['timeoutMs', { timeoutMs: 200 }],
    ['maxTotalMs', { maxTotalMs: 200 }],
  ])('fails its own calls at their time: %s', (_, options) => {
    inVirtualTime(({ at }) => {
      const batch = watch(both(hanging).executeToolCalls(CALLS, options));
      at(201, () => {
        expect(batch.values[0]).toMatchObject([
          { tool_call_id: 'a', is_error: true, error: { name: 'TimeoutError', timeoutMs: 200 } },
          { tool_call_id: 'b', is_error: false, content: 'said' },
        ]);
      });
    });
  });

  it('keeps a search no longer than two seconds, and then what was known is searched', () => {
    inVirtualTime(({ at }) => {
      const known = watch(both(hanging).knownTools());
      at(1_999, () => expect(known.values).toEqual([]));
      at(2_001, () => expect(known.values[0]?.map(({ name }) => name)).toEqual(['ok_say']));
    });
  });
});

describe('providers that hold each other', () => {
  it('are refused, at any depth', () => {
    const [a, b, c] = [new Registry(), new Registry(), new Registry()];
    b.add(a, { prefix: 'a' });
    c.add(b, { prefix: 'b' });
    for (const inner of [a, b, c]) {
      const error = thrownBy(() => a.add(inner, { prefix: 'x' }));
      expect(error).toBeInstanceOf(OptionError);
      expect((error as OptionError).option).toBe('provider');
    }
    const [one, two] = [kit(), kit()];
    one.plug(two, { prefix: 'two' });
    expect(thrownBy(() => two.plug(one, { prefix: 'one' }))).toBeInstanceOf(OptionError);
  });
});

describe('a result that cannot be read', () => {
  const bad = (raw: object): ToolProvider => ({
    toolsForLlm: () => [],
    executeToolCalls: () => [{ role: 'tool', tool_call_id: 'a', content: '', is_error: false, raw } as ToolResult],
  });
  const throwing = (member: string): object =>
    Object.defineProperty({ content: [] }, member, {
      enumerable: true,
      get: () => {
        throw new Error('boom');
      },
    });

  it.each(['structuredContent', 'isError', '_meta'])('is the failure of its own call: %s', async (member) => {
    expect(await both(bad(throwing(member))).promises.executeToolCalls(CALLS)).toMatchObject([
      { tool_call_id: 'a', is_error: true, content: expect.stringContaining('boom') },
      { tool_call_id: 'b', content: 'said' },
    ]);
  });
});

describe('an event under one id and another place', () => {
  it('is that of the id', async () => {
    const odd: ToolProvider = {
      tellsEvents: true,
      toolsForLlm: () => [],
      executeToolCalls: (calls) =>
        of(
          ...calls.toReversed().map(({ id }, index) => ({
            kind: 'result',
            index,
            toolCallId: id,
            result: { role: 'tool', tool_call_id: id, content: `for ${id}`, is_error: false },
          })),
        ),
    };
    const registry = new Registry().add(odd, { prefix: 'odd' });
    const seen = watch(
      registry.executeToolCalls(
        [
          { id: 'a', name: 'odd_x' },
          { id: 'b', name: 'odd_y' },
        ],
        { observe: 'events' },
      ),
    );
    await seen.end;
    const results = seen.values.flatMap((event) =>
      event.kind === 'result' ? [[event.toolCallId, event.result.content]] : [],
    );
    expect(results.sort()).toEqual([
      ['a', 'for a'],
      ['b', 'for b'],
    ]);
  });
});

describe("a batch with overlap: 'never'", () => {
  it('runs one call after another, also those of several providers, whatever a provider wants for itself', () => {
    const begun: string[] = [];
    const slow = (name: string): Toolkit =>
      new Toolkit({ name }).tool(
        'run',
        { description: 'Runs', annotations: { readOnlyHint: true, idempotentHint: true } },
        () => {
          begun.push(name);
          return NEVER;
        },
      );
    const registry = new Registry()
      .add(slow('a'), { prefix: 'a', overlap: () => true })
      .add(slow('b'), { prefix: 'b', overlap: () => true });
    const calls = ['a_run', 'b_run', 'a_run'].map((name, n) => ({ id: String(n), name }));
    const serial = watch(registry.executeToolCalls(calls, { overlap: 'never' }));
    expect(begun).toEqual(['a']);
    serial.subscription.unsubscribe();
    begun.length = 0;
    const beside = watch(registry.executeToolCalls(calls));
    expect(begun.sort()).toEqual(['a', 'b']);
    beside.subscription.unsubscribe();
  });

  it('keeps the order of the calls across providers', async () => {
    const ran: string[] = [];
    const noting = (name: string): Toolkit =>
      new Toolkit({ name }).tool('run', { description: 'Runs' }, async (_args, { toolCallId }) => {
        await Promise.resolve();
        ran.push(`${name}${String(toolCallId)}`);
        return 'done';
      });
    const registry = new Registry().add(noting('a'), { prefix: 'a' }).add(noting('b'), { prefix: 'b' });
    const names = ['a_run', 'a_run', 'b_run', 'a_run', 'b_run'];
    await registry.promises.executeToolCalls(
      names.map((name, n) => ({ id: String(n), name })),
      { overlap: 'never' },
    );
    expect(ran).toEqual(['a0', 'a1', 'b2', 'a3', 'b4']);
  });
});

describe('equal calls', () => {
  it.each([
    [undefined, 2],
    [{ readOnlyHint: true }, 1],
    [{ idempotentHint: true }, 1],
  ])(
    'of a tool that may overlap by a function are one request by its annotations alone: %j',
    async (annotations, runs) => {
      let ran = 0;
      const mail = new Toolkit({ name: 'mail', overlap: () => true }).tool(
        'send',
        { description: 'Sends', annotations },
        () => {
          ran += 1;
          return 'sent';
        },
      );
      const results = await mail.promises.executeToolCalls([
        { id: 'a', name: 'send' },
        { id: 'b', name: 'send' },
      ]);
      expect([ran, results.map(({ content }) => content)]).toEqual([runs, ['sent', 'sent']]);
    },
  );

  it('are no matter of what a function rejects with, which is no boolean', async () => {
    const kitten = new Toolkit({ name: 'k', overlap: (() => Promise.reject(new Error('no'))) as never }).tool(
      'say',
      { description: 'Says it' },
      () => 'said',
    );
    expect(await kitten.promises.executeToolCalls([{ id: 'a', name: 'say' }])).toMatchObject([{ content: 'said' }]);
  });
});
