import { describe, expect, it } from '@jest/globals';
import { firstValueFrom, isObservable, type Observable } from 'rxjs';
import { type BatchOptions, OptionError, type ToolCall, type ToolProvider, type ToolResult } from '../../src/index.js';
import { answerOf } from '../../src/rx/index.js';
import { watch } from '../support/client/watch.js';

/** How the contract reaches one kind of provider: behind each is a workshop, with `add saw wait journal fail`. */
export interface ProviderHarness {
  /** A fresh provider, that somebody closes after the spec. */
  readonly open: () => ToolProvider;
  /** The names it declares. Default: those of the workshop. */
  readonly names?: readonly string[] | undefined;
  /** How a tool of the workshop is called there. Default: as it is. */
  readonly call?: ((name: string, args?: object) => Omit<ToolCall, 'id'>) | undefined;
  /** `'typed'`: it is written for calls as the types have them, and answers those alone. Default `'anything'`. */
  readonly takes?: 'typed' | 'anything' | undefined;
  /** False: it tells nothing of a call between its start and its end. */
  readonly reports?: boolean | undefined;
  /** False: what it answers with cannot be given up. */
  readonly cancels?: boolean | undefined;
}

interface Declaration {
  readonly type: string;
  readonly function: { readonly name: string; readonly description?: string; readonly parameters: object };
}

export const WORKSHOP = ['add', 'fail', 'journal', 'saw', 'wait'];

/** What a batch may contain besides calls of tools, and the id under which it is answered. */
const WRONG: readonly (readonly [call: unknown, id: string])[] = [
  [null, ''],
  [undefined, ''],
  ['add', ''],
  [5, ''],
  [[], ''],
  [{}, ''],
  [{ id: 'w1' }, 'w1'],
  [{ id: 'w2', name: '' }, 'w2'],
  [{ id: 'w3', name: 7, arguments: {} }, 'w3'],
  [{ id: 'w4', name: 'nowhere', arguments: {} }, 'w4'],
  [{ id: 'w5', name: '__proto__', arguments: {} }, 'w5'],
  [{ id: 'w6', type: 'unheard-of' }, 'w6'],
  [
    {
      get name(): string {
        throw new Error('not today');
      },
    },
    '',
  ],
];

/** What every provider keeps (`src/bridge/provider.ts`), as specs. */
export const describeProviderContract = (kind: string, harness: ProviderHarness): void => {
  const { open, names = WORKSHOP, call = (name, args = {}) => ({ name, arguments: args }) } = harness;
  const { takes = 'anything', reports = true, cancels = true } = harness;

  const declarationsOf = (provider: ToolProvider): Promise<readonly Declaration[]> =>
    firstValueFrom(answerOf(() => provider.toolsForLlm())) as Promise<readonly Declaration[]>;

  const answer$ = (
    provider: ToolProvider,
    calls: readonly unknown[],
    options?: BatchOptions,
  ): Observable<readonly ToolResult[]> =>
    answerOf(() => provider.executeToolCalls(calls as readonly ToolCall[], options) as readonly ToolResult[]);

  const run = (provider: ToolProvider, calls: readonly unknown[]): Promise<readonly ToolResult[]> =>
    firstValueFrom(answer$(provider, calls));

  const asked = (id: string, name: string, args?: object): ToolCall => ({ id, ...call(name, args) });
  const sum = (id: string, a: number): ToolCall => asked(id, 'add', { a, b: 1 });

  const brief = (results: readonly ToolResult[]): unknown[] =>
    results.map(({ role, tool_call_id: id, content, is_error: isError }) => [role, id, content, isError]);

  describe(`${kind} keeps the provider contract:`, () => {
    it('declares its tools as a list that is sorted, and the same bytes each time', async () => {
      const provider = open();
      const first = await declarationsOf(provider);
      expect(first.map((tool) => tool.function.name)).toEqual([...names].sort());
      for (const { type, function: own } of first) {
        expect(type).toBe('function');
        expect(own.description).toEqual(expect.any(String));
        expect(own.parameters).toMatchObject({ type: 'object' });
      }
      expect(JSON.stringify(await declarationsOf(provider))).toBe(JSON.stringify(first));
    });

    it('answers each call in its place and under its id, also one that failed', async () => {
      const results = await run(open(), [sum('a', 1), asked('b', 'fail'), sum('c', 2), sum('d', 3)]);
      expect(brief(results)).toEqual([
        ['tool', 'a', '2', false],
        ['tool', 'b', 'the blade broke', true],
        ['tool', 'c', '3', false],
        ['tool', 'd', '4', false],
      ]);
    });

    it('gives structured content as it is', async () => {
      const [result] = await run(open(), [sum('a', 1)]);
      expect(result?.structured_content).toEqual({ sum: 2 });
    });

    it('answers calls that have one id, or ask one thing, each in its place', async () => {
      const results = await run(open(), [sum('a', 1), sum('a', 2), sum('b', 1)]);
      expect(brief(results)).toEqual([
        ['tool', 'a', '2', false],
        ['tool', 'a', '3', false],
        ['tool', 'b', '2', false],
      ]);
    });

    it('answers no calls with no results', async () => {
      expect(await run(open(), [])).toEqual([]);
    });

    it('answers a call of a tool that is not there, and those beside it', async () => {
      const results = await run(open(), [sum('a', 1), { id: 'b', name: 'nowhere', arguments: {} }, sum('c', 2)]);
      expect(results.map(({ tool_call_id: id, is_error: isError }) => [id, isError])).toEqual([
        ['a', false],
        ['b', true],
        ['c', false],
      ]);
      expect(results[1]?.content).toMatch(/nowhere/);
    });

    it('is done with a batch when it has answered it', async () => {
      const seen = watch(answer$(open(), [sum('a', 1)]));
      expect(await seen.end).toBeUndefined();
      expect(seen.values).toHaveLength(1);
    });

    if (cancels) {
      it('gives up what runs, where it is unsubscribed from', async () => {
        const provider = open();
        const journalWith = async (line: string): Promise<void> => {
          for (;;) {
            const [journal] = await run(provider, [asked('j', 'journal')]);
            if (typeof journal?.content === 'string' && journal.content.split('\n').includes(line)) return;
          }
        };
        const { subscription, values } = watch(answer$(provider, [asked('a', 'wait', { id: 'a' }), sum('b', 1)]));
        await journalWith('a started');
        subscription.unsubscribe();
        await journalWith('a aborted');
        expect(values).toEqual([]);
      });
    }

    if (takes === 'anything') {
      it('never errors, whatever the calls are, and makes those that can be made', async () => {
        const calls = [sum('first', 1), ...WRONG.map(([wrong]) => wrong), sum('last', 2)];
        const results = await run(open(), calls);
        expect(results.map(({ tool_call_id: id }) => id)).toEqual(['first', ...WRONG.map(([, id]) => id), 'last']);
        expect(results.map(({ is_error: isError }) => isError)).toEqual([false, ...WRONG.map(() => true), false]);
        for (const { content } of results) expect(content).toMatch(/\S/);
      });

      it.each(['[1]', '{', '7', 7, [1], true])('answers arguments that are %j with an error', async (args) => {
        const [result] = await run(open(), [{ id: 'a', name: call('add').name, arguments: args }]);
        expect(result).toMatchObject({ tool_call_id: 'a', is_error: true });
      });

      it('takes arguments as JSON text, and blank text as none', async () => {
        const { name, arguments: args } = call('add', { a: 1, b: 1 });
        const bare = call('journal');
        const results = await run(open(), [
          { id: 'a', name, arguments: JSON.stringify(args) },
          ...(Object.keys(bare.arguments as object).length > 0 ? [] : [{ id: 'b', name: bare.name, arguments: '  ' }]),
        ]);
        expect(results.map(({ is_error: isError }) => isError)).not.toContain(true);
      });

      it.each([null, undefined])('takes %s for no calls', async (none) => {
        expect(await run(open(), none as unknown as [])).toEqual([]);
      });

      it('errors for an option that does not exist, and for nothing else', async () => {
        const { error } = watch(answer$(open(), [], { unheard: true } as BatchOptions));
        expect(error).toBeInstanceOf(OptionError);
        expect((error as OptionError).option).toBe('unheard');
      });
    }

    const { tellsEvents } = open();
    it(`${tellsEvents === true ? 'says' : 'does not say'} that it tells events, and does as it says`, async () => {
      const provider = open();
      const calls = [asked('s', 'saw', { cuts: 2 }), asked('f', 'fail')];
      const events = provider.executeToolCalls(calls, { observe: 'events' });
      if (tellsEvents !== true) {
        const results = await firstValueFrom(answerOf(() => events as readonly ToolResult[]));
        expect(results.map(({ tool_call_id: id }) => id)).toEqual(['s', 'f']);
        return;
      }
      expect(isObservable(events)).toBe(true);
      const { values, end } = watch(events as Observable<Record<string, unknown>>);
      await end;
      const told = values.filter(({ kind }) => kind !== 'log');
      const of = (call: number): unknown[] =>
        told.flatMap(({ kind, toolCallId, index, progress }) => (index === call ? [[kind, toolCallId, progress]] : []));
      const cuts = [1, 2].map((cut) => ['progress', 's', cut]);
      expect(of(0)).toEqual([['started', 's', undefined], ...(reports ? cuts : []), ['result', 's', undefined]]);
      expect(of(1)).toEqual([
        ['started', 'f', undefined],
        ['result', 'f', undefined],
      ]);
      const results = told.flatMap(({ kind, result }) => (kind === 'result' ? [result as ToolResult] : []));
      expect(brief(results)).toEqual([
        ['tool', 's', '2 cuts', false],
        ['tool', 'f', 'the blade broke', true],
      ]);
    });
  });
};
