import { describe, expect, it } from '@jest/globals';
import { NEVER, of, throwError } from 'rxjs';
import type { Backend, PlannedCall } from '../../../src/bridge/backend.js';
import type { BatchOptions } from '../../../src/bridge/batch-options.js';
import { answered, failedBy, type CallOutcome } from '../../../src/bridge/outcome.js';
import { type BackendTerms, ManagedBackend } from '../../../src/config/managed/managed-backend.js';
import { ManagedTools } from '../../../src/config/managed/managed-tools.js';
import type { ToolFilter } from '../../../src/config/tool-filter.js';
import { TimeoutError, UnsentError } from '../../../src/errors/index.js';
import { scriptedTransport } from '../../../src/testing/index.js';
import { methodsOf, sentTo } from '../../support/client/scripted.js';
import { inVirtualTime } from '../../support/client/virtual-time.js';
import { watch } from '../../support/client/watch.js';
import { callsOn } from '../../support/config/calls.js';

const call = (name: string): PlannedCall => ({ toolCallId: name, name, arguments: {} });

/** A managed backend over one that answers each call with the same outcome, the last call first. */
const backend = (outcome: CallOutcome, more: Partial<BackendTerms> = {}, filter: ToolFilter = {}) => {
  const prepared: BatchOptions[] = [];
  const ran: { calls: readonly PlannedCall[]; options: BatchOptions }[] = [];
  const inner: Backend = {
    prepare: (options) => {
      prepared.push(options);
      return of({
        rawName: (name: string) => name,
        run: (calls: readonly PlannedCall[], given: BatchOptions) => {
          ran.push({ calls, options: given });
          return of(...calls.map((_, slot) => ({ slot, value: { kind: 'outcome', outcome } as const })).reverse());
        },
      });
    },
  };
  const tools = new ManagedTools('mcp__k__', filter);
  tools.named(['a', 'b', 'c'].map((name) => ({ name, inputSchema: { type: 'object' } })));
  const terms: BackendTerms = {
    inner,
    tools: () => tools,
    requireUp: () => undefined,
    callTimeoutMs: undefined,
    overlap: () => undefined,
    strip: (result) => result,
    limit: (result) => result,
    ...more,
  };
  const own = new ManagedBackend(terms);
  const run = (names: readonly string[], options: BatchOptions = {}) => {
    const seen: { slot: number; outcome: CallOutcome }[] = [];
    own.prepare(options).subscribe((ready) => {
      ready.run(names.map(call), options, false).subscribe(({ slot, value }) => {
        if (value.kind === 'outcome') seen.push({ slot, outcome: value.outcome });
      });
    });
    return seen;
  };
  return { own, run, prepared, ran };
};

const DONE = answered({ content: [{ type: 'text', text: 'done' }] });

describe('the calls of a model to a managed server', () => {
  it('go by the names that appear, and by the server’s own', () => {
    const { own } = backend(DONE);
    own.prepare({}).subscribe((ready) => {
      expect(['mcp__k__a', 'a', 'zzz'].map((name) => ready.rawName(name, 'openai'))).toEqual([
        'mcp__k__a',
        'mcp__k__a',
        'zzz',
      ]);
      expect(['mcp__k__a', 'zzz'].map((name) => ready.knows?.(name))).toEqual([true, false]);
    });
    expect.assertions(2);
  });

  it('are answered in their slots, whichever of them are not offered', () => {
    const { run, ran } = backend(DONE, {}, { blockedTools: ['a', 'c'] });
    const seen = run(['mcp__k__a', 'mcp__k__b', 'c', 'b']);
    expect(ran[0]?.calls.map(({ toolCallId, name }) => [toolCallId, name])).toEqual([
      ['mcp__k__b', 'b'],
      ['b', 'b'],
    ]);
    expect(seen.map(({ slot }) => slot)).toEqual([0, 2, 3, 1]);
    expect(seen.map(({ outcome }) => outcome.result.isError === true)).toEqual([true, true, false, false]);
    expect(seen[0]?.outcome.result.content).toEqual([
      { type: 'text', text: 'Error: the tool "mcp__k__a" is not offered here: call another one.' },
    ]);
  });

  it('have the bounds of the entry, when they are prepared and when they are made', () => {
    const { run, prepared, ran } = backend(DONE, { callTimeoutMs: 5_000 });
    run(['a']);
    expect([prepared[0], ran[0]?.options]).toEqual([
      { timeoutMs: 5_000, maxTotalMs: 5_000 },
      { timeoutMs: 5_000, maxTotalMs: 5_000, overlap: undefined },
    ]);
    run(['a'], { timeoutMs: 7 });
    expect(ran[1]?.options).toMatchObject({ timeoutMs: 7 });
  });

  it.each([
    [undefined, undefined, undefined],
    ['never', undefined, 'never'],
    ['annotated', 'read-only', 'annotated'],
    ['read-only', 'never', 'never'],
    [undefined, 'read-only', 'read-only'],
  ] as const)('overlap as the entry says (%s), but never where that is asked for (%s): %s', (entry, asked, rule) => {
    const { run, ran } = backend(DONE, { overlap: () => entry });
    run(['a'], { overlap: asked });
    expect(ran[0]?.options.overlap).toBe(rule);
  });

  it('are refused while the server is not there', () => {
    const { own, prepared } = backend(DONE, {
      requireUp: () => {
        throw new UnsentError('not connected');
      },
    });
    expect(watch(own.prepare({})).error).toBeInstanceOf(UnsentError);
    expect(prepared).toEqual([]);
  });

  it('are limited for the model, and whole and without the keys of the host beside it', () => {
    const raw = { content: [{ type: 'text' as const, text: 'long' }], _meta: { host: 1 } };
    const { run } = backend(answered(raw), {
      strip: (result) => ({ ...result, _meta: {} }),
      limit: (result) => ({ ...result, content: [] }),
    });
    const [seen] = run(['a']);
    expect(seen?.outcome.raw).toEqual({ content: raw.content, _meta: {} });
    expect(seen?.outcome.result).toEqual({ content: [], _meta: {} });
  });

  it.each([
    [
      7,
      'TimeoutError: MCP tool call timed out after 1.5 s: the tool may have run all the same: check before you call it again',
    ],
    [undefined, 'TimeoutError: MCP tool call timed out after 1.5 s: the tool did not run'],
  ])('that ran out of time (request %s) are told in the words of hosts', (id, text) => {
    const error = new TimeoutError('tools/call', id, 1_500);
    const [seen] = backend(failedBy(error)).run(['a']);
    expect(seen?.outcome).toMatchObject({ raw: undefined, error });
    expect(seen?.outcome.result).toEqual({ content: [{ type: 'text', text }], isError: true });
  });

  it('that failed in another way are told as the client tells it', () => {
    for (const error of [new UnsentError('gone'), new TimeoutError('initialize', undefined, 30_000, 'not ready')]) {
      const failure = failedBy(error);
      expect(backend(failure).run(['a'])[0]?.outcome).toEqual(failure);
    }
  });

  it('error where the client cannot prepare them', () => {
    const error = new UnsentError('no');
    const { own } = backend(DONE, { inner: { prepare: () => throwError(() => error) } });
    expect(watch(own.prepare({})).error).toBe(error);
    expect(watch(backend(DONE, { inner: { prepare: () => NEVER } }).own.prepare({})).marks).toEqual([]);
  });
});

describe('a batch on a managed server', () => {
  const tools = { tools: [{ name: 'a.b', inputSchema: { type: 'object' } }] };

  it('calls the tool that a model was given, and answers in its shape', () => {
    const server = scriptedTransport({
      'tools/list': tools,
      'tools/call': ({ name }) => ({ content: [{ type: 'text', text: name }] }),
    });
    const { calls } = callsOn(server);
    calls.listTools().subscribe();
    const seen = watch(
      calls.executeToolCalls([
        { id: '1', name: 'mcp__k__a_b', arguments: {} },
        { id: '2', name: 'mcp__k__drop', arguments: {} },
      ]),
    );
    expect(seen.error).toBeUndefined();
    expect(seen.values[0]).toMatchObject([
      { tool_call_id: '1', content: 'a.b', is_error: false },
      { tool_call_id: '2', content: 'drop', is_error: false },
    ]);
    expect(sentTo(server, 'tools/call').map(({ params }) => params?.['name'])).toEqual(['a.b', 'drop']);
  });

  it('that runs out of time is cancelled at the server, and goes on with the next call', () => {
    inVirtualTime(({ at }) => {
      const server = scriptedTransport({ 'tools/list': tools, 'tools/call': scriptedTransport.silence });
      const { calls } = callsOn(server, { callTimeoutMs: 1_000 });
      calls.listTools().subscribe();
      const batch = ['1', '2'].map((id) => ({ id, name: 'mcp__k__a_b', arguments: {} }));
      const seen = watch(calls.executeToolCalls(batch));
      at(3_000, () => {
        expect(seen.marks[0]?.[0]).toBe(2_000);
        const content = expect.stringContaining('MCP tool call timed out after 1 s: the tool may have run') as unknown;
        expect(seen.values[0]).toMatchObject([{ content }, { content }]);
        expect(methodsOf(server).filter((method) => method === 'notifications/cancelled')).toHaveLength(2);
      });
    });
  });
});
