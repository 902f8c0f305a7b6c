import { describe, expect, it } from '@jest/globals';
import { filter, map, NEVER, Observable, of, Subject, throwError } from 'rxjs';
import type { Happened } from '../../../src/bridge/backend.js';
import type { Mount } from '../../../src/bridge/router/mount.js';
import { type MissingProvider, Router } from '../../../src/bridge/router/router.js';
import { CancelledError, TimeoutError, type Tool, type ToolCall, type ToolProvider } from '../../../src/index.js';
import { inVirtualTime } from '../../support/client/virtual-time.js';
import { watch } from '../../support/client/watch.js';
import { marbles } from '../../support/marbles.js';
import { echo, type HandProvider, handProvider, resultOf } from '../../support/providers/hand.js';

interface Mounted {
  mounts: Mount[];
  readonly router: Router;
}

const routerOf = (providers: Readonly<Record<string, ToolProvider>>): Mounted => {
  const set: Mounted = {
    mounts: Object.entries(providers).map(([prefix, provider]) => ({ prefix, provider })),
    router: new Router(() => set.mounts, '_'),
  };
  return set;
};

const failing = (reason: unknown): HandProvider =>
  handProvider([], echo, { toolsForLlm: () => throwError(() => reason) });

const namesOf = (lists: readonly (readonly Tool[])[]): string[] =>
  lists.map((tools) => tools.map(({ name }) => name).join(' '));

const run = (router: Router, names: readonly string[], reports = false): Happened[] => {
  const [ready] = watch(router.prepare()).values;
  if (ready === undefined) throw new Error('the router was not ready at once');
  const calls = names.map((name, index) => ({
    toolCallId: String(index),
    name: ready.rawName(name, 'openai'),
    arguments: {},
  }));
  return watch(ready.run(calls, {}, reports)).values;
};

const texts = (happened: readonly Happened[]): string[] =>
  happened.flatMap(({ slot, value }) => {
    if (value.kind !== 'outcome') return [];
    const [block] = value.outcome.result.content;
    return [`${slot} ${block?.type === 'text' ? block.text.replace(' {}', '') : ''}`];
  });

const asked = ({ batches }: HandProvider): string[] =>
  batches.map(({ calls }) => calls.map(({ name }) => name).join(' '));

describe('the tools of a router', () => {
  it('are those of all providers, asked beside each other', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const x = cold<Tool[]>('---(x|)', { x: [{ name: 'x', inputSchema: { type: 'object' } }] });
      const y = cold<Tool[]>('-(y|)', { y: [{ name: 'y', inputSchema: { type: 'object' } }] });
      const { router } = routerOf({
        a: handProvider([], echo, { listTools: () => x }),
        b: handProvider([], echo, { listTools: () => y }),
      });
      expectObservable(router.list({})).toBe('---(l|)', {
        l: [
          { name: 'a_x', inputSchema: { type: 'object' } },
          { name: 'b_y', inputSchema: { type: 'object' } },
        ],
      });
      expectSubscriptions(x.subscriptions).toBe('^--!');
      expectSubscriptions(y.subscriptions).toBe('^!');
    });
  });

  it('are none without providers', () => {
    expect(watch(routerOf({}).router.list({})).values).toEqual([[]]);
  });

  it('are the error of the provider that cannot say', () => {
    const reason = new Error('not today');
    const seen = watch(routerOf({ a: handProvider(['x']), b: failing(reason) }).router.list({}));
    expect([seen.values, seen.error]).toEqual([[], reason]);
  });

  it('go without those that cannot say where it is told so, in the order of the providers', () => {
    const first = new Subject<never>();
    const missing: (readonly MissingProvider[])[] = [];
    const throwing = handProvider([]);
    Object.defineProperty(throwing, 'listTools', {
      get: () => {
        throw new Error('3');
      },
    });
    const { router } = routerOf({
      a: handProvider([], echo, { toolsForLlm: () => first }),
      b: handProvider(['x']),
      c: failing('2'),
      d: throwing,
    });
    const seen = watch(router.list({}, (all) => missing.push(all)));
    first.error('1');
    expect(namesOf(seen.values)).toEqual(['b_x']);
    expect(missing).toEqual([
      [
        { prefix: 'a', reason: '1' },
        { prefix: 'c', reason: '2' },
        { prefix: 'd', reason: new Error('3') },
      ],
    ]);
  });

  it('go without a word of who is missing where nobody is', () => {
    const missing: unknown[] = [];
    watch(routerOf({ a: handProvider(['x']) }).router.list({}, (all) => missing.push(all)));
    watch(routerOf({}).router.list({}, (all) => missing.push(all)));
    expect(missing).toEqual([]);
  });

  it('do not depend on what hears who is missing', () => {
    const { router } = routerOf({ a: handProvider(['x']), b: failing('no') });
    const seen = watch(
      router.list({}, () => {
        throw new Error('a bug');
      }),
    );
    expect([namesOf(seen.values), seen.completed]).toEqual([['a_x'], true]);
  });

  it('are given up by a signal, also where a provider knows of none', () => {
    const controller = new AbortController();
    let gone = false;
    const hanging = new Observable<never>(() => () => {
      gone = true;
    });
    const { router } = routerOf({ a: handProvider([], echo, { toolsForLlm: () => hanging }) });
    const seen = watch(router.list({ signal: controller.signal }));
    controller.abort('enough');
    expect(seen.error).toBeInstanceOf(CancelledError);
    expect(seen.error).toHaveProperty('method', 'tools/list');
    expect(gone).toBe(true);
    expect(watch(router.list({ signal: controller.signal })).error).toBeInstanceOf(CancelledError);
  });
});

describe('the tools that a router knows', () => {
  it('are those it had of a provider that does not say in two seconds, or that provider is missing', () => {
    let hangs = false;
    const knownTools = () => (hangs ? NEVER : [{ name: 'x', inputSchema: { type: 'object' } }]);
    const late = handProvider([], echo, { knownTools: knownTools as () => Tool[] });
    const { router } = routerOf({ a: late, b: handProvider(['y']) });
    const fresh = routerOf({ a: handProvider([], echo, { knownTools: () => NEVER }), b: handProvider(['y']) });
    const missing: unknown[] = [];
    watch(router.known());
    hangs = true;
    inVirtualTime(({ at }) => {
      const seen = watch(router.known());
      const others = watch(fresh.router.known((all) => missing.push(...all)));
      const alone = watch(fresh.router.known());
      at(1_999, () => {
        expect([seen.values, others.values, alone.error]).toEqual([[], [], undefined]);
      });
      at(2_001, () => {
        expect([namesOf(seen.values), namesOf(others.values)]).toEqual([['a_x b_y'], ['b_y']]);
        const reason = new TimeoutError('tools/list', undefined, 2_000);
        expect([missing, alone.error]).toEqual([[{ prefix: 'a', reason }], reason]);
      });
    });
  });

  it('are the same array as long as its providers have the same', () => {
    const lists: (readonly Tool[])[] = [[{ name: 'x', inputSchema: { type: 'object' } }]];
    const { router } = routerOf({
      a: handProvider([], echo, { knownTools: () => lists[0] ?? [] }),
      b: handProvider(['y']),
    });
    const known = (): readonly Tool[] | undefined => watch(router.known()).values[0];
    const before = known();
    expect([before?.length, known()]).toEqual([2, before]);
    expect(known()).toBe(before);
    lists[0] = [{ name: 'z', inputSchema: { type: 'object' } }];
    expect(namesOf([known() ?? []])).toEqual(['a_z b_y']);
  });

  it('are asked of a provider that cannot tell once, and again after it failed', () => {
    let listed = 0;
    const provider = handProvider([], echo, {
      toolsForLlm: () => {
        listed += 1;
        if (listed === 1) throw new Error('not yet');
        return [{ function: { name: 'x' } }];
      },
    });
    const { router } = routerOf({ a: provider });
    const known = (): string[] => namesOf(watch(router.known(() => undefined)).values);
    expect([known(), known(), known(), listed]).toEqual([[''], ['a_x'], ['a_x'], 2]);
  });
});

describe('a call', () => {
  it('goes to the tool that was published under its name, though a longer prefix fits', () => {
    const [a, ab] = [handProvider(['b_c']), handProvider(['x'])];
    const { router } = routerOf({ a, a_b: ab });
    expect(texts(run(router, ['a_b_c']))).toEqual(['0 c']);
    watch(router.list({}));
    expect(texts(run(router, ['a_b_c', 'a_b_x', 'a_b_y']))).toEqual(['0 b_c', '1 x', '2 y']);
    expect([asked(a), asked(ab)]).toEqual([['b_c'], ['c', 'x y']]);
  });

  it('goes by the longest prefix where nothing was published, and to nobody where none fits', () => {
    const [a, ab] = [handProvider([]), handProvider([])];
    expect(texts(run(routerOf({ a, a_b: ab }).router, ['a_x', 'a_b_x', 'b_x', 'x']))).toEqual([
      '2 Error: there is no tool "b_x": call one of those that are declared.',
      '3 Error: there is no tool "x": call one of those that are declared.',
      '0 x',
      '1 x',
    ]);
  });

  it('goes to the tool of each of two names that came to one', () => {
    const { router } = routerOf({ a: handProvider(['b_c']), a_b: handProvider(['c']) });
    const names = watch(router.list({})).values[0]?.map(({ name }) => name) ?? [];
    expect(texts(run(router, names))).toEqual(['0 b_c', '1 c']);
  });

  it('is nobody else’s where its provider was taken out since', () => {
    const [a, ab] = [handProvider(['x']), handProvider(['c'])];
    const set = routerOf({ a, a_b: ab });
    watch(set.router.list({}));
    set.mounts = set.mounts.filter(({ prefix }) => prefix !== 'a_b');
    const gone = '0 Error: there is no tool "a_b_c": call one of those that are declared.';
    expect(texts(run(set.router, ['a_b_c']))).toEqual([gone]);
    watch(set.router.list({}));
    expect([texts(run(set.router, ['a_b_c'])), asked(a)]).toEqual([[gone], []]);
  });

  it('goes to the provider that was put in the place of its own', () => {
    const long = 'x'.repeat(80);
    const set = routerOf({ a: handProvider(['b_c', long]), a_b: handProvider(['c']) });
    const tools = watch(set.router.list({})).values[0] ?? [];
    const apart = tools[0]?.name ?? '';
    const later = handProvider(['b_c', long]);
    set.mounts = [{ prefix: 'a', provider: later }, ...set.mounts.slice(1)];
    expect(texts(run(set.router, [apart, `a_${long}`]))).toEqual(['0 b_c', `1 ${long}`]);
    expect(asked(later)).toEqual([`b_c ${long}`]);
  });

  it('goes by the names that are known, though none was declared yet', () => {
    const { router } = routerOf({ a: handProvider(['b_c']), a_b: handProvider([]) });
    watch(router.known());
    expect(texts(run(router, ['a_b_c']))).toEqual(['0 b_c']);
  });

  it('goes to the tool that a model means by a legal name, in this list or an older one', () => {
    let names = ['x y'];
    const a = handProvider([], echo, { toolsForLlm: () => names.map((name) => ({ function: { name } })) });
    const { router } = routerOf({ a });
    watch(router.list({}));
    expect(texts(run(router, ['a_x_y', 'a_u_v']))).toEqual(['0 x y', '1 u_v']);
    names = ['z'];
    watch(router.list({}));
    expect(texts(run(router, ['a_x_y', 'a_u_v']))).toEqual(['0 x y', '1 u_v']);
  });

  it('is known or not, as far as anything was listed', () => {
    let names = ['x'];
    const a = handProvider([], echo, { toolsForLlm: () => names.map((name) => ({ function: { name } })) });
    const { router } = routerOf({ a });
    const known = (): unknown[] =>
      ['a_x', 'a_y'].map((name) => watch(router.prepare()).values.map((ready) => ready.knows?.(name))[0]);
    expect(known()).toEqual([undefined, undefined]);
    watch(router.list({}));
    expect(known()).toEqual([true, false]);
    names = ['y'];
    watch(router.list({}));
    expect(known()).toEqual([true, true]);
  });

  it('is not found by a name that was declared too many lists ago', () => {
    let at = 0;
    const a = handProvider([], echo, { toolsForLlm: () => [{ function: { name: `x ${at}` } }] });
    const { router } = routerOf({ a });
    for (at = 0; at < 5; at += 1) watch(router.list({}));
    expect(texts(run(router, ['a_x_0', 'a_x_1', 'a_x_4']))).toEqual(['0 x_0', '1 x 1', '2 x 4']);
  });

  it('finds its tool by a name that was declared some lists ago', () => {
    const list = new Map<string, readonly string[]>([
      ['a', ['b_c']],
      ['a_b', ['c']],
    ]);
    const provider = (key: string): ToolProvider =>
      handProvider([], echo, {
        toolsForLlm: () => {
          const names = list.get(key);
          if (names === undefined) throw new Error('not today');
          return names.map((name) => ({ function: { name } }));
        },
      });
    const { router } = routerOf({ a: provider('a'), a_b: provider('a_b') });
    const first = watch(router.list({})).values[0]?.map(({ name }) => name) ?? [];
    list.set('a_b', []);
    watch(router.list({}));
    list.delete('a');
    for (let times = 0; times < 9; times += 1) watch(router.known(() => undefined));
    for (let times = 0; times < 9; times += 1) watch(router.list({}, () => undefined));
    expect(texts(run(router, [...first, 'a_b_c']))).toEqual(['0 b_c', '2 b_c', '1 c']);
  });
});

describe('a batch', () => {
  it('is one batch for each provider, with its calls in their order', () => {
    const [a, b] = [handProvider(['x', 'y']), handProvider(['x'])];
    expect(texts(run(routerOf({ a, b }).router, ['b_x', 'a_y', 'b_z', 'a_x']))).toEqual(['0 x', '2 z', '1 y', '3 x']);
    expect([asked(a), asked(b)]).toEqual([['y x'], ['x z']]);
  });

  it('is one batch for each run of calls of one provider, one after another, where none may overlap', () => {
    const started: string[] = [];
    const ends: (() => void)[] = [];
    const slow = (own: string): HandProvider =>
      handProvider([], (calls) => {
        started.push(`${own}: ${calls.map(({ name }) => name).join(' ')}`);
        return new Observable((subscriber) => {
          ends.push(() => {
            subscriber.next(echo(calls));
            subscriber.complete();
          });
        });
      });
    const { router } = routerOf({ a: slow('a'), b: slow('b') });
    const [ready] = watch(router.prepare()).values;
    const calls = ['a_x', 'a_y', 'b_x', 'a_z'].map((name, index) => ({
      ...{ toolCallId: String(index), name, arguments: {} },
    }));
    const seen = watch(ready?.run(calls, { overlap: 'never' }, false) ?? NEVER);
    expect(started).toEqual(['a: x y']);
    for (const end of ends) end();
    expect(started).toEqual(['a: x y', 'b: x', 'a: z']);
    expect([texts(seen.values), seen.completed]).toEqual([['0 x', '1 y', '2 x', '3 z'], true]);
  });

  it('runs the providers beside each other', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const slow = cold('-----(r|)', { r: [resultOf('0', 'slow')] });
      const fast = cold('--(r|)', { r: [resultOf('1', 'fast'), resultOf('2', 'fast')] });
      const { router } = routerOf({ a: handProvider([], () => slow), b: handProvider([], () => fast) });
      const ready = watch(router.prepare()).values[0];
      const calls = ['a_x', 'b_x', 'b_y'].map((name, index) => ({ toolCallId: String(index), name, arguments: {} }));
      const happened$ = ready?.run(calls, {}, false) ?? NEVER;
      const outcomes$ = happened$.pipe(filter(({ value }) => value.kind === 'outcome'));
      // Two outcomes in one frame would not leave room for what follows: one of them is enough.
      const slots$ = outcomes$.pipe(map(({ slot }) => slot));
      expectObservable(slots$.pipe(filter((slot) => slot !== 1))).toBe('--c--(a|)', { a: 0, c: 2 });
      expectSubscriptions(slow.subscriptions).toBe('^----!');
      expectSubscriptions(fast.subscriptions).toBe('^-!');
    });
  });

  it('costs no provider anything that another one fails', () => {
    const broken = handProvider([], () => {
      throw new Error('a bug');
    });
    expect(texts(run(routerOf({ a: broken, b: handProvider([]) }).router, ['a_x', 'b_x', 'a_y']))).toEqual([
      '0 Error: a bug',
      '2 Error: a bug',
      '1 x',
    ]);
  });

  it('waits for no list: who hangs while it lists keeps nobody’s calls', () => {
    const a = handProvider([], echo, { toolsForLlm: () => NEVER, listTools: () => NEVER, knownTools: () => NEVER });
    const { router } = routerOf({ a, b: handProvider([]) });
    const hanging = [watch(router.list({})), watch(router.known())];
    expect(texts(run(router, ['b_x', 'a_x']))).toEqual(['0 x', '1 x']);
    for (const { subscription } of hanging) subscription.unsubscribe();
  });

  it('lets go of every provider where it is unsubscribed from', () => {
    const gone: string[] = [];
    const hanging = (name: string): HandProvider => handProvider([], () => new Observable(() => () => gone.push(name)));
    const { router } = routerOf({ a: hanging('a'), b: hanging('b') });
    const ready = watch(router.prepare()).values[0];
    const calls = ['a_x', 'b_x'].map((name) => ({ toolCallId: name, name, arguments: {} }));
    watch(ready?.run(calls, {}, false) ?? of()).subscription.unsubscribe();
    expect(gone).toEqual(['a', 'b']);
  });

  it('gives a provider under two prefixes a batch for each', () => {
    const twice = handProvider(['x']);
    run(routerOf({ a: twice, b: twice }).router, ['a_x', 'b_x']);
    expect(asked(twice)).toEqual(['x', 'x']);
  });

  it('takes what a provider tells for the calls it was given', () => {
    const telling = (calls: readonly ToolCall[]): Observable<unknown> =>
      of(
        { kind: 'started', toolCallId: '2', index: 1 },
        { kind: 'progress', toolCallId: '2', index: 1, progress: 5 },
        ...calls.map(({ id }, index) => ({ kind: 'result', toolCallId: id, index, result: resultOf(id, id) })),
      );
    const a = handProvider([], telling, { tellsEvents: true });
    const happened = run(routerOf({ a, b: handProvider([]) }).router, ['a_x', 'b_x', 'a_y'], true);
    expect(happened.filter(({ value }) => value.kind === 'progress')).toEqual([
      { slot: 2, value: { kind: 'progress', progress: 5 } },
    ]);
    expect(texts(happened).sort()).toEqual(['0 0', '1 x', '2 2']);
  });
});
