import { describe, expect, it } from '@jest/globals';
import { connect as fresh, type ToolCall, type ToolCallEvent } from '../../src/index.js';
import { type Script, type ScriptedTransport, scriptedTransport } from '../../src/testing/index.js';
import { connect } from '../support/client/connect.js';
import { ERAS, metaOf, sentTo } from '../support/client/scripted.js';
import { inVirtualTime } from '../support/client/virtual-time.js';
import { watch } from '../support/client/watch.js';
import { call, SAFE, text, tool } from './support/batches.js';

const { steps, progress, log, silence, error } = scriptedTransport;

const TOOLS = [tool('safe', SAFE), tool('writes')];

const server = (era: 'modern' | 'legacy', script: Script = {}): ScriptedTransport =>
  scriptedTransport({ 'tools/list': { tools: TOOLS }, 'tools/call': silence, ...script }, { era });

/** What an event says, in brief. */
const brief = (event: ToolCallEvent): string => {
  const at = `${event.kind} ${String(event.index)}${event.toolCallId}`;
  if (event.kind === 'progress') return `${at} ${String(event.progress)}`;
  return event.kind === 'log' ? `${at} ${String(event.data)}` : at;
};

const idsOf = (wire: ScriptedTransport): unknown[] => sentTo(wire, 'tools/call').map(({ id }) => id);
const tokensOf = (wire: ScriptedTransport): unknown[] =>
  sentTo(wire, 'tools/call').map((_, index) => metaOf(wire, 'tools/call', index)['progressToken']);

describe.each(ERAS)('the events of a batch in the %s era', (era) => {
  it('are, for each call, that it began, what it told in wire order, and its result last', () => {
    const wire = server(era, {
      'tools/call': ({ name }) =>
        steps(progress(1, 2, 'half'), log('info', 'sawdust'), progress(2, 2), text(`${name} done`)),
    });
    const seen = watch(
      connect(wire, { era, logLevel: 'info' }).executeToolCalls([call('a', 'writes'), call('b', 'safe')], {
        observe: 'events',
      }),
    );
    expect(seen.values.map(brief)).toEqual(
      ['0a', '1b'].flatMap((at) => [
        `started ${at}`,
        `progress ${at} 1`,
        `log ${at} sawdust`,
        `progress ${at} 2`,
        `result ${at}`,
      ]),
    );
    expect(seen.completed).toBe(true);
    expect(seen.values[0]).toStrictEqual({ kind: 'started', toolCallId: 'a', index: 0, name: 'writes' });
    expect(seen.values[1]).toStrictEqual({
      kind: 'progress',
      toolCallId: 'a',
      index: 0,
      progress: 1,
      total: 2,
      message: 'half',
      requestId: expect.anything(),
      progressToken: tokensOf(wire)[0],
      method: 'tools/call',
      name: 'writes',
    });
    expect(seen.values[4]).toStrictEqual({
      kind: 'result',
      toolCallId: 'a',
      index: 0,
      result: { role: 'tool', tool_call_id: 'a', content: 'writes done', is_error: false },
    });
  });

  it('say that a call began only when it does', () => {
    const wire = server(era);
    const { values } = watch(
      connect(wire, { era }).executeToolCalls([call('a', 'writes'), call('b', 'writes')], { observe: 'events' }),
    );
    expect(values.map(brief)).toEqual(['started 0a']);
    wire.push({ id: idsOf(wire)[0] as number, result: { ...text('done'), resultType: 'complete' } });
    expect(values.map(brief)).toEqual(['started 0a', 'result 0a', 'started 1b']);
  });

  it('say nothing of a beginning while the list is waited for, or of a call that cannot be made', () => {
    const wire = server(era, { 'tools/list': silence });
    const { values } = watch(
      connect(wire, { era }).executeToolCalls([null, call('a', 'writes')], { observe: 'events' }),
    );
    expect(values).toEqual([]);
    wire.push({ id: sentTo(wire, 'tools/list')[0]?.id as number, result: { tools: [], resultType: 'complete' } });
    expect(values.map(brief)).toEqual(['result 0', 'started 1a']);
  });

  it('tell calls with the same id apart by their place', () => {
    const wire = server(era);
    const { values } = watch(
      connect(wire, { era }).executeToolCalls([call('x', 'safe', { n: 1 }), call('x', 'safe', { n: 2 })], {
        observe: 'events',
      }),
    );
    const [first, second] = tokensOf(wire);
    wire.push({ method: 'notifications/progress', params: { progressToken: second, progress: 20 } });
    wire.push({ method: 'notifications/progress', params: { progressToken: first, progress: 10 } });
    expect(values.map(brief)).toEqual(['started 0x', 'started 1x', 'progress 1x 20', 'progress 0x 10']);
  });

  it('have the name that the model wrote, and its own for the server', () => {
    const wire = server(era, { 'tools/list': { tools: [tool('fs.read')] }, 'tools/call': text('done') });
    const calls = [{ type: 'tool_use', id: 'a', name: 'fs_read', input: {} }] as const;
    const { values } = watch(connect(wire, { era }).executeToolCalls(calls, { observe: 'events' }));
    expect(values[0]).toMatchObject({ kind: 'started', name: 'fs_read' });
    expect(sentTo(wire, 'tools/call')[0]?.params).toMatchObject({ name: 'fs.read' });
    expect(values.at(-1)).toMatchObject({ result: { type: 'tool_result', tool_use_id: 'a' } });
  });

  it('end with an error result where the call fails, and the others go on', () => {
    const wire = server(era, { 'tools/call': ({ name }) => (name === 'safe' ? text('done') : error(-32_602, 'no')) });
    const { values } = watch(
      connect(wire, { era }).executeToolCalls([call('a', 'writes'), call('b', 'safe')], { observe: 'events' }),
    );
    expect(values.map(brief)).toEqual(['started 0a', 'result 0a', 'started 1b', 'result 1b']);
    expect(values[1]).toMatchObject({ result: { content: 'ProtocolError: no', is_error: true } });
  });

  it('are each those of its own call where many are under way', () => {
    const wire = server(era);
    const calls = Array.from({ length: 200 }, (_, n): ToolCall => call(String(n), 'safe', { n }));
    const seen = watch(connect(wire, { era }).executeToolCalls(calls, { observe: 'events', toolConcurrency: 200 }));
    const ids = idsOf(wire) as number[];
    const tokens = tokensOf(wire);
    expect(new Set(tokens).size).toBe(200);
    for (const index of [...ids.keys()].reverse()) {
      wire.push({ method: 'notifications/progress', params: { progressToken: tokens[index], progress: index } });
      wire.push({ id: ids[index] as number, result: { ...text(String(index)), resultType: 'complete' } });
    }
    expect(seen.completed).toBe(true);
    for (const index of [0, 77, 199]) {
      const own = seen.values.filter((event) => event.index === index);
      const at = `${String(index)}${String(index)}`;
      expect(own.map(brief)).toEqual([`started ${at}`, `progress ${at} ${String(index)}`, `result ${at}`]);
    }
  });
});

describe('the questions of a server within a batch', () => {
  const ask = (round: number) => ({
    resultType: 'input_required',
    inputRequests: {
      name: {
        method: 'elicitation/create',
        params: { mode: 'form', message: `Who? ${String(round)}`, requestedSchema: { type: 'object', properties: {} } },
      },
    },
  });

  it('are input events of the call that met them, with what went back', async () => {
    let round = 0;
    const wire = server('modern', { 'tools/call': () => (round++ === 0 ? ask(1) : text('done')) });
    const client = connect(wire, { onElicit: () => ({ action: 'accept', content: {} }) });
    const { values, end } = watch(client.executeToolCalls([call('a', 'writes')], { observe: 'events' }));
    await end;
    expect(values.map(brief)).toEqual(['started 0a', 'input 0a', 'input 0a', 'result 0a']);
    expect(values[1]).toMatchObject({ toolCallId: 'a', index: 0, params: { message: 'Who? 1' } });
  });
});

describe('progress in a batch', () => {
  it.each([
    ['results', {}],
    ['results with onProgress', { onProgress: () => undefined }],
    ['events', { observe: 'events' }],
  ] as const)('goes to the streams of the client under the id of the model’s call, with %s', (_what, options) => {
    const wire = server('modern', { 'tools/call': steps(progress(1), text('done')) });
    const heard: unknown[] = [];
    const client = connect(wire, { onProgress: ({ toolCallId }) => heard.push(toolCallId) });
    const stream = watch(client.progress$);
    watch<unknown>(client.executeToolCalls([call('a', 'writes'), call('b', 'writes')], options));
    expect(heard).toEqual(['a', 'b']);
    expect(stream.values).toMatchObject([
      { toolCallId: 'a', name: 'writes', progress: 1 },
      { toolCallId: 'b', name: 'writes', progress: 1 },
    ]);
  });

  it.each(ERAS)('is asked for by a token only where somebody wants it, in the %s era', (era) => {
    const wire = server(era, { 'tools/call': text('done') });
    const client = connect(wire, { era });
    const calls = [call('a', 'writes')];
    watch(client.executeToolCalls(calls));
    watch(client.executeToolCalls(calls, { timeoutMs: 1_000, resetOnProgress: false }));
    watch(client.executeToolCalls(calls, { observe: 'events' }));
    watch(client.executeToolCalls(calls, { onProgress: () => undefined }));
    watch(client.executeToolCalls(calls, { resetOnProgress: true }));
    const some = expect.any(Number) as unknown;
    expect(tokensOf(wire)).toEqual([undefined, undefined, some, some, some]);
  });

  it.each(ERAS)('has a fresh token for each call, which means nothing once it is answered, in the %s era', (era) => {
    const wire = server(era, { 'tools/call': text('done') });
    const reports: unknown[] = [];
    const client = connect(wire, { era });
    const warnings = watch(client.warnings$);
    const calls = ['a', 'b', 'c'].map((id) => call(id, 'writes'));
    watch(client.executeToolCalls(calls, { onProgress: (report) => reports.push(report) }));
    const tokens = tokensOf(wire);
    expect(new Set(tokens).size).toBe(3);
    for (const progressToken of tokens) {
      wire.push({ method: 'notifications/progress', params: { progressToken, progress: 1 } });
    }
    expect(reports).toEqual([]);
    expect(warnings.error).toBeUndefined();
  });

  it('keeps a call alive that reports, as long as it may be, and harms nothing where who hears throws', () => {
    inVirtualTime(({ at }) => {
      const wire = server('modern');
      const client = fresh(wire);
      const seen = watch(
        client.executeToolCalls([call('a', 'writes')], {
          timeoutMs: 100,
          maxTotalMs: 250,
          onProgress: () => {
            throw new Error('a bug');
          },
        }),
      );
      const report = () => {
        wire.push({ method: 'notifications/progress', params: { progressToken: tokensOf(wire)[0], progress: 1 } });
      };
      at(90, report);
      at(180, report);
      at(249, () => {
        expect(seen.values).toEqual([]);
      });
      at(251, () => {
        expect(seen.values[0]).toMatchObject([
          { tool_call_id: 'a', is_error: true, content: expect.stringMatching(/^TimeoutError/) },
        ]);
      });
    });
  });
});
