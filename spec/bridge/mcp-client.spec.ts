import { describe, expect, it } from '@jest/globals';
import { Observable, take } from 'rxjs';
import {
  CancelledError,
  connect as fresh,
  type Connector,
  EraCache,
  type McpClient,
  type SendHints,
  type Tool,
  type Transport,
} from '../../src/index.js';
import { type Script, type ScriptedTransport, scriptedTransport } from '../../src/testing/index.js';
import { connect } from '../support/client/connect.js';
import { ERAS, methodsOf, scriptedLives, sentTo } from '../support/client/scripted.js';
import { inVirtualTime } from '../support/client/virtual-time.js';
import { watch } from '../support/client/watch.js';
import { call, SAFE, text, tool } from './support/batches.js';

const { silence, error, verbatim } = scriptedTransport;

const TOOLS = [tool('safe', SAFE), tool('writes')];

const server = (era: 'modern' | 'legacy', script: Script = {}): ScriptedTransport =>
  scriptedTransport(
    { 'tools/list': { tools: TOOLS }, 'tools/call': ({ name }) => text(`${name} done`), ...script },
    { era },
  );

const callsTo = (wire: ScriptedTransport) => sentTo(wire, 'tools/call');
const idsOf = (wire: ScriptedTransport): number[] => callsTo(wire).map(({ id }) => id as number);
const answer = (wire: ScriptedTransport, id: number | undefined, words = 'done') => {
  wire.push({ id: id as number, result: { ...text(words), resultType: 'complete' } });
};
const cancelled = (wire: ScriptedTransport) =>
  sentTo(wire, 'notifications/cancelled').map(({ params }) => params?.['requestId']);

const ok = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content, is_error: false });
const failing = (id: string, content: unknown) => ({ role: 'tool', tool_call_id: id, content, is_error: true });
const starting = (words: string): unknown => expect.stringMatching(new RegExp(`^${words}`));

describe.each(ERAS)('the tool calls of a model, in the %s era', (era) => {
  it('are made one after another, and answered in order', () => {
    const wire = server(era);
    const { values, completed } = watch(
      connect(wire, { era }).executeToolCalls([call('1', 'writes', { a: 1 }), call('2', 'safe', '{"b":2}')]),
    );
    expect(values).toEqual([[ok('1', 'writes done'), ok('2', 'safe done')]]);
    expect(completed).toBe(true);
    expect(callsTo(wire)).toMatchObject([
      { params: { name: 'writes', arguments: { a: 1 } } },
      { params: { name: 'safe', arguments: { b: 2 } } },
    ]);
  });

  it('ask for the list first, once, and again after it changed', () => {
    const wire = server(era);
    const client = connect(wire, { era });
    const one = [call('1', 'writes')];
    watch(client.executeToolCalls(one));
    watch(client.executeToolCalls(one));
    expect(sentTo(wire, 'tools/list')).toHaveLength(1);
    wire.push({ method: 'notifications/tools/list_changed' });
    watch(client.executeToolCalls(one));
    expect(sentTo(wire, 'tools/list')).toHaveLength(2);
  });

  it('send nothing where there are none, or none that can be made', () => {
    const wire = server(era);
    const client = connect(wire, { era });
    for (const calls of [undefined, null, [], [{}], [null]]) watch(client.executeToolCalls(calls as never));
    expect(wire.sent).toEqual([]);
  });

  it('have each what became of it: a result, an error of the tool, of the server, or an answer that is none', () => {
    const wire = server(era, {
      'tools/call': ({ name }) => {
        if (name === 'broken') return { ...text('broken'), isError: true };
        if (name === 'unknown') return error(-32_602, 'Tool unknown not found');
        return name === 'odd' ? verbatim('no object') : text(`${name} done`);
      },
    });
    const names = ['writes', 'broken', 'unknown', 'odd', 'safe'];
    const { values } = watch(connect(wire, { era }).executeToolCalls(names.map((name) => call(name, name))));
    expect(values).toEqual([
      [
        ok('writes', 'writes done'),
        failing('broken', 'broken'),
        failing(
          'unknown',
          'There is no tool of this name among those that are declared: call one of them.\n\nProtocolError: Tool unknown not found',
        ),
        failing('odd', starting('InvalidMessageError: ')),
        ok('safe', 'safe done'),
      ],
    ]);
  });

  it('run beside each other where all are safe: four at a time, or as the client or the batch says', () => {
    const calls = Array.from({ length: 9 }, (_, n) => call(String(n), 'safe', { n }));
    const peak = (options: object, batch: object): number => {
      const wire = server(era, { 'tools/call': silence });
      watch(connect(wire, { era, ...options }).executeToolCalls(calls, batch));
      return callsTo(wire).length;
    };
    expect(peak({}, {})).toBe(4);
    expect(peak({ toolConcurrency: 2 }, {})).toBe(2);
    expect(peak({ toolConcurrency: 2 }, { toolConcurrency: 3 })).toBe(3);
    expect(peak({ overlap: 'never' }, {})).toBe(1);
    expect(peak({}, { overlap: 'never' })).toBe(1);
    expect(peak({ overlap: 'never' }, { overlap: 'read-only' })).toBe(4);
    expect(peak({ trustAnnotations: 'none' }, {})).toBe(1);
    expect(peak({ trustAnnotations: 'none' }, { overlap: () => true })).toBe(4);
  });

  it('run one after another where the list cannot be had, or does not have them', () => {
    for (const script of [{ 'tools/list': error(-32_603, 'no list') }, { 'tools/list': { tools: [] } }]) {
      const wire = server(era, { ...script, 'tools/call': silence });
      const { error: reason } = watch(
        connect(wire, { era }).executeToolCalls([call('1', 'safe', { n: 1 }), call('2', 'safe', { n: 2 })]),
      );
      expect(reason).toBeUndefined();
      expect(callsTo(wire)).toHaveLength(1);
    }
  });

  it('that ask the same are one request, copied to each', () => {
    const wire = server(era);
    const calls = [call('1', 'safe', { a: 1, b: { c: 2, d: 3 } }), call('2', 'safe', { b: { d: 3, c: 2 }, a: 1 })];
    const { values } = watch(connect(wire, { era }).executeToolCalls(calls));
    expect(callsTo(wire)).toHaveLength(1);
    expect(values).toEqual([[ok('1', 'safe done'), ok('2', 'safe done')]]);
  });

  it('that are given up tell the server of what runs, and never send what waits', () => {
    const wire = server(era, { 'tools/call': silence });
    const calls = Array.from({ length: 9 }, (_, n) => call(String(n), 'safe', { n }));
    const { subscription } = watch(connect(wire, { era }).executeToolCalls(calls, { toolConcurrency: 2 }));
    const ids = idsOf(wire);
    expect(ids).toHaveLength(2);
    subscription.unsubscribe();
    expect(cancelled(wire)).toEqual(ids);
    answer(wire, ids[0]);
    expect(callsTo(wire)).toHaveLength(2);
  });

  it.each(['results', 'events'] as const)('that are aborted tell the server, and error (%s)', (observe) => {
    const wire = server(era, { 'tools/call': silence });
    const abort = new AbortController();
    const seen = watch(
      connect(wire, { era }).executeToolCalls([call('1', 'writes'), call('2', 'writes')], {
        signal: abort.signal,
        observe,
      }),
    );
    const reason = new Error('enough');
    abort.abort(reason);
    expect(seen.error).toBeInstanceOf(CancelledError);
    expect(seen.error).toHaveProperty('cause', reason);
    expect(cancelled(wire)).toEqual(idsOf(wire));
    expect(idsOf(wire)).toHaveLength(1);
  });

  it('that are aborted before they begin open nothing', () => {
    const wire = server(era);
    const client = connect(wire, { era });
    const { error: reason } = watch(client.executeToolCalls([call('1', 'writes')], { signal: AbortSignal.abort() }));
    expect(reason).toBeInstanceOf(CancelledError);
    expect(wire.sent).toEqual([]);
  });

  it('that are given up while the list is asked for give that up', () => {
    const wire = server(era, { 'tools/list': silence });
    const { subscription } = watch(connect(wire, { era }).executeToolCalls([call('1', 'writes')]));
    subscription.unsubscribe();
    expect(cancelled(wire)).toEqual(sentTo(wire, 'tools/list').map(({ id }) => id));
    expect(callsTo(wire)).toEqual([]);
  });

  it('are 200 in one batch, each with its answer, whether they run beside each other or not', () => {
    for (const overlap of ['annotated', 'never'] as const) {
      const wire = server(era, { 'tools/call': ({ arguments: args }) => text(String(args?.['n'])) });
      const calls = Array.from({ length: 200 }, (_, n) => call(String(n), 'safe', { n }));
      const { values } = watch(connect(wire, { era, overlap }).executeToolCalls(calls));
      expect(values).toEqual([calls.map(({ id }) => ok(id, id))]);
    }
  });

  it('are thousands in one batch, each with its answer, also where all of them end with the client at once', async () => {
    const wire = server(era, { 'tools/call': silence });
    const client = connect(wire, { era });
    const calls = Array.from({ length: 5_000 }, (_, n) => call(String(n), 'writes', { n }));
    const { values, error: reason } = watch(client.executeToolCalls(calls));
    await client.close();
    expect(reason).toBeUndefined();
    expect(values[0]).toHaveLength(5_000);
    expect(new Set(values[0]?.map(({ content }) => JSON.stringify(content).split(/\W/)[1]))).toEqual(
      new Set(['TransportClosedError']),
    );
    expect(callsTo(wire)).toHaveLength(1);
  });

  it('after close() are each an error result', async () => {
    const wire = server(era);
    const client = connect(wire, { era });
    watch(client.executeToolCalls([call('1', 'writes')]));
    await client.close();
    const { values, error: reason } = watch(client.executeToolCalls([call('1', 'writes'), null, call('3', 'safe')]));
    expect(reason).toBeUndefined();
    expect(values).toEqual([
      [
        failing('1', starting('TransportClosedError: ')),
        failing('', starting('This is no tool call')),
        failing('3', starting('TransportClosedError: ')),
      ],
    ]);
  });

  it('that meet a death have an unknown outcome where they were out, and go on over the next life', () => {
    const lives = scriptedLives((life) => server(era, life === 1 ? { 'tools/call': silence } : {}));
    const client = connect(lives, { era });
    const { values } = watch(client.executeToolCalls(['1', '2', '3'].map((id) => call(id, 'writes', { id }))));
    lives.opened[0]?.die();
    expect(values).toEqual([
      [failing('1', starting('OutcomeUnknownError: ')), ok('2', 'writes done'), ok('3', 'writes done')],
    ]);
    expect(lives.opened.map((life) => callsTo(life).length)).toEqual([1, 2]);
  });

  it('that meet a death are repeated where that is safe and trusted', () => {
    const lives = scriptedLives((life) => server(era, life === 1 ? { 'tools/call': silence } : {}));
    const client = connect(lives, { era, trustAnnotations: 'all' });
    const { values } = watch(client.executeToolCalls(['1', '2'].map((id) => call(id, 'safe', { id }))));
    lives.opened[0]?.die();
    expect(values).toEqual([[ok('1', 'safe done'), ok('2', 'safe done')]]);
  });

  it('that meet a death without another life are each an error result', () => {
    const lives = scriptedLives(() => server(era, { 'tools/call': silence }), { reopens: false });
    const client = connect(lives, { era });
    const { values } = watch(client.executeToolCalls(['1', '2'].map((id) => call(id, 'writes', { id }))));
    lives.opened[0]?.die();
    expect(values).toMatchObject([
      [
        { tool_call_id: '1', is_error: true },
        { tool_call_id: '2', is_error: true },
      ],
    ]);
  });

  it('that are asked for while the connection is opened anew are made once it is there', () => {
    const lives = scriptedLives((life) =>
      server(era, life === 2 ? { [era === 'modern' ? 'server/discover' : 'initialize']: silence } : {}),
    );
    const client = connect(lives, { era });
    watch(client.executeToolCalls([call('1', 'writes')]));
    lives.opened[0]?.die();
    const first = watch(client.executeToolCalls([call('2', 'writes')]));
    const second = watch(client.executeToolCalls([call('3', 'safe')]));
    expect([lives.opened.length, first.values, second.values]).toEqual([2, [], []]);
    lives.opened[1]?.die();
    expect(first.values).toMatchObject([[{ tool_call_id: '2', is_error: false }]]);
    expect(second.values).toMatchObject([[{ tool_call_id: '3', is_error: false }]]);
  });

  it('have an image, a link, structure or nothing as a model reads it, and the whole within reach', () => {
    const image = { content: [{ type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' }] };
    const wire = server(era, {
      'tools/call': ({ name }) => (name === 'safe' ? image : { content: [], structuredContent: { sum: 3 } }),
    });
    const { values } = watch(connect(wire, { era }).executeToolCalls([call('1', 'safe'), call('2', 'writes')]));
    expect(values).toEqual([
      [ok('1', '[image: image/png, 8 bytes]'), { ...ok('2', '{"sum":3}'), structured_content: { sum: 3 } }],
    ]);
    expect(values[0]?.[0]?.raw).toMatchObject(image);
  });

  it('have the words of an output that is not as its schema says, where that is an error', async () => {
    const strict: Tool = { ...tool('writes'), outputSchema: { type: 'object', required: ['sum'] } };
    const wire = server(era, {
      'tools/list': { tools: [strict] },
      'tools/call': { content: [], structuredContent: {} },
    });
    const seen = watch(connect(wire, { era, validateOutput: 'error' }).executeToolCalls([call('1', 'writes')]));
    await seen.end;
    expect(seen.values).toEqual([[failing('1', starting('OutputInvalidError: '))]]);
  });

  it('carry further keys of the batch', () => {
    const wire = server(era);
    watch(connect(wire, { era }).executeToolCalls([call('1', 'writes')], { meta: { 'example.com/trace': 'x' } }));
    expect(callsTo(wire)[0]?.params).toMatchObject({ _meta: { 'example.com/trace': 'x' } });
  });
});

describe.each(ERAS)('the clocks of a batch, in the %s era', (era) => {
  it('run for each call from when it is made, and a call that is out of time costs the others nothing', () => {
    inVirtualTime(({ at }) => {
      const wire = server(era, { 'tools/call': ({ name }) => (name === 'writes' ? silence : text('done')) });
      const seen = watch(
        fresh(wire, { era }).executeToolCalls([call('1', 'writes'), call('2', 'writes'), call('3', 'safe')], {
          timeoutMs: 100,
        }),
      );
      at(199, () => {
        expect(seen.values).toEqual([]);
      });
      at(201, () => {
        expect(seen.values).toEqual([
          [failing('1', starting('TimeoutError: ')), failing('2', starting('TimeoutError: ')), ok('3', 'done')],
        ]);
        expect(cancelled(wire)).toEqual(idsOf(wire).slice(0, 2));
      });
    });
  });

  it('end a call that reports for ever', () => {
    inVirtualTime(({ at }) => {
      const wire = server(era, { 'tools/call': silence });
      const seen = watch(
        fresh(wire, { era }).executeToolCalls([call('1', 'writes')], {
          timeoutMs: 0,
          maxTotalMs: 70,
          onProgress: () => undefined,
        }),
      );
      at(69, () => {
        expect(seen.values).toEqual([]);
      });
      at(71, () => {
        expect(seen.values).toEqual([[failing('1', starting('TimeoutError: '))]]);
      });
    });
  });

  it('bound the wait for the list, too, after which the calls are made without it', () => {
    inVirtualTime(({ at }) => {
      const wire = server(era, { 'tools/list': silence });
      const seen = watch(fresh(wire, { era }).executeToolCalls([call('1', 'writes')], { timeoutMs: 100 }));
      at(99, () => {
        expect(seen.values).toEqual([]);
      });
      at(101, () => {
        expect(seen.values).toEqual([[ok('1', 'writes done')]]);
      });
    });
  });
});

describe('a batch whose server asks', () => {
  const question = {
    resultType: 'input_required',
    inputRequests: {
      name: {
        method: 'elicitation/create',
        params: { mode: 'form', message: 'Who?', requestedSchema: { type: 'object', properties: {} } },
      },
      poem: { method: 'sampling/createMessage', params: { messages: [], maxTokens: 5 } },
    },
  };
  const { poem, name } = question.inputRequests;

  it('for ever has that as the answer to that call', async () => {
    const wire = server('modern', {
      'tools/call': ({ name: which }) => (which === 'writes' ? { ...question, inputRequests: { name } } : text('done')),
    });
    const client = connect(wire, { maxInputRounds: 2, onElicit: () => ({ action: 'accept', content: {} }) });
    const seen = watch(client.executeToolCalls([call('1', 'writes'), call('2', 'safe')]));
    await seen.end;
    expect(seen.values).toEqual([[failing('1', starting('InputLoopExceededError: ')), ok('2', 'done')]]);
  });

  it('in vain, because a hook refuses, has that as the answer to that call', async () => {
    const wire = server('modern', {
      'tools/call': ({ name: which }) => (which === 'writes' ? { ...question, inputRequests: { poem } } : text('done')),
    });
    const client = connect(wire, {
      onSample: () => {
        throw new Error('not today');
      },
    });
    const seen = watch(client.executeToolCalls([call('1', 'writes'), call('2', 'safe')]));
    await seen.end;
    expect(seen.values).toEqual([[failing('1', starting('InputRefusedError: ')), ok('2', 'done')]]);
  });

  it('closes its hook where the batch is aborted', () => {
    let open = false;
    const wire = server('modern', { 'tools/call': { ...question, inputRequests: { name } } });
    const client = connect(wire, {
      onElicit: () =>
        new Observable<never>(() => {
          open = true;
          return () => {
            open = false;
          };
        }),
    });
    const abort = new AbortController();
    const seen = watch(client.executeToolCalls([call('1', 'writes')], { signal: abort.signal }));
    expect(open).toBe(true);
    abort.abort();
    expect([open, seen.error instanceof CancelledError]).toEqual([false, true]);
  });
});

describe('a batch over a wire that mirrors arguments', () => {
  it('mirrors those of each call, and asks for the list once', async () => {
    const region = (header: string): Tool => ({
      name: header,
      inputSchema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': header } } },
      annotations: SAFE,
    });
    const wire = server('modern', {
      'tools/list': { tools: [region('Region'), region('Zone'), tool('writes', SAFE)] },
    });
    const hints: (SendHints['headers'] | undefined)[] = [];
    const transport: Transport = {
      inbound$: wire.inbound$,
      cancelBy: 'hang-up',
      mirrorsHeaders: true,
      get alive() {
        return wire.alive;
      },
      send: (message, hint) => {
        if ('method' in message && message.method === 'tools/call') hints.push(hint?.headers);
        return wire.send(message);
      },
      close: () => wire.close(),
    };
    const connector: Connector = Object.assign(
      () => new Observable<Transport>((subscriber) => subscriber.next(transport)),
      { forms: true },
    );
    const client = connect(connector, { eraCache: new EraCache(), cache: false });
    await client.promises.executeToolCalls([
      call('1', 'Region', { region: 'eu' }),
      call('2', 'Zone', { region: 'us' }),
      call('3', 'writes'),
    ]);
    expect(hints).toEqual([{ 'Mcp-Param-Region': 'eu' }, { 'Mcp-Param-Zone': 'us' }, undefined]);
    expect(methodsOf(wire)).toEqual(['server/discover', 'tools/list', 'tools/call', 'tools/call', 'tools/call']);
  });
});

describe('what is known of the tools', () => {
  const knownOf = (client: McpClient) => watch(client.knownTools());

  it('is the list, the same array until it changes, and is asked for only where it is not known', () => {
    const wire = server('modern');
    const client = connect(wire);
    const [first, again] = [knownOf(client), knownOf(client)];
    expect(first.values[0]?.map(({ name }) => name)).toEqual(['safe', 'writes']);
    expect(again.values[0]).toBe(first.values[0]);
    expect([first.completed, sentTo(wire, 'tools/list').length]).toEqual([true, 1]);
    wire.push({ method: 'notifications/tools/list_changed' });
    expect(knownOf(client).values[0]).not.toBe(first.values[0]);
    expect(sentTo(wire, 'tools/list')).toHaveLength(2);
  });

  it('is nothing without a list', () => {
    expect(knownOf(connect(server('modern', { 'tools/list': error(-32_603, 'no list') }))).error).toMatchObject({
      name: 'ProtocolError',
    });
  });

  it('is bounded by the clocks of the request', () => {
    inVirtualTime(({ at }) => {
      const seen = watch(fresh(server('modern', { 'tools/list': silence })).knownTools({ timeoutMs: 10 }));
      at(11, () => {
        expect(seen.error).toMatchObject({ name: 'TimeoutError', method: 'tools/list', timeoutMs: 10 });
      });
    });
  });

  it('are the annotations of a tool, or none for one that has none or is not there', () => {
    const client = connect(server('modern'));
    const of = (name: string) => watch(client.toolAnnotations(name)).values;
    expect([of('safe'), of('writes'), of('nobody'), of('constructor')]).toEqual([
      [SAFE],
      [undefined],
      [undefined],
      [undefined],
    ]);
  });
});

describe('the events of a batch that is left', () => {
  it('at the sight of a call that begins: that call is never sent', () => {
    const wire = server('modern');
    const { values } = watch(
      connect(wire)
        .executeToolCalls([call('1', 'writes')], { observe: 'events' })
        .pipe(take(1)),
    );
    expect(values).toMatchObject([{ kind: 'started' }]);
    expect(callsTo(wire)).toEqual([]);
  });
});
