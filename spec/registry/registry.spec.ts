import { describe, expect, it } from '@jest/globals';
import { concat, delay, filter, lastValueFrom, map, NEVER, Observable, of, Subject, toArray } from 'rxjs';
import {
  McpClient,
  Registry,
  Toolkit,
  type ToolCallEvent,
  type ToolResult,
  TransportClosedError,
} from '../../src/index.js';
import { type ScriptedTransport, scriptedTransport } from '../../src/testing/index.js';
import { connect } from '../support/client/connect.js';
import { rejection, thrownBy, watch } from '../support/client/watch.js';
import { createBench } from '../support/providers/bench.js';
import { declaration, echo, type HandProvider, handProvider, resultOf } from '../support/providers/hand.js';

const call = (name: string, args?: object, id = name): { id: string; name: string; arguments: object } => ({
  id,
  name,
  arguments: args ?? {},
});

const namesOf = (declared: readonly { readonly function: { readonly name: string } }[]): string[] =>
  declared.map((tool) => tool.function.name);

const contentsOf = (results: readonly ToolResult[]): unknown[] => results.map(({ content }) => content);

const failingToList = (reason: unknown): HandProvider =>
  handProvider([], echo, { toolsForLlm: () => Promise.reject(reason) });

/** A registry of its example. */
const example = (): Registry =>
  new Registry().add(handProvider(['read', 'write']), { prefix: 'files' }).add(createBench(), { prefix: 'app' });

describe('a registry', () => {
  it('has the tools of its providers under prefixed names, sorted, as in its example', async () => {
    const declared = await example().promises.toolsForLlm({ format: 'anthropic' });
    expect(declared.map(({ name }) => name)).toEqual([
      ...['app_add', 'app_fail', 'app_journal', 'app_saw', 'app_wait', 'files_read', 'files_write'],
    ]);
  });

  it('makes each call where its tool is', async () => {
    const calls = [call('files_read', { path: 'a' }), call('app_add', { a: 1, b: 2 }), call('nowhere_x')];
    const results = await example().promises.executeToolCalls(calls);
    expect(contentsOf(results)).toEqual([
      'read {"path":"a"}',
      '3',
      'Error: there is no tool "nowhere_x": call one of those that are declared.',
    ]);
    expect(results.map(({ tool_call_id: id }) => id)).toEqual(['files_read', 'app_add', 'nowhere_x']);
  });

  it('puts between prefix and name what it is told to', async () => {
    const registry = new Registry({ separator: '__' })
      .add(handProvider(['x']), { prefix: 'a' })
      .add(handProvider(['b_x']), { prefix: 'a_' });
    expect(namesOf(await registry.promises.toolsForLlm())).toEqual(['a___b_x', 'a__x']);
    expect(contentsOf(await registry.promises.executeToolCalls([call('a___b_x'), call('a__x')]))).toEqual([
      'b_x {}',
      'x {}',
    ]);
  });

  it('answers in the shape of each call', async () => {
    const answers = await example().promises.executeToolCalls<unknown>([
      { type: 'tool_use', id: '1', name: 'app_add', input: { a: 1, b: 2 } },
      { functionCall: { name: 'files_read', args: {} } },
    ]);
    expect(answers).toMatchObject([
      { type: 'tool_result', tool_use_id: '1', content: '3' },
      { functionResponse: { name: 'files_read', response: { output: 'read {}' } } },
    ]);
  });

  it('has providers by prefix, in the order in which they came, and gives them back', () => {
    const [one, other] = [handProvider([]), handProvider([])];
    const registry = new Registry().add(one, { prefix: 'b' }).add(other, { prefix: 'a' });
    expect([...registry.providers()]).toEqual([
      ['b', one],
      ['a', other],
    ]);
    (registry.providers() as Map<string, unknown>).clear();
    expect(registry.remove('b')).toBe(one);
    expect(registry.remove('b')).toBeUndefined();
    expect([...registry.providers().keys()]).toEqual(['a']);
  });

  it('lets go on what runs at a provider that is taken out', () => {
    const answer = new Subject<readonly ToolResult[]>();
    const registry = new Registry().add(
      handProvider([], () => answer),
      { prefix: 'a' },
    );
    const seen = watch(registry.executeToolCalls([call('a_x')]));
    registry.remove('a');
    answer.next([resultOf('a_x', 'done')]);
    answer.complete();
    expect(seen.values.map(contentsOf)).toEqual([['done']]);
  });
});

describe('the declarations of a registry', () => {
  it('fail with the error of a provider that cannot say what it has', async () => {
    const reason = new Error('not today');
    const registry = example().add(failingToList(reason), { prefix: 'dead' });
    for (const options of [{}, { partial: false }]) {
      expect(await rejection(registry.promises.toolsForLlm(options))).toBe(reason);
    }
    expect(await rejection(registry.promises.listTools())).toBe(reason);
  });

  it('go without it where they may be partial, and say who is missing', async () => {
    const reason = new Error('not today');
    const registry = example().add(failingToList(reason), { prefix: 'dead' });
    const missing: unknown[] = [];
    const declared = await registry.promises.toolsForLlm({ partial: true, onMissing: (all) => missing.push(all) });
    expect(declared).toHaveLength(7);
    expect(missing).toEqual([[{ prefix: 'dead', reason }]]);
    expect(await registry.promises.toolsForLlm({ partial: true })).toEqual(declared);
  });

  it('say nothing of missing providers where none is', async () => {
    let called = 0;
    await example().promises.toolsForLlm({ partial: true, onMissing: () => (called += 1) });
    expect(called).toBe(0);
  });

  it('tell in their report what was changed, by the whole name', async () => {
    const registry = new Registry().add(handProvider(['read.all/now']), { prefix: 'files' });
    const changes: unknown[] = [];
    const declared = await registry.promises.toolsForLlm({ report: (all) => changes.push(...all) });
    expect(namesOf(declared)).toEqual(['files_read_all_now']);
    expect(changes).toContainEqual(expect.objectContaining({ tool: 'files_read.all/now', action: 'changed' }));
  });

  it('are asked for anew with refresh, and from what is kept without', async () => {
    const server = scriptedTransport({
      'tools/list': { tools: [{ name: 'x', inputSchema: { type: 'object' } }], ttlMs: 60_000 },
    });
    const registry = new Registry().add(connect(server), { prefix: 'a' });
    const lists = (): number => server.sent.filter((sent) => 'method' in sent && sent.method === 'tools/list').length;
    await registry.promises.toolsForLlm();
    await registry.promises.toolsForLlm();
    expect(lists()).toBe(1);
    await registry.promises.toolsForLlm({ refresh: true });
    expect(lists()).toBe(2);
  });
});

describe('what a registry knows of its tools', () => {
  it('is one array as long as nothing changes, also within another registry', async () => {
    const kit = createBench();
    const inner = new Registry().add(kit, { prefix: 'b' }).add(handProvider(['x']), { prefix: 'c' });
    const outer = new Registry().add(inner, { prefix: 'a' });
    const known = (): Promise<unknown> => lastValueFrom(outer.knownTools());
    const before = await known();
    expect(await known()).toBe(before);
    kit.tool('new', { description: 'N' }, () => 'n');
    expect(await known()).not.toBe(before);
  });

  it('goes without providers that cannot say', async () => {
    const registry = example().add(failingToList(new Error('no')), { prefix: 'dead' });
    expect(await lastValueFrom(registry.knownTools())).toHaveLength(7);
  });
});

describe('a batch of a registry', () => {
  it('keeps the order of each provider’s calls while the others go on', () => {
    const gates = new Map<string, Subject<string>>();
    const begun: string[] = [];
    const kit = (name: string): Toolkit =>
      new Toolkit({ name }).tool('do', { description: 'D' }, ({ n }) => {
        const gate = new Subject<string>();
        const key = `${name}${String(n)}`;
        begun.push(key);
        gates.set(key, gate);
        return gate;
      });
    const registry = new Registry().add(kit('a'), { prefix: 'a' }).add(kit('b'), { prefix: 'b' });
    const seen = watch(
      registry.executeToolCalls([
        call('a_do', { n: 1 }),
        call('b_do', { n: 1 }),
        call('a_do', { n: 2 }),
        call('b_do', { n: 2 }),
      ]),
    );
    const open = (key: string): void => {
      gates.get(key)?.next(key);
      gates.get(key)?.complete();
    };
    expect(begun).toEqual(['a1', 'b1']);
    open('b1');
    expect(begun).toEqual(['a1', 'b1', 'b2']);
    open('b2');
    expect(begun).toEqual(['a1', 'b1', 'b2']);
    open('a1');
    expect(begun).toEqual(['a1', 'b1', 'b2', 'a2']);
    expect(seen.values).toEqual([]);
    open('a2');
    expect(seen.values.map(contentsOf)).toEqual([['a1', 'b1', 'a2', 'b2']]);
  });

  it('runs a provider’s calls by the terms it was added under', () => {
    const peaks = (overlap: 'never' | 'read-only', toolConcurrency: number): number => {
      let running = 0;
      const kit = new Toolkit({ name: 'k' }).tool(
        'look',
        { description: 'L', annotations: { readOnlyHint: true } },
        () =>
          new Observable<string>(() => {
            running += 1;
          }),
      );
      const registry = new Registry().add(kit, { prefix: 'a', overlap, toolConcurrency });
      const calls = [1, 2, 3, 4].map((n) => call('a_look', { n }, String(n)));
      watch(registry.executeToolCalls(calls)).subscription.unsubscribe();
      return running;
    };
    expect([peaks('never', 4), peaks('read-only', 3), peaks('read-only', 9)]).toEqual([1, 3, 4]);
  });

  it('is cut to its budget once, at the top, however deep the tools are', async () => {
    const spilled: string[] = [];
    const long = 'word '.repeat(1_000);
    const kit = new Toolkit({ name: 'k' }).tool('long', { description: 'L' }, () => long);
    const registry = new Registry().add(new Registry().add(kit, { prefix: 'b' }), { prefix: 'a' });
    const [result] = await registry.promises.executeToolCalls([call('a_b_long')], {
      budget: { perCall: 1_000, tools: { long: 1, b_long: 1, a_b_long: 100 } },
      spill: ({ tool, text }) => {
        spilled.push(tool);
        return `${text.length} characters`;
      },
    });
    expect(spilled).toEqual(['a_b_long']);
    expect(result?.content).toContain('5000 characters');
    expect((result?.content as string).length).toBeLessThan(500);
    expect(result?.raw?.content).toEqual([{ type: 'text', text: long }]);
    expect(Object.keys(result ?? {})).not.toContain('raw');
  });

  it('hands parts over at the top, whatever the providers would have done', async () => {
    const kit = new Toolkit({ name: 'k' }).tool('look', { description: 'L' }, () => [
      { type: 'image', data: 'AAEC', mimeType: 'image/png' },
    ]);
    const registry = new Registry().add(new Registry().add(kit, { prefix: 'b' }), { prefix: 'a' });
    const [parts] = await registry.promises.executeToolCalls([call('a_b_look')], { media: 'parts' });
    expect(parts?.content).toEqual([{ type: 'image', data: 'AAEC', mimeType: 'image/png' }]);
    const [named] = await registry.promises.executeToolCalls([call('a_b_look')]);
    expect(named?.content).toBe('[image: image/png, 3 bytes]');
  });

  it('tells the events of nested registries under the id and the place of the top', async () => {
    const silent = handProvider(['x']);
    const inner = new Registry().add(createBench(), { prefix: 'b' });
    const registry = new Registry().add(silent, { prefix: 's' }).add(inner, { prefix: 'a' });
    const calls = [call('s_x', {}, 'one'), call('a_b_journal', {}, 'two'), call('a_b_saw', { cuts: 2 }, 'three')];
    const events = await lastValueFrom(registry.executeToolCalls(calls, { observe: 'events' }).pipe(toArray()));
    const of = (index: number): unknown[] =>
      events.flatMap((event) => (event.index === index ? [[event.kind, event.toolCallId, nameIn(event)]] : []));
    const nameIn = (event: ToolCallEvent): unknown => (event.kind === 'started' ? event.name : undefined);
    expect(of(0)).toEqual([
      ['started', 'one', 's_x'],
      ['result', 'one', undefined],
    ]);
    expect(of(1)).toEqual([
      ['started', 'two', 'a_b_journal'],
      ['result', 'two', undefined],
    ]);
    expect(of(2)).toEqual([
      ['started', 'three', 'a_b_saw'],
      ['progress', 'three', undefined],
      ['progress', 'three', undefined],
      ['result', 'three', undefined],
    ]);
    expect(events).toHaveLength(8);
  });

  it('reports progress by the id of the model’s call, though its place is another below', () => {
    const registry = new Registry().add(handProvider(['x']), { prefix: 's' }).add(createBench(), { prefix: 'a' });
    const reports: unknown[] = [];
    watch(
      registry.executeToolCalls([call('s_x', {}, 'one'), call('a_saw', { cuts: 1 }, 'two')], {
        onProgress: (progress) => reports.push(progress),
      }),
    );
    expect(reports).toEqual([{ toolCallId: 'two', progress: 1, total: 1 }]);
  });

  it('tells of logs and questions of a server, and gives it the terms of each call', async () => {
    const { steps, log } = scriptedTransport;
    const server: ScriptedTransport = scriptedTransport({
      'tools/list': { tools: [{ name: 'x', inputSchema: { type: 'object' } }] },
      'tools/call': (_, { params }) =>
        (params as { inputResponses?: unknown }).inputResponses === undefined
          ? steps(log('info', 'thinking'), {
              resultType: 'input_required',
              inputRequests: {
                q: {
                  method: 'elicitation/create',
                  params: { mode: 'form', message: 'Who?', requestedSchema: { type: 'object', properties: {} } },
                },
              },
            })
          : { content: [{ type: 'text', text: 'thanks' }] },
    });
    const client = connect(server, { onElicit: () => ({ action: 'accept', content: {} }) });
    const registry = new Registry().add(handProvider([]), { prefix: 's' }).add(client, { prefix: 'a' });
    const events = await lastValueFrom(
      registry
        .executeToolCalls([call('s_x', {}, 'one'), call('a_x', {}, 'two')], {
          observe: 'events',
          logLevel: 'info',
          meta: { 'example.com/k': 1 },
        })
        .pipe(
          filter(({ index }) => index === 1),
          map(({ kind, toolCallId }) => `${kind} ${toolCallId}`),
          toArray(),
        ),
    );
    expect(new Set(events)).toEqual(new Set(['started two', 'log two', 'input two', 'result two']));
    const [first] = server.sent.filter((sent) => 'method' in sent && sent.method === 'tools/call');
    expect(first).toMatchObject({ params: { _meta: { 'example.com/k': 1 } } });
  });

  it('keeps nobody’s calls while a provider hangs as it lists', async () => {
    const hanging = connect(scriptedTransport({ 'tools/list': scriptedTransport.silence }));
    const registry = new Registry().add(hanging, { prefix: 'a' }).add(createBench(), { prefix: 'b' });
    const seen = watch(
      registry.executeToolCalls([call('a_x'), call('b_journal')], { observe: 'events' }).pipe(
        filter(({ kind }) => kind === 'result'),
        map(({ index }) => index),
      ),
    );
    expect(seen.values).toEqual([1]);
    await hanging.close();
    await seen.end;
    expect(seen.values).toEqual([1, 0]);
  });
});

describe('a registry with a dead server', () => {
  it('goes on with the others', async () => {
    const dead = new McpClient(
      () =>
        new Observable((subscriber) => {
          subscriber.error(new Error('no such server'));
        }),
    );
    const registry = new Registry().add(dead, { prefix: 'dead', owned: true }).add(createBench(), { prefix: 'b' });
    const results = await registry.promises.executeToolCalls([call('dead_x'), call('b_add', { a: 1, b: 1 })]);
    expect(results).toMatchObject([
      { tool_call_id: 'dead_x', is_error: true, content: expect.stringContaining('not available') },
      { tool_call_id: 'b_add', is_error: false, content: '2' },
    ]);
    expect(results[0]?.error).toMatchObject({ cause: new Error('no such server') });
    const missing: string[] = [];
    const declared = await registry.promises.toolsForLlm({
      partial: true,
      onMissing: (all) => missing.push(...all.map(({ prefix }) => prefix)),
    });
    expect([declared.length, missing]).toEqual([5, ['dead']]);
    const { values, subscription } = watch(registry.tools$);
    expect(values.at(-1)).toHaveLength(5);
    subscription.unsubscribe();
    await registry.close();
  });
});

describe('the live list of a registry', () => {
  it('is all tools there are, after every addition, removal and change', () => {
    const kit = createBench();
    const registry = new Registry();
    const { values, completed } = watch(registry.tools$);
    registry.add(kit, { prefix: 'a' });
    kit.tool('new', { description: 'N' }, () => 'n');
    registry.add(handProvider(['x']), { prefix: 'not-live' });
    registry.remove('a');
    expect(
      values.map((tools) =>
        tools
          .map(({ name }) => name)
          .sort()
          .join(' '),
      ),
    ).toEqual(['', 'a_add a_fail a_journal a_saw a_wait', 'a_add a_fail a_journal a_new a_saw a_wait', '']);
    expect(completed).toBe(false);
  });

  it('goes through registries', () => {
    const kit = createBench();
    const inner = new Registry();
    const { values } = watch(new Registry().add(inner, { prefix: 'a' }).tools$);
    inner.add(kit, { prefix: 'b' });
    expect(values.at(-1)?.map(({ name }) => name)).toContain('a_b_add');
  });

  it('completes when the registry is closed', async () => {
    const registry = new Registry().add(handProvider([], echo, { tools$: concat(of([]), NEVER) }), { prefix: 'a' });
    const seen = watch(registry.tools$);
    await registry.close();
    expect([seen.completed, watch(registry.tools$).completed]).toEqual([true, true]);
  });
});

describe('closing a registry', () => {
  const closable = (close: () => unknown): HandProvider => Object.assign(handProvider([]), { close });

  it('closes what it owns, once, and nothing else', async () => {
    const closed: string[] = [];
    const one = closable(() => closed.push('one'));
    const registry = new Registry()
      .add(one, { prefix: 'a', owned: true })
      .add(one, { prefix: 'b', owned: true })
      .add(
        closable(() => closed.push('other')),
        { prefix: 'c' },
      )
      .add(
        closable(() => closed.push('gone')),
        { prefix: 'd', owned: true },
      )
      .add(handProvider([]), { prefix: 'e', owned: true });
    registry.remove('d');
    registry.remove('a');
    const first = registry.close();
    expect(registry.close()).toBe(first);
    await first;
    await registry[Symbol.asyncDispose]();
    expect(closed).toEqual(['one']);
  });

  it('waits for what it closes, and takes it well where that throws or rejects', async () => {
    const events: string[] = [];
    const broken = closable(() => {
      throw new Error('a bug');
    });
    const unreadable = Object.defineProperty(handProvider([]), 'close', {
      get: () => {
        throw new Error('not today');
      },
    });
    const registry = new Registry()
      .add(broken, { prefix: 'a', owned: true })
      .add(
        closable(() => Promise.reject(new Error('a bug'))),
        { prefix: 'b', owned: true },
      )
      .add(unreadable, { prefix: 'c', owned: true })
      .add(
        closable(() => lastValueFrom(of('closed').pipe(delay(0))).then((word) => events.push(word))),
        {
          prefix: 'd',
          owned: true,
        },
      );
    await expect(registry.close()).resolves.toBeUndefined();
    expect(events).toEqual(['closed']);
  });

  it('closes a client and a registry that it owns', async () => {
    const client = connect(scriptedTransport());
    const inner = new Registry().add(client, { prefix: 'a', owned: true });
    await new Registry().add(inner, { prefix: 'b', owned: true }).close();
    expect(client.alive).toBe(false);
  });

  it('is the end of adding, not of removing', async () => {
    const provider = handProvider([declaration('x') as unknown as string]);
    const registry = new Registry().add(provider, { prefix: 'a' });
    await registry.close();
    expect(thrownBy(() => registry.add(handProvider([]), { prefix: 'b' }))).toBeInstanceOf(TransportClosedError);
    expect(registry.remove('a')).toBe(provider);
    expect(registry.providers().size).toBe(0);
  });
});
