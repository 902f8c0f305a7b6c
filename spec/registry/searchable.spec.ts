import { describe, expect, it } from '@jest/globals';
import { lastValueFrom, map, of, throwError, timer, toArray } from 'rxjs';
import { type BatchOptions, Registry, type Tool, Toolkit, type ToolResult } from '../../src/index.js';
import { searchable } from '../../src/registry/searchable.js';
import { SearchIndex } from '../../src/registry/search-index.js';
import { inVirtualTime } from '../support/client/virtual-time.js';
import { watch } from '../support/client/watch.js';
import { createBench } from '../support/providers/bench.js';
import { echo, handProvider, resultOf } from '../support/providers/hand.js';

const call = async (kit: Toolkit, name: string, args: object, options: BatchOptions = {}): Promise<ToolResult> => {
  const [result] = await lastValueFrom(
    kit.executeToolCalls([{ id: '1', name, arguments: args }], { ...options, observe: 'results' }),
  );
  if (result === undefined) throw new Error('no result');
  return result;
};

interface Found {
  readonly tools: readonly { readonly name: string }[];
  readonly total: number;
}

const search = async (kit: Toolkit, args: object): Promise<Found> =>
  (await call(kit, 'search_tools', args)).structured_content as Found;

const bench = (): Toolkit => new Registry().add(createBench(), { prefix: 'bench' }).searchable();

/** Something to search, of tools as they are, valid or not. */
const searchOf = (tools: () => readonly unknown[], execute: Parameters<typeof handProvider>[1] = echo): Toolkit =>
  searchable({
    ...handProvider([], execute),
    tellsEvents: true,
    knownTools: () => of(tools() as readonly Tool[]),
  });

describe('a searchable registry', () => {
  it('shows three tools, whatever tools there are', async () => {
    const registry = new Registry();
    const kit = registry.searchable();
    const before = JSON.stringify(await kit.promises.toolsForLlm());
    registry.add(createBench(), { prefix: 'bench' });
    expect(JSON.stringify(await kit.promises.toolsForLlm())).toBe(before);
    expect((await kit.promises.listTools()).map(({ name }) => name).sort()).toEqual([
      ...['call_tool', 'get_tool_details', 'search_tools'],
    ]);
  });

  it('goes the whole way: search, details, call', async () => {
    const kit = bench();
    expect(await search(kit, { query: 'add numbers' })).toEqual({
      tools: [{ name: 'bench_add', description: 'Adds two numbers' }],
      total: 5,
    });
    const details = await call(kit, 'get_tool_details', { name: 'bench_add' });
    expect(details.structured_content).toMatchObject({
      name: 'bench_add',
      inputSchema: { type: 'object', required: ['a', 'b'] },
      outputSchema: { type: 'object' },
      annotations: { readOnlyHint: true },
    });
    const result = await call(kit, 'call_tool', { name: 'bench_add', arguments: { a: 1, b: 2 } });
    expect(result).toMatchObject({ content: '3', is_error: false, structured_content: { sum: 3 } });
    expect(result.raw).toMatchObject({ content: [{ type: 'text', text: '3' }], structuredContent: { sum: 3 } });
  });

  it('says as much of each tool as is asked for', async () => {
    const kit = bench();
    expect((await search(kit, { query: 'add', detail: 'name' })).tools).toEqual([{ name: 'bench_add' }]);
    expect((await search(kit, { query: 'add', detail: 'full' })).tools[0]).toHaveProperty('inputSchema');
    const long = searchOf(() => [
      { name: 'a', description: `read ${'x'.repeat(300)}\nmore`, inputSchema: { type: 'object' } },
      { name: 'b', description: 'read\nmore', inputSchema: { type: 'object' } },
      { name: 'c', title: 'read', inputSchema: { type: 'object' } },
      { name: 'read', description: 5, inputSchema: { type: 'object' } },
    ]);
    const { tools } = await search(long, { query: 'read' });
    const lines = new Map(tools.map((tool) => [tool.name, (tool as { description?: string }).description]));
    expect(lines.get('a')).toHaveLength(200);
    expect([lines.get('b'), lines.get('c'), lines.get('read')]).toEqual(['read', 'read', '']);
  });

  it('gives a line that is cut between two characters', async () => {
    const kit = searchOf(() => [{ name: 'a', description: `read${'x'.repeat(192)}\u{1f600}${'y'.repeat(9)}` }]);
    expect(await search(kit, { query: 'a' })).toMatchObject({ tools: [{ description: `read${'x'.repeat(192)}...` }] });
  });

  it('gives a tool without its schema where that cannot be read or written, and the others as they are', async () => {
    const cyclic: Record<string, unknown> = { type: 'object' };
    cyclic['properties'] = { self: cyclic };
    const throwing = {
      get properties(): never {
        throw new Error('not today');
      },
    };
    const kit = searchOf(() => [
      null,
      { name: 'read_round', description: 'R', inputSchema: cyclic, outputSchema: { type: 'object' } },
      { name: 'read_never', inputSchema: throwing },
      {
        name: 'read_nothing',
        get inputSchema(): never {
          throw new Error('not today');
        },
      },
      { name: 'read_number', inputSchema: { type: 'object', default: 1n } },
      { name: 'read_well', inputSchema: { type: 'object' } },
    ]);
    const { tools } = await search(kit, { query: 'read', detail: 'full' });
    expect(new Map(tools.map((tool) => [tool.name, tool]))).toEqual(
      new Map<string, object>([
        ['read_round', { name: 'read_round', description: 'R', outputSchema: { type: 'object' } }],
        ['read_never', { name: 'read_never' }],
        ['read_nothing', { name: 'read_nothing' }],
        ['read_number', { name: 'read_number' }],
        ['read_well', { name: 'read_well', inputSchema: { type: 'object' } }],
      ]),
    );
    for (const name of ['read_round', 'read_never', 'read_nothing', 'read_number', 'read_well']) {
      const { is_error: isError, structured_content: told } = await call(kit, 'get_tool_details', { name });
      expect([isError, told]).toEqual([false, expect.objectContaining({ name })]);
    }
  });

  it('knows a tool by the name under which a model knows it', async () => {
    const kit = new Toolkit({ name: 'k' }).tool('admin.users/list', { description: 'L' }, () => {
      throw new Error('no rights');
    });
    const search$ = new Registry().add(kit, { prefix: 'a' }).searchable();
    for (const name of ['a_admin.users/list', 'a_admin_users_list']) {
      const { structured_content: told } = await call(search$, 'get_tool_details', { name });
      expect(told).toMatchObject({ name: 'a_admin.users/list', description: 'L' });
      expect((await call(search$, 'call_tool', { name })).content).toBe('no rights');
    }
  });

  it('names ten tools, or as many as are asked for', async () => {
    const many = Array.from({ length: 60 }, (_, n) => ({ name: `read_${n}`, inputSchema: { type: 'object' } }));
    const kit = searchOf(() => many);
    const lengths = [{}, { limit: 1 }, { limit: 50 }].map(async (more) => {
      const { tools, total: all } = await search(kit, { query: 'read', ...more });
      return [tools.length, all];
    });
    expect(await Promise.all(lengths)).toEqual([
      [10, 60],
      [1, 60],
      [50, 60],
    ]);
  });

  it.each([
    ['search_tools', {}],
    ['search_tools', { query: 'x', limit: 0 }],
    ['search_tools', { query: 'x', limit: 51 }],
    ['search_tools', { query: 'x', detail: 'all' }],
    ['search_tools', { query: 5 }],
    ['get_tool_details', {}],
    ['call_tool', { arguments: {} }],
  ])('tells what is wrong with the arguments of %s: %j', async (name, args) => {
    const { is_error: isError, content } = await call(bench(), name, args);
    expect([isError, content]).toEqual([true, expect.stringContaining('Input validation error')]);
  });

  it.each([
    { name: 'bench_add', arguments: { a: 1, b: 2 } },
    { name: 'bench_add', arguments: '{"a":1,"b":2}' },
    { name: 'bench_add', a: 1, b: 2 },
  ])('takes a call as models write it: %j', async (args) => {
    expect(await call(bench(), 'call_tool', args)).toMatchObject({ content: '3', is_error: false });
  });

  it('tells what is wrong with arguments that are none', async () => {
    const { is_error: isError, content } = await call(bench(), 'call_tool', { name: 'bench_add', arguments: 'a' });
    expect([isError, content]).toEqual([true, expect.stringContaining('no valid JSON')]);
  });

  it('says so of a tool that is not there', async () => {
    const kit = bench();
    for (const name of ['nowhere', 'bench_', '__proto__']) {
      const { is_error: isError, content } = await call(kit, 'get_tool_details', { name });
      expect([isError, content]).toEqual([true, `There is no tool "${name}": find one with search_tools.`]);
    }
    const called = await call(kit, 'call_tool', { name: 'nowhere' });
    expect([called.is_error, called.content]).toEqual([
      true,
      'There is no tool "nowhere": find one with search_tools.',
    ]);
  });

  it('finds tools that came after the last search, and no more those that went', async () => {
    const kit = createBench();
    const registry = new Registry().add(kit, { prefix: 'a' });
    const search$ = registry.searchable();
    expect((await search(search$, { query: 'rivet' })).tools).toEqual([]);
    kit.tool('rivet', { description: 'Rivets' }, () => 'riveted');
    expect((await search(search$, { query: 'rivet' })).tools).toMatchObject([{ name: 'a_rivet' }]);
    registry.remove('a');
    expect(await search(search$, { query: 'rivet' })).toEqual({
      tools: [],
      total: 0,
      hint: 'No tool fits all of this: try fewer or other words.',
    });
  });

  it('makes one index of one list, however often it is searched', async () => {
    let made = 0;
    const { of: make } = SearchIndex;
    SearchIndex.of = (tools) => {
      made += 1;
      return make(tools);
    };
    try {
      const kit = createBench();
      const search$ = new Registry().add(kit, { prefix: 'a' }).searchable();
      for (let times = 0; times < 3; times += 1) await search(search$, { query: 'add' });
      await Promise.all([search(search$, { query: 'saw' }), search(search$, { query: 'fail' })]);
      expect(made).toBe(1);
      kit.tool('new', { description: 'N' }, () => 'n');
      await search(search$, { query: 'new' });
      expect(made).toBe(2);
    } finally {
      SearchIndex.of = make;
    }
  });

  it('goes without providers that cannot say what they have, and with them as soon as they can', async () => {
    let works = false;
    const moody = handProvider(['rivet'], echo, {
      toolsForLlm: () => {
        if (!works) throw new Error('not today');
        return [{ function: { name: 'rivet' } }];
      },
    });
    const kit = new Registry().add(moody, { prefix: 'm' }).add(createBench(), { prefix: 'b' }).searchable();
    expect(await search(kit, { query: 'rivet add' })).toMatchObject({ total: 5, tools: [{ name: 'b_add' }] });
    works = true;
    expect(await search(kit, { query: 'rivet' })).toMatchObject({ total: 6, tools: [{ name: 'm_rivet' }] });
  });
});

describe('call_tool', () => {
  it('tells how far the call is, and of its logs', async () => {
    const kit = new Toolkit({ name: 'k' }).tool('x', { description: 'X' }, (_, { log, progress }) => {
      progress(1, 2, 'half');
      log('info', { n: 1 }, 'me');
      return 'done';
    });
    const search$ = new Registry().add(kit, { prefix: 'a' }).searchable();
    const calls = [{ id: 'one', name: 'call_tool', arguments: { name: 'a_x' } }];
    const events = await lastValueFrom(search$.executeToolCalls(calls, { observe: 'events' }).pipe(toArray()));
    expect(events).toMatchObject([
      { kind: 'started', toolCallId: 'one', index: 0, name: 'call_tool' },
      { kind: 'progress', toolCallId: 'one', progress: 1, total: 2, message: 'half' },
      { kind: 'log', toolCallId: 'one', level: 'info', data: { n: 1 }, logger: 'me' },
      { kind: 'result', toolCallId: 'one', result: { content: 'done' } },
    ]);
  });

  it('has no clock of its own: the call has that of its tool', async () => {
    const kit = new Toolkit({ name: 'k', requestTimeoutMs: 0, maxTotalMs: 0 })
      .tool('slow', { description: 'S' }, () => timer(3_600_000).pipe(map(() => 'at last')))
      .tool('now', { description: 'N' }, () => 'now');
    const search$ = new Registry().add(kit, { prefix: 'a' }).searchable();
    // What checks arguments is loaded with the first call.
    expect((await call(search$, 'call_tool', { name: 'a_now' })).content).toBe('now');
    inVirtualTime(({ at }) => {
      const calls = [{ id: '1', name: 'call_tool', arguments: { name: 'a_slow' } }];
      const [slow, bounded] = [{}, { timeoutMs: 1_000 }].map((options) =>
        watch(search$.executeToolCalls(calls, options)),
      );
      at(1_001, () => {
        expect(bounded?.values).toMatchObject([[{ is_error: true, content: expect.stringContaining('TimeoutError') }]]);
        expect(slow?.values).toEqual([]);
      });
      at(3_600_001, () => {
        expect(slow?.values).toMatchObject([[{ is_error: false, content: 'at last' }]]);
      });
    });
  });

  it('gives what a provider answers that has no more than a text and structure', async () => {
    const search$ = searchOf(
      () => [],
      (calls) =>
        of({
          kind: 'result',
          toolCallId: calls[0]?.id,
          index: 0,
          result: resultOf('1', 'x', { structured_content: { n: 1 } }),
        }),
    );
    expect(await call(search$, 'call_tool', { name: 'x' })).toMatchObject({
      content: 'x',
      is_error: false,
      structured_content: { n: 1 },
    });
  });

  it.each<readonly [string, () => unknown]>([
    ['errors', () => throwError(() => new Error('a bug'))],
    [
      'throws',
      () => {
        throw new Error('a bug');
      },
    ],
  ])('is a failure where the provider %s', async (_, execute) => {
    const { is_error: isError, content } = await call(
      searchOf(() => [], execute),
      'call_tool',
      { name: 'x' },
    );
    expect([isError, content]).toEqual([true, 'a bug']);
  });
});
