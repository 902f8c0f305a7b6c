import { describe, expect, it } from '@jest/globals';
import { EMPTY, NEVER, of, throwError } from 'rxjs';
import { offerBackend } from '../../../src/bridge/own-backend.js';
import { knownToolsOf, toolsOf } from '../../../src/bridge/router/provider-tools.js';
import { InvalidMessageError, TimeoutError, type ToolProvider } from '../../../src/index.js';
import { inVirtualTime } from '../../support/client/virtual-time.js';
import { watch } from '../../support/client/watch.js';
import { declaration, handProvider } from '../../support/providers/hand.js';

const with_ = (more: object): ToolProvider => handProvider([], undefined, more);

const X = { name: 'x', inputSchema: { type: 'object' } } as const;

describe('the tools of a provider', () => {
  it.each([
    ['a value', [X]],
    ['a Promise', Promise.resolve([X])],
    ['an Observable', of([], [X])],
  ])('are what listTools answers with: %s', async (_, answer) => {
    const seen = watch(toolsOf(with_({ listTools: () => answer }), {}));
    await seen.end;
    expect([seen.values, seen.completed]).toEqual([[[X]], true]);
  });

  it('are asked for with the options of the read', () => {
    const asked: unknown[] = [];
    watch(toolsOf(with_({ listTools: (options: unknown) => [asked.push(options)] }), { refresh: true, timeoutMs: 5 }));
    expect(asked).toEqual([{ refresh: true, timeoutMs: 5 }]);
  });

  it('are its declarations as tools, where it has nothing else', () => {
    const toolsForLlm = () => [
      declaration('a', { description: 'A' }),
      null,
      'b',
      {},
      { function: {} },
      { function: { name: 'c' } },
    ];
    expect(watch(toolsOf(with_({ toolsForLlm }), {})).values).toEqual([
      [
        { name: 'a', description: 'A', inputSchema: { type: 'object', properties: {} } },
        { name: 'c', description: undefined, inputSchema: undefined },
      ],
    ]);
  });

  it.each([undefined, null, 'x', {}, EMPTY, Promise.resolve(5)])('are an error where it answers %p', async (answer) => {
    for (const method of ['listTools', 'toolsForLlm']) {
      const reason = await watch(toolsOf(with_({ [method]: () => answer }), {})).end;
      expect(reason).toEqual(new InvalidMessageError(method, undefined, 'it is no list of tools'));
    }
  });

  it('are the error that it throws, rejects or errors with', async () => {
    const reason = new Error('not today');
    const ways = [
      () => {
        throw reason;
      },
      () => Promise.reject(reason),
      () => throwError(() => reason),
    ];
    for (const listTools of ways) expect(await watch(toolsOf(with_({ listTools }), {})).end).toBe(reason);
  });
});

describe('the tools of a provider that hangs', () => {
  const hanging = (): ToolProvider => with_({ listTools: () => NEVER });

  it.each<readonly [string, number, object]>([
    ['after a minute, where nobody says more', 60_000, {}],
    ['after the time that is given', 5, { timeoutMs: 5 }],
  ])('are out of time %s', (_, ms, options) => {
    inVirtualTime(({ at }) => {
      const seen = watch(toolsOf(hanging(), options));
      at(ms - 1, () => {
        expect(seen.error).toBeUndefined();
      });
      at(ms + 1, () => {
        expect(seen.error).toEqual(new TimeoutError('tools/list', undefined, ms));
      });
    });
  });

  it('are waited for where no time is given, and where the provider is one of ours, with clocks of its own', () => {
    const ours = hanging();
    offerBackend(ours, { prepare: () => NEVER }, ours);
    inVirtualTime(({ at }) => {
      const all = [watch(toolsOf(hanging(), { timeoutMs: 0 })), watch(toolsOf(ours, {}))];
      at(10_000_000, () => {
        expect(all.map(({ error }) => error)).toEqual([undefined, undefined]);
        for (const { subscription } of all) subscription.unsubscribe();
      });
    });
  });
});

describe('the tools of a provider that are known', () => {
  it('are nothing to ask for where it cannot tell', () => {
    expect(knownToolsOf(with_({}))).toBeUndefined();
  });

  it('are the very list it answers with', () => {
    const list = [X];
    const known$ = knownToolsOf(with_({ knownTools: () => list }));
    expect(known$ === undefined ? [] : watch(known$).values[0]).toBe(list);
  });

  it('are an error where it answers with no list', () => {
    const known$ = knownToolsOf(with_({ knownTools: () => EMPTY }));
    expect(known$ === undefined ? undefined : watch(known$).error).toEqual(
      new InvalidMessageError('knownTools', undefined, 'it is no list of tools'),
    );
  });
});
