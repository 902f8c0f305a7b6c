import { describe, expect, it } from '@jest/globals';
import { finalize, type Observable, of, Subject, take, throwError } from 'rxjs';
import { executeBatch } from '../../src/bridge/batch.js';
import type { SourceCall, ToolSource } from '../../src/bridge/source.js';
import { ToolBackend } from '../../src/bridge/tool-backend.js';
import type { BatchOptions, CallEvent, CallToolResult, Tool, ToolCallEvent, ToolResult } from '../../src/index.js';
import { watch } from '../support/client/watch.js';
import { call, SAFE, text, tool } from './support/batches.js';

type Event = CallEvent<CallToolResult>;

const TOOLS = [tool('safe', SAFE), tool('also', SAFE), tool('reads', { readOnlyHint: true }), tool('writes')];

const labelOf = (name: string, args: object): string => {
  try {
    return `${name}${JSON.stringify(args)}`;
  } catch {
    return `${name} of no form`;
  }
};

/** A source whose calls are in the hand of the spec; `open` are those that run, in the order in which they began. */
const source = (overrides: Partial<ToolSource> = {}) => {
  const begun: { readonly label: string; readonly how: SourceCall; readonly events: Subject<Event> }[] = [];
  const open = new Set<string>();
  let peak = 0;
  const tools: ToolSource = {
    overlap: 'annotated',
    toolConcurrency: 4,
    trustAnnotations: 'overlap',
    tools: () => of(TOOLS),
    call: (name, args, how) => {
      const label = labelOf(name, args);
      const events = new Subject<Event>();
      begun.push({ label, how, events });
      open.add(label);
      peak = Math.max(peak, open.size);
      return events.pipe(finalize(() => open.delete(label)));
    },
    ...overrides,
  };
  const backend = new ToolBackend(tools);
  const batch = (calls: readonly unknown[]) =>
    executeBatch(calls, { observe: 'events' }, backend) as Observable<ToolCallEvent<'neutral'>>;
  return {
    begun,
    open,
    get peak() {
      return peak;
    },
    labels: () => begun.map(({ label }) => label),
    finish: (index: number, words = `${String(index)}`) => {
      begun[index]?.events.next({ kind: 'result', result: text(words) });
      begun[index]?.events.complete();
    },
    run: (calls: readonly unknown[], options: BatchOptions = {}) =>
      watch(executeBatch(calls, options, backend) as Observable<ToolResult[]>),
    events: (calls: readonly unknown[]) => watch(batch(calls)),
    batch,
  };
};

const safe = (id: string, n: unknown = id) => call(id, 'safe', { n });

describe('a batch of a source of tools', () => {
  it('runs one call after another, where one is of a tool that is not annotated', () => {
    const one = source();
    const { values } = one.run([safe('1'), call('2', 'writes'), safe('3')]);
    expect(one.labels()).toEqual(['safe{"n":"1"}']);
    one.finish(0);
    one.finish(1);
    expect(one.labels()).toEqual(['safe{"n":"1"}', 'writes{}', 'safe{"n":"3"}']);
    one.finish(2);
    expect(one.peak).toBe(1);
    expect(values[0]?.map(({ content }) => content)).toEqual(['0', '1', '2']);
  });

  it.each([
    ['is unknown', [safe('1'), call('2', 'nobody')]],
    ['only reads', [safe('1'), call('2', 'reads')]],
  ])('runs one call after another, where one is of a tool that %s', (_what, calls) => {
    const one = source();
    one.run(calls);
    expect(one.begun).toHaveLength(1);
  });

  it('runs safe calls beside each other, as many as it may', () => {
    const one = source();
    const { values } = one.run(['1', '2', '3', '4', '5', '6'].map((id) => safe(id)));
    expect(one.begun).toHaveLength(4);
    one.finish(2);
    expect(one.begun).toHaveLength(5);
    for (const index of [0, 4, 1, 3, 5]) one.finish(index);
    expect(one.peak).toBe(4);
    expect(values[0]?.map(({ content }) => content)).toEqual(['0', '1', '2', '3', '4', '5']);
  });

  it('takes the limit of the batch before that of the source', () => {
    const one = source({ toolConcurrency: 3 });
    one.run(['1', '2', '3', '4', '5', '6'].map((id) => safe(id)));
    expect(one.begun).toHaveLength(3);
    one.run(
      ['1', '2', '3', '4', '5', '6'].map((id) => safe(id)),
      { toolConcurrency: 1 },
    );
    expect(one.begun).toHaveLength(4);
  });

  it('takes the overlap of the batch before that of the source', () => {
    const one = source({ overlap: 'never' });
    const two = [safe('1'), safe('2')];
    one.run(two);
    expect(one.begun).toHaveLength(1);
    one.run(two, { overlap: 'annotated' });
    expect(one.begun).toHaveLength(3);
    one.run([call('1', 'writes'), call('2', 'writes', { n: 2 })], { overlap: () => true });
    expect(one.begun).toHaveLength(5);
  });

  it('with read-only overlaps what reads between what writes', () => {
    const one = source({ overlap: 'read-only' });
    one.run([call('1', 'reads'), safe('2'), call('3', 'writes'), call('4', 'reads', { n: 4 })]);
    expect(one.labels()).toEqual(['reads{}', 'safe{"n":"2"}']);
    one.finish(0);
    one.finish(1);
    expect(one.labels().slice(2)).toEqual(['writes{}']);
    one.finish(2);
    expect(one.labels().slice(3)).toEqual(['reads{"n":4}']);
  });

  it('with untrusted annotations runs one call after another, unless the application decides', () => {
    const one = source({ trustAnnotations: 'none' });
    one.run([safe('1'), safe('2')]);
    one.run([safe('1'), safe('2')], { overlap: 'read-only' });
    expect(one.begun).toHaveLength(2);
    one.run([safe('1'), safe('2')], { overlap: ({ name }) => name === 'safe' });
    expect(one.begun).toHaveLength(4);
  });

  it('with an application that throws when asked runs one call after another', () => {
    const one = source();
    const seen = one.run([safe('1'), safe('2')], {
      overlap: () => {
        throw new Error('a bug');
      },
    });
    expect(one.begun).toHaveLength(1);
    expect(seen.error).toBeUndefined();
  });

  it.each([
    ['fails', () => throwError(() => new Error('no list'))],
    ['is no list', () => of(undefined as unknown as readonly Tool[])],
    [
      'throws',
      () => {
        throw new Error('no list');
      },
    ],
  ] as const)('whose catalogue %s runs one call after another, by the names it was given', (_how, tools) => {
    const one = source({ tools });
    const { values } = one.run([safe('1'), safe('2')], { overlap: () => true });
    expect(one.begun).toHaveLength(1);
    one.finish(0, 'a');
    one.finish(1, 'b');
    expect(values[0]?.map(({ content }) => content)).toEqual(['a', 'b']);
  });

  it('knows the names that were declared where there is no catalogue any longer', () => {
    let list: Observable<readonly Tool[]> = of([tool('fs.read', SAFE)]);
    const one = source({ tools: () => list });
    const calls = [call('1', 'fs_read'), call('2', 'fs_read', { n: 2 })];
    one.run(calls);
    expect(one.labels()).toEqual(['fs.read{}', 'fs.read{"n":2}']);
    list = throwError(() => new Error('no list'));
    one.run(calls);
    // Of its behaviour nothing is known.
    expect(one.labels().slice(2)).toEqual(['fs.read{}']);
    list = of([]);
    one.run(calls);
    expect(one.labels().slice(3)).toEqual(['fs_read{}']);
  });

  it('asks for the catalogue in the time that a call may take', () => {
    const asked: unknown[] = [];
    const one = source({
      tools: (how) => {
        asked.push(how);
        return of(TOOLS);
      },
    });
    one.run([safe('1')], { timeoutMs: 5, maxTotalMs: 7 });
    one.run([safe('1')]);
    expect(asked).toEqual([{ timeoutMs: 5, maxTotalMs: 7 }, {}]);
  });

  it('gives each call what the batch says of all, its id, and whether anybody hears reports', () => {
    const one = source();
    const options = { timeoutMs: 1, maxTotalMs: 2, resetOnProgress: false, logLevel: 'debug', meta: { a: 1 } } as const;
    one.run([safe('1')], options);
    one.run([safe('2')], { onProgress: () => undefined });
    one.events([safe('3')]);
    expect(one.begun.map(({ how }) => how)).toMatchObject([
      { toolCallId: '1', reports: false, ...options },
      { toolCallId: '2', reports: true, timeoutMs: undefined },
      { toolCallId: '3', reports: true },
    ]);
  });

  it('answers a call that met a bug in the source with the bug, and the others as they should be', () => {
    const one = source({
      call: (name) => {
        if (name === 'safe') throw new Error('a bug');
        if (name === 'also') return throwError(() => new Error('another'));
        return name === 'writes' ? of() : of({ kind: 'result', result: text('fine') });
      },
    });
    const calls = [call('1', 'safe'), call('2', 'reads'), call('3', 'also'), call('4', 'writes'), call('5', 'reads')];
    expect(one.run(calls).values[0]).toMatchObject([
      { tool_call_id: '1', content: 'Error: a bug', is_error: true },
      { tool_call_id: '2', content: 'fine', is_error: false },
      { tool_call_id: '3', content: 'Error: another', is_error: true },
      { tool_call_id: '4', content: 'Error: the call was not answered.', is_error: true },
      { tool_call_id: '5', content: 'fine', is_error: false },
    ]);
  });

  it('that is unsubscribed stops what runs, and what waits never begins', () => {
    const one = source();
    const { subscription } = one.run(
      ['1', '2', '3'].map((id) => safe(id)),
      { toolConcurrency: 2 },
    );
    expect(one.open.size).toBe(2);
    subscription.unsubscribe();
    expect(one.open.size).toBe(0);
    one.finish(0);
    expect(one.begun).toHaveLength(2);
  });

  it('that is left at the sight of a call that begins never makes that call', () => {
    const one = source();
    const { values } = watch(one.batch([call('1', 'writes'), call('2', 'writes')]).pipe(take(1)));
    expect(values).toMatchObject([{ kind: 'started' }]);
    expect(one.begun).toEqual([]);
  });
});

describe('calls that ask the same', () => {
  it('are one request, copied into the slot of each under its id', () => {
    const one = source();
    const { values } = one.run([safe('1', 'x'), safe('2', 'y'), safe('3', 'x')]);
    expect(one.labels()).toEqual(['safe{"n":"x"}', 'safe{"n":"y"}']);
    one.finish(0, 'X');
    one.finish(1, 'Y');
    expect(values[0]).toEqual([
      { role: 'tool', tool_call_id: '1', content: 'X', is_error: false },
      { role: 'tool', tool_call_id: '2', content: 'Y', is_error: false },
      { role: 'tool', tool_call_id: '3', content: 'X', is_error: false },
    ]);
  });

  it('have each their answer in their own shape', () => {
    const one = source();
    const { values } = one.run([safe('1', 'x'), { type: 'tool_use', id: '2', name: 'safe', input: { n: 'x' } }]);
    one.finish(0, 'X');
    expect(one.begun).toHaveLength(1);
    expect(values[0]).toMatchObject([{ tool_call_id: '1' }, { type: 'tool_result', tool_use_id: '2', content: 'X' }]);
  });

  it('have each the events of the one request', () => {
    const one = source();
    const { values } = one.events([safe('1', 'x'), safe('2', 'x')]);
    one.begun[0]?.events.next({
      kind: 'progress',
      progress: 1,
      requestId: 1,
      progressToken: 1,
      method: 'tools/call',
      toolCallId: '1',
    });
    one.finish(0, 'X');
    expect(values.map(({ kind, index, toolCallId }) => [kind, index, toolCallId])).toEqual([
      ['started', 0, '1'],
      ['started', 1, '2'],
      ['progress', 0, '1'],
      ['progress', 1, '2'],
      ['result', 0, '1'],
      ['result', 1, '2'],
    ]);
  });

  it.each([
    [
      'with keys in another order',
      { a: 1, b: { c: [1, { d: 2, e: 3 }], f: 4 } },
      { b: { f: 4, c: [1, { e: 3, d: 2 }] }, a: 1 },
    ],
    ['as JSON text', { a: 1 }, '{ "a": 1.0 }'],
    ['with what JSON leaves out', { a: 1 }, { a: 1, b: undefined }],
    ['as nothing in several ways', {}, ' '],
  ])('are the same %s', (_how, a, b) => {
    const one = source();
    one.run([call('1', 'safe', a), call('2', 'safe', b)]);
    expect(one.begun).toHaveLength(1);
  });

  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  it.each([
    ['in another order of a list', { a: [1, 2] }, { a: [2, 1] }],
    ['a number and its text', { a: 1 }, { a: '1' }],
    ['null and nothing', { a: null }, {}],
    ['two moments', { a: new Date(0) }, { a: new Date(1) }],
    ['two cycles', cycle, cycle],
    ['two bigints', { a: 1n }, { a: 1n }],
  ])('are not: %s', (_what, a, b) => {
    const one = source();
    one.run([call('1', 'safe', a), call('2', 'safe', b)]);
    expect(one.begun).toHaveLength(2);
  });

  it('are not where they are of another tool', () => {
    const one = source();
    one.run([call('1', 'safe'), call('2', 'also')]);
    expect(one.begun).toHaveLength(2);
  });

  it('are each a request where calls run one after another', () => {
    const one = source();
    one.run([call('1', 'writes'), call('2', 'writes')]);
    one.finish(0);
    expect(one.begun).toHaveLength(2);
  });

  it('cost the others nothing where their arguments have no form in JSON', () => {
    const one = source({ call: (_name, args) => of({ kind: 'result', result: text(typeof args['n']) }) });
    expect(one.run([safe('1', 1n), safe('2', 'x')]).values[0]).toMatchObject([
      { content: 'bigint' },
      { content: 'string' },
    ]);
  });
});
